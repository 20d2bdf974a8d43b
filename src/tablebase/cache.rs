//! The cache of what probes read, which all threads share.
//!
//! It keeps decoded tiles and, of tiled tables in files, stored blocks: these take a fifth
//! of the memory for each board, and a tile that was dropped is decoded again without
//! reading the file.

use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use crate::index::Location;
use crate::table::{Table, TableError};

/// Bytes for what was read unless set.
pub(super) const DEFAULT_BYTES: u64 = 64 << 20;

/// The tiles and blocks read last; none if nothing is to be kept.
pub(super) struct TileCache(Option<ByteCache>);

type ByteCache = Cache<Key, Arc<[u8]>, ByteCount, RandomState>;

impl fmt::Debug for TileCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_ref().map_or(0, Cache::weight);
        f.debug_struct("TileCache")
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}

/// A tile or a stored block of a table: its number, whether it is a block, then the table's
/// layer and kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key(u64);

impl Key {
    fn tile(table: &Table, number: u64) -> Key {
        let id = table.id();
        Key(number << 9 | u64::from(id.seeds) << 2 | id.kind as u64)
    }

    fn block(table: &Table, number: u64) -> Key {
        Key(Key::tile(table, number).0 | 1 << 8)
    }
}

#[derive(Clone, Debug)]
struct ByteCount;

impl Weighter<Key, Arc<[u8]>> for ByteCount {
    fn weight(&self, _: &Key, bytes: &Arc<[u8]>) -> u64 {
        // Roughly what the key, the counters and the bookkeeping take.
        const OVERHEAD: u64 = 96;
        bytes.len() as u64 + OVERHEAD
    }
}

impl TileCache {
    /// A cache of this size, which keeps nothing if that is 0.
    pub fn new(bytes: u64) -> TileCache {
        /// What a tile commonly takes, to estimate how many there will be.
        const COMMON: u64 = 256;
        /// More than the tables of all layers together, decoded.
        const MOST: u64 = 1 << 50;
        let bytes = bytes.min(MOST);
        let count = usize::try_from(bytes / COMMON).unwrap_or(usize::MAX);
        let lifecycle = DefaultLifecycle::default();
        let cache = || Cache::with(count, bytes, ByteCount, RandomState::default(), lifecycle);
        TileCache((bytes > 0).then(cache))
    }

    /// Drops everything.
    pub fn clear(&self) {
        if let Some(cache) = &self.0 {
            cache.clear();
        }
    }

    /// The entry of a board's location in a plane of a table; `None` if the table does not
    /// store it.
    #[inline]
    pub fn entry(
        &self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let Some(cache) = self.0.as_ref().filter(|_| !table.is_read_in_place()) else {
            return table.entry(plane, location);
        };
        let Some((tile, offset)) = table.locate(location) else {
            return Ok(None);
        };
        let key = Key::tile(table, tile);
        let planes = if let Some(planes) = cache.get(&key) {
            planes
        } else {
            let decoded = if table.has_many_tiles() && !table.is_in_memory() {
                let stored = stored_block(cache, table, tile)?;
                table.decode(tile..tile + 1, &stored)?.remove(0)
            } else {
                table.tile(tile)?
            };
            let planes: Arc<[u8]> = decoded.bytes().into();
            cache.insert(key, planes.clone());
            planes
        };
        let entries = planes.len() / table.id().kind.planes();
        Ok(Some(planes[plane * entries + offset]))
    }
}

/// The stored bytes of the block that holds a tile.
fn stored_block(cache: &ByteCache, table: &Table, tile: u64) -> Result<Arc<[u8]>, TableError> {
    let block = table.block_of(tile);
    let key = Key::block(table, block);
    if let Some(stored) = cache.get(&key) {
        return Ok(stored);
    }
    let stored: Arc<[u8]> = table.stored(block)?.into();
    cache.insert(key, stored.clone());
    Ok(stored)
}
