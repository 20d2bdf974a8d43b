//! Flat blocks: entries one after another, uncompressed or compressed.
//!
//! A block holds the same range of each plane, and is one tile.

use std::ops::{Range, RangeInclusive};

use super::tiled::Models;
use super::{Blocks, DecodedTile, zstandard};
use crate::index::{LayerIndex, Location};
use crate::table::entries::{first_impossible, to_usize};
use crate::table::error::BlockFault;
use crate::table::id::TableId;

/// The most entries a block may have: what a reader must be ready to decode
/// at once.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;

/// How the content of a block is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) enum Compression {
    None,
    Zstd,
}

impl Compression {
    /// The numbers of stored bytes for a content of `length` bytes.
    pub fn stored_lengths(self, length: usize) -> RangeInclusive<u64> {
        let length = length as u64;
        match self {
            Compression::None => length..=length,
            // No less than ZSTD_COMPRESSBOUND.
            Compression::Zstd => 1..=length + length / 256 + 64,
        }
    }

    /// Decompresses to exactly the length of `content`, whatever the stored bytes
    /// are; `false` if they decompress to another length or not at all.
    pub fn decompress(self, stored: &[u8], content: &mut [u8]) -> bool {
        match self {
            Compression::None if stored.len() == content.len() => {
                content.copy_from_slice(stored);
                true
            }
            Compression::None => false,
            Compression::Zstd => zstandard::decompress(stored, content),
        }
    }
}

/// The flat blocks of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Flat {
    id: TableId,
    pub compression: Compression,
    /// Entries of a plane in each block but the last.
    block_size: u64,
    /// Entries of a plane.
    entries: u64,
    index: LayerIndex,
}

impl Flat {
    pub fn new(id: TableId, compression: Compression, block_size: u32, index: LayerIndex) -> Flat {
        Flat {
            id,
            compression,
            block_size: block_size.into(),
            entries: index.len(),
            index,
        }
    }

    /// The index of a block's first entry.
    pub fn start(&self, block: u64) -> u64 {
        block * self.block_size
    }

    /// Bytes of a block's content.
    pub fn content_len(&self, block: u64) -> usize {
        self.tile_len(block) * self.id.kind.planes()
    }

    /// The block of an entry, and the entry's offset from the start of the first
    /// block, if blocks are not compressed.
    #[inline]
    pub fn locate_raw(&self, plane: usize, location: Location) -> Option<(u64, u64)> {
        if self.compression != Compression::None {
            return None;
        }
        let index = self.index.index_of(location);
        let block = index / self.block_size;
        // All blocks but the last have the same length.
        let before = self.start(block) * self.id.kind.planes() as u64;
        let within = plane as u64 * self.tile_len(block) as u64 + index % self.block_size;
        Some((block, before + within))
    }

    /// The index of the first impossible entry of a block.
    pub fn impossible_index(&self, block: u64, content: &[u8]) -> Option<u64> {
        let TableId { kind, seeds, .. } = self.id;
        first_impossible(kind, seeds, content).map(|offset| self.start(block) + offset as u64)
    }
}

impl Blocks for Flat {
    fn tile_count(&self) -> u64 {
        self.entries.div_ceil(self.block_size)
    }

    fn tiles_per_block(&self) -> u64 {
        1
    }

    #[inline]
    fn tile_len(&self, tile: u64) -> usize {
        // At most 2^20.
        to_usize((self.entries - self.start(tile)).min(self.block_size))
    }

    fn locate(&self, location: Location) -> Option<(u64, usize)> {
        let index = self.index.index_of(location);
        // The offset is below the block size, which is a `u32`.
        Some((index / self.block_size, to_usize(index % self.block_size)))
    }

    fn stored_entries(&self) -> u64 {
        self.entries
    }

    fn stored_sections(&self) -> u8 {
        self.id.seeds + 1
    }

    fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        self.compression.stored_lengths(self.content_len(block))
    }

    fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)> {
        /// Fewer entries are not worth a task: blocks may be tiny.
        const MIN_ENTRIES: u64 = 4096;
        let size = self.block_size;
        let blocks = indexes.start / size..indexes.end.div_ceil(size);
        let count = MIN_ENTRIES.div_ceil(size);
        let firsts = blocks.clone().step_by(to_usize(count));
        firsts
            .map(|first| first..blocks.end.min(first + count))
            .map(|span| (span.clone(), span.start * size..span.end * size))
            .collect()
    }

    fn lines(&self, tile: u64) -> Vec<(u64, usize)> {
        vec![(self.start(tile), self.tile_len(tile))]
    }

    fn models(&self, bytes: &[u8]) -> Option<Models> {
        bytes.is_empty().then(Models::default)
    }

    fn decode(
        &self,
        _: &Models,
        tiles: Range<u64>,
        stored: &[u8],
    ) -> Result<Vec<DecodedTile>, BlockFault> {
        let block = tiles.start;
        let mut content = vec![0; self.content_len(block)].into_boxed_slice();
        if !self.compression.decompress(stored, &mut content) {
            let expected = content.len();
            return Err(BlockFault::Content { expected });
        }
        match self.impossible_index(block, &content) {
            Some(index) => Err(BlockFault::Entry { index }),
            None => Ok(vec![DecodedTile::new(self.id, content)]),
        }
    }

    fn decode_entry(
        &self,
        models: &Models,
        tile: u64,
        plane: usize,
        offset: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault> {
        let tiles = self.decode(models, tile..tile + 1, stored)?;
        Ok(tiles[0].plane(plane)[offset])
    }
}
