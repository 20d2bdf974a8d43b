//! Probers: probing from one thread, with a cache of its own.

use super::cache::{ThreadCache, slot_of};
use super::result::{ProbeError, ProbeResult, RankedMove};
use super::search::Search;
use super::tables::Tablebase;
use crate::rules::{Board, Bounds};
use crate::table::TableError;

/// Probes a tablebase from one thread, as an engine's search does. It keeps the units
/// and values that it used last in front of the cache that all threads share; its
/// results are those of the [`Tablebase`]. Each thread makes its own prober.
///
/// ```
/// use krou::{Ruleset, Tablebase};
///
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let mut prober = tables.prober();
/// assert_eq!(prober.value(&"0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?)?, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Prober<'t> {
    tables: &'t Tablebase,
    search: Search<'t, ThreadCache<'t>>,
    values: ValueCache,
}

/// The values found last: a search often probes the same board again.
#[derive(Debug)]
struct ValueCache(Vec<u64>);

impl ValueCache {
    /// Values kept, a power of two: 64 KiB.
    const SLOTS: usize = 1 << 13;

    fn new() -> ValueCache {
        ValueCache(vec![u64::MAX; ValueCache::SLOTS])
    }

    /// The slot of a board, and the key that stands above the value in the slot if the
    /// value is this board's. The board is given by its layer and its index, which is
    /// below 2^40.
    fn slot(&mut self, seeds: u8, index: u64) -> (&mut u64, u64) {
        let key = index << 6 | u64::from(seeds);
        (&mut self.0[slot_of(key, ValueCache::SLOTS)], key)
    }
}

impl Tablebase {
    /// A prober for one thread. It takes about 1 MiB with `packed` and `small` tables;
    /// more where units are larger: up to 16 MiB with `raw` tables that are not
    /// mapped, up to 64 MiB with `zstd` ones.
    pub fn prober(&self) -> Prober<'_> {
        Prober {
            tables: self,
            search: Search::new(self, ThreadCache::new(self.cache())),
            values: ValueCache::new(),
        }
    }
}

impl Prober<'_> {
    /// The value of a board alone: as [`Tablebase::probe`], without distance and
    /// bounds.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn value(&mut self, board: &Board) -> Result<i8, ProbeError> {
        let seeds = board.seeds();
        let Some(index) = self.tables.index(seeds).index(board) else {
            return self.search.value(board);
        };
        let (slot, key) = self.values.slot(seeds, index);
        if *slot >> 8 == key {
            return Ok((*slot as u8).cast_signed());
        }
        let value = self.search.value(board)?;
        *slot = key << 8 | u64::from(value.cast_unsigned());
        Ok(value)
    }

    /// The bounds of a board alone, which are equal where the ruleset gives every board
    /// one value: what an engine's search asks for.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn bounds(&mut self, board: &Board) -> Result<Bounds, ProbeError> {
        if let Some(bounds) = self.tables.resident_bounds(board) {
            return Ok(bounds);
        }
        match self.tables.rules().has_bounds() {
            true => self.search.bounds(board),
            false => self.value(board).map(Bounds::of_value),
        }
    }

    /// As [`Tablebase::probe`].
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn probe(&mut self, board: &Board) -> Result<ProbeResult, ProbeError> {
        self.search.probe(board)
    }

    /// As [`Tablebase::moves`].
    ///
    /// # Errors
    /// As [`Tablebase::moves`].
    pub fn moves(&mut self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.search.moves(board)
    }
}

/// Threads may take probers with them.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Prober<'static>>();
};
