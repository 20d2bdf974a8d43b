//! Decoded blocks, kept while they fit a budget of memory.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::table::{Block, Kind, Table, TableError};

/// Bytes of decoded blocks that a tablebase keeps unless told otherwise.
pub(super) const DEFAULT_BYTES: u64 = 64 << 20;

/// Which block of which layer's tables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    seeds: u8,
    kind: Kind,
    block: u64,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<Block>> for Bytes {
    fn weight(&self, _: &Key, block: &Arc<Block>) -> u64 {
        // What the key and the bookkeeping weigh, roughly.
        const OVERHEAD: u64 = 128;
        block.bytes().len() as u64 + OVERHEAD
    }
}

/// The blocks decoded last, shared by all threads.
pub(super) struct BlockCache(Cache<Key, Arc<Block>, Bytes>);

impl BlockCache {
    pub fn new(bytes: u64) -> BlockCache {
        /// What blocks commonly weigh, for a guess at how many there will be.
        const COMMON: u64 = 16 << 10;
        let blocks = usize::try_from(bytes / COMMON).unwrap_or(usize::MAX);
        BlockCache(Cache::with_weighter(blocks, bytes, Bytes))
    }

    /// The block of a table that holds entry `index`, and its place there.
    pub fn find(&self, table: &Table, index: u64) -> Result<(Arc<Block>, usize), TableError> {
        let id = table.id();
        let size = u64::from(table.block_entries());
        let block = index / size;
        let key = Key {
            seeds: id.seeds,
            kind: id.kind,
            block,
        };
        let decoded = self
            .0
            .get_or_insert_with(&key, || table.block(block).map(Arc::new))?;
        // Below the number of entries in a block, which is a `u32`.
        Ok((decoded, (index % size) as usize))
    }
}
