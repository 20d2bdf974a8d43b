//! The shape of a table: where its entries are cut into blocks and pieces.
//!
//! A block is what the file has a checksum of; a piece is what a probe decodes:
//! a whole block, or one of the tiles in it. Writer and reader share the shape, so
//! both cut alike. Everything here follows from the identity, the codec and the
//! size of a block.

use std::ops::{Range, RangeInclusive};

use super::id::{Codec, TableId};
use super::packed::{CELLS, Tiling, most_tile_bytes};
use super::runs::{self, RunCodec};
use crate::index::{LayerIndex, Location};

/// The most entries a block may have: what a reader must be ready to decode
/// at once.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;
/// The most tiles that a block may have.
pub const MAX_BLOCK_TILES: u32 = 1 << 10;

/// Bytes before the directory.
pub(super) const HEADER_LEN: usize = 128;
/// Bytes of the directory for each block.
pub(super) const RECORD_LEN: usize = 16;

/// A number that counts something in memory.
pub(super) fn small(number: u64) -> usize {
    usize::try_from(number).expect("a number of things in memory")
}

/// How a table is laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub id: TableId,
    pub codec: Codec,
    /// Entries, or tiles, in each block but the last.
    pub block_size: u32,
    /// Entries of a plane in the layer, stored or not.
    pub entries: u64,
    pub index: LayerIndex,
    pub layout: Layout,
}

/// How entries are laid into blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// One after another, all of them.
    Runs(RunCodec),
    /// In tiles.
    Tiles(Tiling),
}

impl Shape {
    /// The only shape with this identity, codec and block size. The seeds
    /// must not be more than 48, and the block size in its range.
    pub fn new(id: TableId, codec: Codec, block_size: u32) -> Shape {
        let index = LayerIndex::new(id.rules, id.seeds);
        let entries = index.len();
        let layout = match codec {
            Codec::Raw => Layout::Runs(RunCodec::Raw),
            Codec::Zstd => Layout::Runs(RunCodec::Zstd),
            Codec::Packed => Layout::Tiles(Tiling::new(index.clone(), id.seeds + 1)),
            // A quiet move leads from a board whose mover has less than half of
            // the seeds to one whose mover has more.
            Codec::Small => Layout::Tiles(Tiling::new(index.clone(), id.seeds / 2 + 1)),
        };
        Shape {
            id,
            codec,
            block_size,
            entries,
            index,
            layout,
        }
    }

    /// The block sizes that a codec allows.
    pub fn block_sizes(codec: Codec) -> RangeInclusive<u32> {
        match codec {
            Codec::Raw | Codec::Zstd => 1..=MAX_BLOCK_ENTRIES,
            Codec::Packed | Codec::Small => 1..=MAX_BLOCK_TILES,
        }
    }

    /// What blocks consist of and a probe decodes at once: tiles or whole blocks.
    pub fn piece_count(&self) -> u64 {
        match &self.layout {
            Layout::Runs(_) => self.block_count(),
            Layout::Tiles(tiling) => tiling.len(),
        }
    }

    pub fn block_count(&self) -> u64 {
        let all = match &self.layout {
            Layout::Runs(_) => self.entries,
            Layout::Tiles(tiling) => tiling.len(),
        };
        all.div_ceil(u64::from(self.block_size))
    }

    /// The offset in the file of what comes after the directory.
    pub fn directory_end(&self) -> u64 {
        HEADER_LEN as u64 + RECORD_LEN as u64 * self.block_count()
    }

    /// The pieces of a block.
    pub fn pieces(&self, block: u64) -> Range<u64> {
        match &self.layout {
            Layout::Runs(_) => block..block + 1,
            Layout::Tiles(tiling) => {
                let size = u64::from(self.block_size);
                block * size..tiling.len().min((block + 1) * size)
            }
        }
    }

    /// The block of a piece.
    pub fn block_of(&self, piece: u64) -> u64 {
        match &self.layout {
            Layout::Runs(_) => piece,
            Layout::Tiles(_) => piece / u64::from(self.block_size),
        }
    }

    /// Entries of a plane in a piece.
    pub fn piece_len(&self, piece: u64) -> usize {
        match &self.layout {
            Layout::Runs(_) => {
                let rest = self.entries - self.run_start(piece);
                let size = u64::from(self.block_size);
                usize::try_from(rest.min(size)).expect("a block has at most 2^20 entries")
            }
            Layout::Tiles(tiling) => tiling.tile(piece).cells(),
        }
    }

    /// The index of the first entry of a block that is no tiles.
    pub fn run_start(&self, block: u64) -> u64 {
        block * u64::from(self.block_size)
    }

    /// The piece that has the entry of a location, and the entry's place there; `None`
    /// if it is not stored.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn place(&self, location: Location) -> Option<(u64, usize)> {
        let size = u64::from(self.block_size);
        match &self.layout {
            Layout::Runs(_) => {
                let index = self.index.index_of(location);
                // The place is below the block size, which is a `u32`.
                Some((index / size, small(index % size)))
            }
            Layout::Tiles(tiling) => tiling.place(location),
        }
    }

    /// Entries of a plane that are stored: those with the lowest indexes.
    pub fn stored_entries(&self) -> u64 {
        match &self.layout {
            Layout::Runs(_) => self.entries,
            Layout::Tiles(tiling) => tiling.entries(),
        }
    }

    /// How many of the layer's matrices those entries are.
    pub fn stored_matrices(&self) -> u8 {
        match &self.layout {
            Layout::Runs(_) => self.id.seeds + 1,
            Layout::Tiles(tiling) => tiling.matrices(),
        }
    }

    /// How many stored bytes a block may have.
    pub fn stored_lengths(&self, block: u64) -> RangeInclusive<u64> {
        let planes = self.id.kind.planes();
        match &self.layout {
            Layout::Runs(codec) => runs::stored_lengths(*codec, self.piece_len(block) * planes),
            Layout::Tiles(_) => {
                let tiles = self.pieces(block);
                let tiles = tiles.end - tiles.start;
                // Each has its length and at least a byte.
                2 * tiles..=tiles * (2 + most_tile_bytes(planes) as u64)
            }
        }
    }

    /// Blocks that are packed or decoded together: few enough for their bytes
    /// to need little memory, enough to keep all threads at work.
    pub fn batches(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        /// Raw bytes in a batch.
        const BATCH: u64 = 4 << 20;
        let size = u64::from(self.block_size) * self.id.kind.planes() as u64;
        let block_bytes = match &self.layout {
            Layout::Runs(_) => size,
            Layout::Tiles(_) => size * CELLS as u64,
        };
        let blocks = (BATCH / block_bytes).clamp(1, 1024);
        let count = self.block_count();
        (0..count.div_ceil(blocks)).map(move |batch| {
            let first = batch * blocks;
            first..count.min(first + blocks)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::table::Kind;

    /// Blocks and batches cover every entry once, also in the largest layer.
    #[test]
    fn blocks_and_batches_cover_the_layer() {
        for (seeds, block_entries) in [(0, 1), (5, 7), (9, 16384), (48, MAX_BLOCK_ENTRIES)] {
            for kind in Kind::ALL {
                let rules = Ruleset::AWARI;
                let id = TableId { rules, seeds, kind };
                let shape = Shape::new(id, Codec::Raw, block_entries);
                let mut blocks = 0;
                let mut entries = 0;
                for batch in shape.batches() {
                    for block in batch {
                        assert_eq!(block, blocks);
                        assert_eq!(shape.run_start(block), entries);
                        entries += shape.piece_len(block) as u64;
                        blocks += 1;
                    }
                }
                assert_eq!((blocks, entries), (shape.block_count(), shape.entries));
            }
        }
    }
}
