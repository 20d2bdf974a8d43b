//! The layout of a table: how many blocks it has and where its parts are.
//!
//! All of it but the ends of blocks follows from the table's identity, its codec and
//! its block size, so writer and reader agree without storing it. The directory's
//! records say where each block ends.

use crate::index::LayerIndex;
use crate::table::codec::{BlockCodec, Codec};
use crate::table::id::TableId;

/// Bytes before the directory.
pub(crate) const HEADER_LEN: usize = 128;
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

    /// Bytes of all blocks together, at most. All but the last have the same limit.
    pub fn longest(&self) -> u64 {
        let last = self.blocks.block_count() - 1;
        let most = |block| *self.blocks.stored_lengths(block).end();
        most(0).saturating_mul(last).saturating_add(most(last))
    }

    /// The offset in the file of what follows the directory.
    pub fn directory_end(&self) -> u64 {
        HEADER_LEN as u64 + RECORD_LEN as u64 * self.blocks.block_count()
    }
}

/// What the directory says about a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct BlockRecord {
    /// The offset in the file of the first byte after the block.
    pub end: u64,
    /// The checksum of the block's stored bytes.
    pub sum: u64,
}

impl BlockRecord {
    /// Reads the [`RECORD_LEN`] bytes of a record.
    pub fn decode(bytes: &[u8]) -> BlockRecord {
        let (end, sum) = bytes.split_at(8);
        let number = |half: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| half[i]));
        BlockRecord {
            end: number(end),
            sum: number(sum),
        }
    }
}
