//! Encoding the blocks of a table: flat ones here, tiled ones in
//!
//! - `cells`: the cells of a tile with their surroundings;
//! - `train`: the contexts that save most, found;
//! - `models`: the stored bytes of models;
//! - `ans`: the entropy coder;
//! - `tiles`: whole blocks of tiles.

// Symbols, shares and offsets in a tile are small, as each file says.
#![allow(clippy::cast_possible_truncation)]

mod ans;
mod cells;
mod models;
mod tiles;
mod train;

use self::tiles::TileEncoder;
use super::source::EntrySource;
use crate::table::codec::flat::{Compression, Flat};
use crate::table::codec::{BlockCodec, Blocks, zstandard};
use crate::table::error::Fault;

/// Encodes the blocks of a table.
pub(super) enum BlockEncoder<'a> {
    Flat(FlatEncoder<'a>),
    Tiled(TileEncoder<'a>),
}

impl<'a> BlockEncoder<'a> {
    /// An encoder for a table with these planes; `level` is the effort of Zstandard.
    pub fn new(
        blocks: &'a BlockCodec,
        planes: &'a [&'a dyn EntrySource],
        level: i32,
    ) -> Result<BlockEncoder<'a>, Fault> {
        Ok(match blocks {
            BlockCodec::Flat(flat) => BlockEncoder::Flat(FlatEncoder {
                flat,
                planes,
                level,
            }),
            BlockCodec::Tiled(tiled) => BlockEncoder::Tiled(TileEncoder::new(tiled, planes)?),
        })
    }

    /// The stored bytes of the models.
    pub fn models(&self) -> &[u8] {
        match self {
            BlockEncoder::Flat(_) => &[],
            BlockEncoder::Tiled(tiled) => tiled.models(),
        }
    }

    /// The stored bytes of a block.
    pub fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        match self {
            BlockEncoder::Flat(flat) => flat.encode(block),
            BlockEncoder::Tiled(tiled) => tiled.encode(block),
        }
    }
}

/// Encodes flat blocks.
pub(super) struct FlatEncoder<'a> {
    flat: &'a Flat,
    planes: &'a [&'a dyn EntrySource],
    level: i32,
}

impl FlatEncoder<'_> {
    /// The stored bytes of a block.
    fn encode(&self, block: u64) -> Result<Vec<u8>, Fault> {
        let start = self.flat.start(block);
        let entries = self.flat.tile_len(block);
        let mut content = vec![0; self.flat.content_len(block)];
        for (plane, out) in self.planes.iter().zip(content.chunks_mut(entries)) {
            plane.fill(start, out).map_err(Fault::entries)?;
        }
        match self.flat.impossible_index(block, &content) {
            Some(index) => Err(Fault::Entry { index }),
            None => compress(self.flat.compression, self.level, content),
        }
    }
}

/// The stored bytes of a content; `level` is the effort of Zstandard.
fn compress(compression: Compression, level: i32, content: Vec<u8>) -> Result<Vec<u8>, Fault> {
    match compression {
        Compression::None => Ok(content),
        Compression::Zstd => zstandard::compress(level, &content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Incompressible blocks stay within the limits of stored lengths.
    #[test]
    fn incompressible_blocks_fit_their_limits() {
        let mut state = 1_u64;
        for length in [1, 2, 255, 256, 16384, 1 << 17, 1 << 21] {
            let noise: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    state.to_le_bytes()[7]
                })
                .collect();
            for compression in [Compression::None, Compression::Zstd] {
                assert!(
                    zstd::zstd_safe::compress_bound(length) as u64
                        <= *Compression::Zstd.stored_lengths(length).end()
                );
                let stored = compress(compression, 9, noise.clone()).unwrap();
                let lengths = compression.stored_lengths(length);
                assert!(lengths.contains(&(stored.len() as u64)));
                let mut back = vec![0; length];
                assert!(compression.decompress(&stored, &mut back));
                assert!(back == noise);
            }
        }
    }
}
