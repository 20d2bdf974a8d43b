//! The tiled codecs: rectangles of entries, each predicted from its surroundings.
//!
//! - [`tiling`]: how a layer is cut into tiles;
//! - [`alphabet`]: entries as symbols and levels;
//! - [`contexts`]: what an entry is predicted from: neighbours and a hint;
//! - [`distribution`]: how likely each symbol is in a context;
//! - [`model`]: contexts and distributions, as a table stores them;
//! - [`mod@decode`]: the cells of tiles, decoded one by one;
//! - here: blocks of tiles.
//!
//! `docs/internals/codec.md` explains why each of them is there and what it gains. The encoder is
//! in `write/encode/`.

// Symbols, shares and offsets in a tile are small, as each file says.
#![allow(clippy::cast_possible_truncation)]

pub(in crate::table) mod alphabet;
pub(in crate::table) mod contexts;
pub(in crate::table) mod decode;
pub(in crate::table) mod distribution;
pub(in crate::table) mod model;
#[cfg(test)]
mod tests;
pub(in crate::table) mod tiling;

use std::array;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use self::alphabet::Alphabet;
use self::decode::{Decoding, StoredTile, decode, decode_entry, max_tile_bytes};
use self::model::{Model, read_number};
use self::tiling::Tiling;
use super::{Blocks, DecodedTile};
use crate::index::{LayerIndex, Location};
use crate::table::entries::to_usize;
use crate::table::error::BlockFault;
use crate::table::id::TableId;

/// The most tiles that a block may have.
pub const MAX_BLOCK_TILES: u32 = 1 << 10;
/// The most bytes of a table's models.
pub(in crate::table) const MAX_MODEL_BYTES: u64 = 1 << 19;

/// Tiles that are decoded side by side. Two are nearly as good, more take more registers than
/// a processor has.
const TOGETHER: usize = 4;

/// The blocks of tiles of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Tiled {
    pub id: TableId,
    pub tiling: Tiling,
    /// Tiles in each block but the last.
    block_size: u64,
}

impl Tiled {
    /// Tiles of the first `sections` sections of a layer.
    pub fn new(id: TableId, sections: u8, block_size: u32, index: LayerIndex) -> Tiled {
        Tiled {
            id,
            tiling: Tiling::new(index, sections),
            block_size: block_size.into(),
        }
    }

    /// How many tiles the block of a tile has, and the tile's number among these.
    fn place(&self, tile: u64) -> (usize, usize) {
        let tiles = self.tiles(self.block_of(tile));
        // Both are at most 2^10.
        (
            to_usize(tiles.end - tiles.start),
            to_usize(tile - tiles.start),
        )
    }
}

impl Blocks for Tiled {
    fn tile_count(&self) -> u64 {
        self.tiling.len()
    }

    fn tiles_per_block(&self) -> u64 {
        self.block_size
    }

    fn tile_len(&self, tile: u64) -> usize {
        self.tiling.tile(tile).cells()
    }

    fn locate(&self, location: Location) -> Option<(u64, usize)> {
        self.tiling.locate(location)
    }

    fn stored_entries(&self) -> u64 {
        self.tiling.entries()
    }

    fn stored_sections(&self) -> u8 {
        self.tiling.sections()
    }

    fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        let tiles = self.tiles(block);
        let tiles = tiles.end - tiles.start;
        // Each tile has a length and at least one byte.
        2 * tiles..=tiles * (2 + max_tile_bytes(self.id.kind.planes()) as u64)
    }

    fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)> {
        self.tiling.tile_rows(indexes).collect()
    }

    fn lines(&self, tile: u64) -> Vec<(u64, usize)> {
        let tile = self.tiling.tile(tile);
        let lines = (0..tile.lines).map(|line| self.tiling.line_start(&tile, line));
        lines.map(|start| (start, tile.columns)).collect()
    }

    fn models(&self, mut bytes: &[u8]) -> Option<Models> {
        let model = |_| Model::from_bytes(&mut bytes, Alphabet::of(self.id));
        let planes = (0..self.id.kind.planes()).map(model);
        let planes = planes.collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(Models {
            planes,
            decodings: OnceLock::new(),
        })
    }

    fn decode(
        &self,
        models: &Models,
        tiles: Range<u64>,
        stored: &[u8],
    ) -> Result<Vec<DecodedTile>, BlockFault> {
        let (count, _) = self.place(tiles.start);
        let stored = StoredTiles::find(stored, count).ok_or(BlockFault::Tiles)?;
        let stored = |tile| stored.tile(self.place(tile).1);
        let decodings = models.decodings(self.id);
        let mut decoded = Vec::with_capacity(to_usize(tiles.end - tiles.start));
        let mut next = tiles.start;
        while next < tiles.end {
            let shape = self.tiling.tile(next).shape();
            let mut others = next + 1..next + TOGETHER as u64;
            let are_alike = others.end <= tiles.end
                && others.all(|tile| self.tiling.tile(tile).shape() == shape);
            if are_alike {
                let tiles: [u64; TOGETHER] = array::from_fn(|i| next + i as u64);
                decoded.extend(decode(decodings, &self.tiling, tiles, tiles.map(stored)));
            } else {
                decoded.extend(decode(decodings, &self.tiling, [next], [stored(next)]));
            }
            next = tiles.start + decoded.len() as u64;
        }
        let tiles = tiles.zip(decoded);
        tiles
            .map(|(tile, entries)| {
                let entries = entries.ok_or(BlockFault::Tile { tile })?;
                Ok(DecodedTile::new(self.id, entries))
            })
            .collect()
    }

    fn decode_entry(
        &self,
        models: &Models,
        tile: u64,
        plane: usize,
        cell: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault> {
        let (count, number) = self.place(tile);
        let stored = stored_tile(stored, count, number).ok_or(BlockFault::Tiles)?;
        let place = self.tiling.tile(tile);
        let planes = &models.decodings(self.id)[..=plane];
        decode_entry(planes, &self.tiling, place, cell, stored).ok_or(BlockFault::Tile { tile })
    }
}

/// The models of a table, one for each plane: none for flat blocks.
#[derive(Default)]
pub(in crate::table) struct Models {
    planes: Vec<Model>,
    /// Made when the first tile is decoded.
    decodings: OnceLock<Vec<Decoding>>,
}

impl Models {
    fn decodings(&self, id: TableId) -> &[Decoding] {
        let decoding = |model| Decoding::new(model, Alphabet::of(id));
        self.decodings
            .get_or_init(|| self.planes.iter().map(decoding).collect())
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Models").finish_non_exhaustive()
    }
}

/// The stored bytes of a block's tiles.
struct StoredTiles<'b> {
    /// Where each tile ends.
    ends: Vec<usize>,
    bytes: &'b [u8],
}

impl<'b> StoredTiles<'b> {
    /// Finds the tiles of a block; `None` if the block does not consist of `count`
    /// tiles.
    fn find(mut block: &'b [u8], count: usize) -> Option<StoredTiles<'b>> {
        let mut end = 0;
        let mut ends = Vec::with_capacity(count);
        for _ in 0..count {
            end += usize::from(read_number(&mut block)?);
            ends.push(end);
        }
        (end == block.len()).then_some(StoredTiles { ends, bytes: block })
    }

    /// The stored bytes of a tile, by its number in the block.
    fn tile(&self, number: usize) -> StoredTile<'b> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        StoredTile {
            bytes: &self.bytes[start..],
            length: self.ends[number] - start,
        }
    }
}

/// The stored bytes of one tile of a block with `count` tiles, found faster than all of
/// them; `None` if the block does not have it.
fn stored_tile(mut block: &[u8], count: usize, number: usize) -> Option<StoredTile<'_>> {
    // Tiles are usually shorter than 128 bytes, so that each length is one byte.
    let are_short = |lengths: &[u8]| lengths.iter().fold(0, |all, length| all | length) < 0x80;
    let parts = block.split_at_checked(count);
    if let Some((lengths, bytes)) = parts.filter(|(lengths, _)| are_short(lengths)) {
        let before = lengths[..number].iter();
        let start: usize = before.map(|&length| usize::from(length)).sum();
        return StoredTile::new(bytes, start, lengths[number].into());
    }
    let (mut start, mut wanted) = (0, 0);
    for tile in 0..count {
        let length = usize::from(read_number(&mut block)?);
        match tile.cmp(&number) {
            Ordering::Less => start += length,
            Ordering::Equal => wanted = length,
            Ordering::Greater => {}
        }
    }
    StoredTile::new(block, start, wanted)
}
