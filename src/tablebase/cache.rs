//! Caches of decoded units: one that all threads share, and a small one for a thread in
//! front of it.

use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use crate::index::Location;
use crate::table::{Table, TableError, Unit};

/// Bytes for decoded units unless set.
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

/// A unit of a table: its number, then the table's layer and kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key(u64);

impl Key {
    fn new(table: &Table, unit: u64) -> Key {
        let id = table.id();
        Key(unit << 8 | u64::from(id.seeds) << 2 | id.kind as u64)
    }
}

#[derive(Clone, Debug)]
struct UnitBytes;

impl Weighter<Key, Arc<Unit>> for UnitBytes {
    fn weight(&self, _: &Key, unit: &Arc<Unit>) -> u64 {
        // Roughly what the key and the bookkeeping take.
        const OVERHEAD: u64 = 128;
        unit.bytes().len() as u64 + OVERHEAD
    }
}

/// The units decoded last, shared by all threads.
pub(super) struct UnitCache(Cache<Key, Arc<Unit>, UnitBytes, RandomState>);

impl fmt::Debug for UnitCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.weight();
        f.debug_struct("UnitCache")
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}

impl UnitCache {
    pub fn new(bytes: u64) -> UnitCache {
        /// What a unit commonly takes, to estimate how many there will be.
        const COMMON: u64 = 384;
        let units = usize::try_from(bytes / COMMON).unwrap_or(usize::MAX);
        let lifecycle = DefaultLifecycle::default();
        let hasher = RandomState::default();
        UnitCache(Cache::with(units, bytes, UnitBytes, hasher, lifecycle))
    }

    fn unit(&self, table: &Table, unit: u64, key: Key) -> Result<Arc<Unit>, TableError> {
        self.0
            .get_or_insert_with(&key, || table.unit(unit).map(Arc::new))
    }
}

impl Fetch for &UnitCache {
    fn entry(
        &mut self,
        table: &Table,
        plane: usize,
        location: Location,
    ) -> Result<Option<u8>, TableError> {
        if let Some(entry) = table.entry_in_place(plane, location)? {
            return Ok(Some(entry));
        }
        let Some((unit, place)) = table.locate(location) else {
            return Ok(None);
        };
        let unit = self.unit(table, unit, Key::new(table, unit))?;
        Ok(Some(unit.plane(plane)[place]))
    }
}

/// The units that one thread used last, in front of the shared cache: a hit touches
/// neither locks nor reference counts.
#[derive(Debug)]
pub(super) struct ThreadCache<'t> {
    shared: &'t UnitCache,
    slots: Vec<Option<(Key, Arc<Unit>)>>,
}

/// Units of a thread's cache, a power of two: up to half a MiB of tiles.
const SLOTS: usize = 4096;
/// Larger units are left to the shared cache: with the largest blocks that a table may
/// have, the slots would hold gigabytes.
const LARGEST: usize = 16 << 10;

/// The slot of a key among `slots` slots, a power of two.
pub(super) fn slot_of(key: u64, slots: usize) -> usize {
    // Multiplicative hashing by 2^64 divided by the golden ratio: the highest bits of
    // the product depend on all bits of the key.
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> (u64::BITS - slots.ilog2())) as usize
}

impl<'t> ThreadCache<'t> {
    pub fn new(shared: &'t UnitCache) -> ThreadCache<'t> {
        ThreadCache {
            shared,
            slots: vec![None; SLOTS],
        }
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
        if let Some(entry) = table.entry_in_place(plane, location)? {
            return Ok(Some(entry));
        }
        let Some((unit, place)) = table.locate(location) else {
            return Ok(None);
        };
        let key = Key::new(table, unit);
        let slot = &mut self.slots[slot_of(key.0, SLOTS)];
        if let Some((cached, unit)) = slot
            && *cached == key
        {
            return Ok(Some(unit.plane(plane)[place]));
        }
        let unit = self.shared.unit(table, unit, key)?;
        let entry = unit.plane(plane)[place];
        if unit.bytes().len() <= LARGEST {
            *slot = Some((key, unit));
        }
        Ok(Some(entry))
    }
}
