//! The layout of a table: how many blocks it has and where its parts are.
//!
//! All of it but the ends of blocks follows from the table's identity, its codec and
//! its block size, so writer and reader agree without storing it. The directory's
//! records say where each block ends.

#[cfg(feature = "solve")]
use std::ops::Range;

use crate::index::LayerIndex;
use crate::table::codec::{BlockCodec, Codec};
use crate::table::id::TableId;

/// Bytes before the directory.
pub(in crate::table) const HEADER_LEN: usize = 128;
/// Bytes of the directory for each block.
pub(in crate::table) const RECORD_LEN: usize = 16;

/// How a table is laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Layout {
    pub id: TableId,
    pub codec: Codec,
    /// Entries of a plane, or tiles, in each block but the last.
    pub block_size: u32,
    /// Entries of a plane in the layer, stored or not.
    pub entries: u64,
    pub blocks: BlockCodec,
}

impl Layout {
    /// The layout with this identity, codec and block size. The seeds must not
    /// exceed 48, and the block size must be one of [`Codec::block_sizes`].
    pub fn new(id: TableId, codec: Codec, block_size: u32) -> Layout {
        Layout {
            id,
            codec,
            block_size,
            entries: LayerIndex::new(id.rules, id.seeds).len(),
            blocks: BlockCodec::new(id, codec, block_size),
        }
    }

    /// The offset in the file of what follows the directory.
    pub fn directory_end(&self) -> u64 {
        HEADER_LEN as u64 + RECORD_LEN as u64 * self.blocks.block_count()
    }

    /// Blocks that are encoded together: few enough to need little memory, enough to
    /// occupy all threads.
    #[cfg(feature = "solve")]
    pub fn batches(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        /// Decoded bytes of a batch.
        const BATCH: u64 = 4 << 20;
        let blocks = (BATCH / self.blocks.block_bytes()).clamp(1, 1024);
        let count = self.blocks.block_count();
        (0..count.div_ceil(blocks)).map(move |batch| {
            let first = batch * blocks;
            first..count.min(first + blocks)
        })
    }
}

/// What the directory says about a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct Record {
    /// The offset in the file of the first byte after the block.
    pub end: u64,
    /// The checksum of the block's stored bytes.
    pub sum: u64,
}

impl Record {
    #[cfg(feature = "solve")]
    pub fn encode(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.end.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    pub fn decode(bytes: &[u8; RECORD_LEN]) -> Record {
        let (end, sum) = bytes.split_at(8);
        let number = |half: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| half[i]));
        Record {
            end: number(end),
            sum: number(sum),
        }
    }
}

#[cfg(all(test, feature = "solve"))]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::table::codec::flat::MAX_BLOCK_ENTRIES;
    use crate::table::id::Kind;

    /// Blocks and batches cover every entry once, also in the largest layer.
    #[test]
    fn blocks_and_batches_cover_the_layer() {
        for (seeds, block_size) in [(0, 1), (5, 7), (9, 16384), (48, MAX_BLOCK_ENTRIES)] {
            for kind in Kind::ALL {
                let rules = Ruleset::AWARI;
                let id = TableId { rules, seeds, kind };
                let layout = Layout::new(id, Codec::Raw, block_size);
                let BlockCodec::Flat(flat) = &layout.blocks else {
                    panic!("raw blocks are flat");
                };
                let mut blocks = 0;
                let mut entries = 0;
                for batch in layout.batches() {
                    for block in batch {
                        assert_eq!(block, blocks);
                        assert_eq!(flat.start(block), entries);
                        entries += flat.unit_len(block) as u64;
                        blocks += 1;
                    }
                }
                assert_eq!((blocks, entries), (flat.block_count(), layout.entries));
            }
        }
    }
}
