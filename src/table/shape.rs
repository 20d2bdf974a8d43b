//! The shape of a table: where its entries are cut into blocks.
//!
//! Writer and reader share it, so both cut alike. Everything here follows
//! from the identity, the codec and the entries to a block.

use super::id::{Codec, TableId};
use crate::index::LayerIndex;

/// The most entries a block may have: what a reader must be ready to decode
/// at once.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;

/// Bytes before the directory.
pub(super) const HEADER_LEN: usize = 128;
/// Bytes of the directory for each block.
pub(super) const RECORD_LEN: usize = 16;

/// How a table is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub id: TableId,
    pub codec: Codec,
    /// Entries in each block but the last, 1 to [`MAX_BLOCK_ENTRIES`].
    pub block_entries: u32,
    /// Entries in a plane.
    pub entries: u64,
}

impl Shape {
    /// The only shape with this identity, codec and block size. The seeds
    /// must not be more than 48, and the block size in its range.
    pub fn new(id: TableId, codec: Codec, block_entries: u32) -> Shape {
        Shape {
            id,
            codec,
            block_entries,
            entries: LayerIndex::new(id.rules, id.seeds).len(),
        }
    }

    pub fn block_count(&self) -> u64 {
        self.entries.div_ceil(u64::from(self.block_entries))
    }

    /// The offset in the file of the first block, after the directory.
    pub fn blocks_offset(&self) -> u64 {
        HEADER_LEN as u64 + RECORD_LEN as u64 * self.block_count()
    }

    /// The index of a block's first entry.
    pub fn block_start(&self, block: u64) -> u64 {
        block * u64::from(self.block_entries)
    }

    /// Entries in a block.
    pub fn block_len(&self, block: u64) -> usize {
        let rest = self.entries - self.block_start(block);
        usize::try_from(rest.min(u64::from(self.block_entries)))
            .expect("a block has at most 2^20 entries")
    }

    /// Bytes in a block before compression: its planes.
    pub fn raw_len(&self, block: u64) -> usize {
        self.block_len(block) * self.id.kind.planes()
    }

    /// Blocks that are packed or decoded together: few enough for their bytes
    /// to need little memory, enough to keep all threads at work.
    pub fn batches(&self) -> impl Iterator<Item = std::ops::Range<u64>> + use<> {
        /// Raw bytes in a batch.
        const BATCH: u64 = 4 << 20;
        let block_bytes = u64::from(self.block_entries) * self.id.kind.planes() as u64;
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
                        assert_eq!(shape.block_start(block), entries);
                        entries += shape.block_len(block) as u64;
                        blocks += 1;
                    }
                }
                assert_eq!((blocks, entries), (shape.block_count(), shape.entries));
            }
        }
    }
}
