//! Caches of what probes read: one that all threads share, and a small one for a thread in
//! front of it.
//!
//! Of tiled tables, decoded tiles are kept, and blocks as they are stored: these take a
//! fifth of the memory for each board, and a tile that is not in memory any more is
//! decoded again without reading the file. Of flat tables, decoded blocks are kept.

use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use super::tile_cache::{TileCache, slot_of};
use crate::index::Location;
use crate::table::{Table, TableError, Unit};

/// Bytes for what was read unless set.
pub(super) const DEFAULT_BYTES: u64 = 64 << 20;

/// A way of fetching entries from tables.
pub(super) trait Fetch {
    /// The entry of a board's location in a plane of a table; `None` if the table
    /// does not store it.
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError>;
}

/// A unit or a block of a table: its number, then the table's layer and kind. The plane of
/// a tile is part of its key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key(u64);

impl Key {
    fn new(table: &Table, number: u64) -> Key {
        let id = table.id();
        Key(number << 8 | u64::from(id.seeds) << 2 | id.kind as u64)
    }

    /// The key of a plane: of three kinds one has a second plane, which takes the number
    /// that no kind has.
    fn of_plane(self, plane: usize) -> Key {
        let kind = (self.0 + plane as u64) % 4;
        Key(self.0 & !3 | kind)
    }
}

/// The bytes of a block: of tiled tables as they are stored, of flat ones decoded.
type Block = Arc<[u8]>;

#[derive(Clone, Debug)]
struct BlockBytes;

impl Weighter<Key, Block> for BlockBytes {
    fn weight(&self, _: &Key, block: &Block) -> u64 {
        // Roughly what the key and the bookkeeping take.
        const OVERHEAD: u64 = 128;
        block.len() as u64 + OVERHEAD
    }
}

/// What was read last, shared by all threads.
#[derive(Debug)]
pub(super) struct UnitCache {
    tiles: TileCache,
    /// None if nothing is to be kept.
    blocks: Option<Blocks>,
}

/// Blocks of all tables.
struct Blocks(Cache<Key, Block, BlockBytes, RandomState>);

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.weight();
        f.debug_struct("Blocks")
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}

impl UnitCache {
    /// A cache of this size. If there are tiled tables, half of it is for their tiles.
    pub fn new(bytes: u64, has_tiles: bool) -> UnitCache {
        let for_tiles = if has_tiles { bytes / 2 } else { 0 };
        UnitCache {
            tiles: TileCache::new(for_tiles),
            blocks: (bytes > 0).then(|| Blocks::new(bytes - for_tiles)),
        }
    }

    /// The entry of a tiled table.
    #[inline]
    fn tile_entry(
        &self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let Some(blocks) = &self.blocks else {
            return table.entry(plane, location);
        };
        let Some((tile, cell)) = table.locate(location) else {
            return Ok(None);
        };
        let key = Key::new(table, tile);
        if let Some(entry) = self.tiles.get(key.of_plane(plane).0, cell) {
            return Ok(Some(entry));
        }
        let tile = match table.is_in_memory() {
            true => table.unit(tile)?,
            false => blocks.tile(table, tile)?,
        };
        for plane in 0..table.id().kind.planes() {
            self.tiles.add(key.of_plane(plane).0, tile.plane(plane));
        }
        Ok(Some(tile.plane(plane)[cell]))
    }
}

impl Blocks {
    fn new(bytes: u64) -> Blocks {
        /// What a block commonly takes, to estimate how many there will be.
        const COMMON: u64 = 2048;
        let blocks = usize::try_from(bytes / COMMON).unwrap_or(usize::MAX);
        let lifecycle = DefaultLifecycle::default();
        let hasher = RandomState::default();
        Blocks(Cache::with(blocks, bytes, BlockBytes, hasher, lifecycle))
    }

    /// A tile, decoded from its stored block.
    fn tile(&self, table: &Table, tile: u64) -> Result<Unit, TableError> {
        let number = table.block_of(tile);
        let read = || table.stored(number).map(|stored| Arc::from(&*stored));
        let stored = self.0.get_or_insert_with(&Key::new(table, number), read)?;
        table.tile(tile, &stored)
    }

    /// A flat block, decoded.
    fn flat(&self, table: &Table, block: u64, key: Key) -> Result<Block, TableError> {
        let read = || table.unit(block).map(|unit| Arc::from(unit.bytes()));
        self.0.get_or_insert_with(&key, read)
    }
}

/// The entry of a place in a plane of a flat block.
#[inline]
fn entry_of(block: &[u8], table: &Table, plane: usize, place: usize) -> u8 {
    let entries = block.len() / table.id().kind.planes();
    block[plane * entries + place]
}

impl Fetch for &UnitCache {
    #[inline]
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        if table.is_tiled() {
            return self.tile_entry(table, plane, location);
        }
        if let Some(entry) = table.entry_in_place(plane, location)? {
            return Ok(Some(entry));
        }
        let (Some(blocks), Some((block, place))) = (&self.blocks, table.locate(location)) else {
            return table.entry(plane, location);
        };
        let block = blocks.flat(table, block, Key::new(table, block))?;
        Ok(Some(entry_of(&block, table, plane, place)))
    }
}

/// The flat blocks that one thread used last, in front of the shared cache: a hit touches
/// neither locks nor reference counts, as with tiles.
#[derive(Debug)]
pub(super) struct ThreadCache<'t> {
    shared: &'t UnitCache,
    /// None before the first block.
    slots: Vec<Option<(Key, Block)>>,
}

/// Blocks of a thread's cache.
const SLOTS: usize = 4096;
/// Larger blocks are left to the shared cache: with the largest blocks that a table may
/// have, the slots would hold gigabytes.
const LARGEST: usize = 16 << 10;

impl<'t> ThreadCache<'t> {
    pub fn new(shared: &'t UnitCache) -> ThreadCache<'t> {
        ThreadCache {
            shared,
            slots: Vec::new(),
        }
    }

    /// The entry of a flat table that is not read in place.
    fn flat_entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        let shared = self.shared;
        let (Some(blocks), Some((block, place))) = (&shared.blocks, table.locate(location)) else {
            return table.entry(plane, location);
        };
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let key = Key::new(table, block);
        let slot = &mut self.slots[slot_of(key.0, SLOTS as u64)];
        if let Some((cached, block)) = slot
            && *cached == key
        {
            return Ok(Some(entry_of(block, table, plane, place)));
        }
        let block = blocks.flat(table, block, key)?;
        let entry = entry_of(&block, table, plane, place);
        if block.len() <= LARGEST {
            *slot = Some((key, block));
        }
        Ok(Some(entry))
    }
}

impl Fetch for ThreadCache<'_> {
    #[inline]
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        if table.is_tiled() {
            return self.shared.tile_entry(table, plane, location);
        }
        match table.entry_in_place(plane, location)? {
            Some(entry) => Ok(Some(entry)),
            None => self.flat_entry(table, plane, location),
        }
    }
}
