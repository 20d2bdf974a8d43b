//! The tiled codecs: rectangles of entries, each predicted from its surroundings.
//!
//! - [`tiling`]: how a layer is cut into tiles;
//! - [`alphabet`]: entries as symbols and levels;
//! - [`contexts`]: what an entry is predicted from: neighbours and a hint;
//! - [`ans`]: the entropy coder;
//! - [`model`]: contexts and distributions, stored and in use;
//! - [`mod@decode`]: the cells of tiles, decoded one by one;
//! - here: blocks of tiles;
//! - `cells`: the cells of a tile with their surroundings, for the encoder;
//! - `train`: finding the contexts that save most;
//! - `encoder`: tiles and whole tables, encoded.
//!
//! `docs/codec.md` explains why each of them is there and what it gains.

// Symbols, shares and offsets in a tile are small, as each file says.
#![allow(clippy::cast_possible_truncation)]

mod alphabet;
mod ans;
#[cfg(feature = "solve")]
mod cells;
mod contexts;
mod decode;
#[cfg(feature = "solve")]
mod encoder;
mod model;
#[cfg(test)]
mod tests;
mod tiling;
#[cfg(feature = "solve")]
mod train;

use std::array;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use self::alphabet::Alphabet;
use self::contexts::hints;
use self::decode::{StoredTile, decode, decode_entry, max_tile_bytes};
#[cfg(feature = "solve")]
pub(super) use self::encoder::TileEncoder;
use self::model::{Decoding, Model, read_number};
use self::tiling::{CELLS, Tiling};
use crate::index::{LayerIndex, Location};
#[cfg(feature = "solve")]
use crate::table::entries::EntrySource;
use crate::table::entries::to_usize;
use crate::table::error::BlockFault;
#[cfg(feature = "solve")]
use crate::table::error::Fault;
use crate::table::id::TableId;

/// The most tiles that a block may have.
pub const MAX_BLOCK_TILES: u32 = 1 << 10;
/// Tiles in a block unless the writer chooses another number.
#[cfg(feature = "solve")]
pub(super) const DEFAULT_BLOCK_TILES: u32 = 64;
/// The most bytes of a table's models.
pub(in crate::table) const MAX_MODEL_BYTES: u64 = 1 << 19;

/// Tiles that are decoded side by side. Two are nearly as good, more take more registers than
/// a processor has.
const TOGETHER: usize = 4;

/// The blocks of tiles of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Tiled {
    id: TableId,
    tiling: Tiling,
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

    pub fn block_count(&self) -> u64 {
        self.tiling.len().div_ceil(self.block_size)
    }

    pub fn unit_count(&self) -> u64 {
        self.tiling.len()
    }

    pub fn units(&self, block: u64) -> Range<u64> {
        let size = self.block_size;
        block * size..self.tiling.len().min((block + 1) * size)
    }

    pub fn block_of(&self, unit: u64) -> u64 {
        unit / self.block_size
    }

    #[cfg(feature = "solve")]
    pub fn unit_len(&self, unit: u64) -> usize {
        self.tiling.tile(unit).cells()
    }

    #[inline]
    pub fn locate(&self, location: Location) -> Option<(u64, usize)> {
        self.tiling.locate(location)
    }

    pub fn stored_entries(&self) -> u64 {
        self.tiling.entries()
    }

    pub fn stored_sections(&self) -> u8 {
        self.tiling.sections()
    }

    pub fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        let tiles = self.units(block);
        let tiles = tiles.end - tiles.start;
        // Each tile has a length and at least one byte.
        2 * tiles..=tiles * (2 + max_tile_bytes(self.id.kind.planes()) as u64)
    }

    #[cfg(feature = "solve")]
    pub fn block_bytes(&self) -> u64 {
        self.block_size * (CELLS * self.id.kind.planes()) as u64
    }

    pub fn spans(&self, indexes: Range<u64>) -> Vec<(Range<u64>, Range<u64>)> {
        self.tiling.strips(indexes).collect()
    }

    pub fn lines<'e>(&self, unit: u64, entries: &'e [u8], mut each: impl FnMut(u64, &'e [u8])) {
        let tile = self.tiling.tile(unit);
        for (number, line) in entries.chunks_exact(tile.columns).enumerate() {
            each(self.tiling.line_start(&tile, number), line);
        }
    }

    pub fn models(&self, mut bytes: &[u8]) -> Option<Models> {
        let model = |_| Model::from_bytes(&mut bytes, Alphabet::of(self.id));
        let planes = (0..self.id.kind.planes()).map(model);
        let planes = planes.collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(Models {
            planes,
            decodings: OnceLock::new(),
        })
    }

    pub fn decode(
        &self,
        models: &Models,
        block: u64,
        units: Range<u64>,
        stored: &[u8],
        mut each: impl FnMut(u64, Box<[u8]>),
    ) -> Result<(), BlockFault> {
        let of_block = self.units(block);
        // At most as many as a block has.
        let count = to_usize(of_block.end - of_block.start);
        let tiles = StoredTiles::find(stored, count).ok_or(BlockFault::Tiles)?;
        let decodings = models.decodings(self.id);
        let stored = |number: u64| tiles.tile(to_usize(number - of_block.start));
        let mut next = units.start;
        while next < units.end {
            let tile = self.tiling.tile(next);
            let others = next + 1..units.end.min(next + TOGETHER as u64);
            let others = others.map(|number| self.tiling.tile(number));
            let like_it = others.filter(|other| other.shape() == tile.shape()).count();
            next = if like_it + 1 == TOGETHER {
                self.decode_tiles::<TOGETHER>(decodings, next, stored, &mut each)?
            } else {
                self.decode_tiles::<1>(decodings, next, stored, &mut each)?
            };
        }
        Ok(())
    }

    /// Decodes consecutive tiles of the same shape, from a number on, and returns the number of
    /// the next one.
    fn decode_tiles<'b, const TILES: usize>(
        &self,
        decodings: &[Decoding],
        first: u64,
        stored: impl Fn(u64) -> StoredTile<'b>,
        each: &mut impl FnMut(u64, Box<[u8]>),
    ) -> Result<u64, BlockFault> {
        let numbers: [u64; TILES] = array::from_fn(|i| first + i as u64);
        let tiles = numbers.map(|number| self.tiling.tile(number));
        let (cells, columns) = (tiles[0].cells(), tiles[0].columns);
        let mut all_hints = [[0; CELLS]; TILES];
        for (tile, out) in tiles.iter().zip(&mut all_hints) {
            hints(&self.tiling, tile, &mut out[..cells]);
        }
        let all_hints = all_hints.each_ref().map(|hints| &hints[..cells]);
        let stored = numbers.map(stored);
        let mut entries = numbers.map(|_| vec![0; cells * decodings.len()].into_boxed_slice());
        let are_sound = decode(decodings, columns, all_hints, stored, &mut entries);
        for ((tile, entries), is_sound) in numbers.into_iter().zip(entries).zip(are_sound) {
            if !is_sound {
                return Err(BlockFault::Tile { tile });
            }
            each(tile, entries);
        }
        Ok(first + TILES as u64)
    }

    /// Decodes one entry: that of a cell in a plane of a tile.
    pub fn decode_entry(
        &self,
        models: &Models,
        unit: u64,
        plane: usize,
        cell: usize,
        stored: &[u8],
    ) -> Result<u8, BlockFault> {
        let of_block = self.units(self.block_of(unit));
        // Both are at most as many as a block has.
        let count = to_usize(of_block.end - of_block.start);
        let number = to_usize(unit - of_block.start);
        let stored = stored_tile(stored, count, number).ok_or(BlockFault::Tiles)?;
        let tile = self.tiling.tile(unit);
        let mut tile_hints = [0; CELLS];
        // The planes before are decoded to their ends.
        let cells = if plane > 0 { tile.cells() } else { cell + 1 };
        let of_cells = &mut tile_hints[..cells];
        hints(&self.tiling, &tile, of_cells);
        let planes = &models.decodings(self.id)[..=plane];
        decode_entry(planes, tile.columns, of_cells, cell, stored)
            .ok_or(BlockFault::Tile { tile: unit })
    }

    #[cfg(feature = "solve")]
    pub fn encoder<'a>(
        &'a self,
        planes: &'a [&'a dyn EntrySource],
    ) -> Result<TileEncoder<'a>, Fault> {
        TileEncoder::new(self.id, &self.tiling, self.block_size, planes)
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

/// The stored bytes of one tile of a block with `count` tiles, in less time than it takes
/// to find all; `None` if the block does not have it.
fn stored_tile(mut block: &[u8], count: usize, number: usize) -> Option<StoredTile<'_>> {
    // Tiles are usually shorter than 128 bytes, so that each length is one byte.
    if let Some((lengths, bytes)) = block.split_at_checked(count)
        && lengths.iter().fold(0, |all, length| all | length) < 0x80
    {
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
