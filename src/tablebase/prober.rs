//! Probers: probing from one thread, with a cache of its own.

use super::cache::ThreadCache;
use super::result::{ProbeError, ProbeResult, RankedMove};
use super::search::Search;
use super::tables::Tablebase;
use super::tile_cache::slot_of;
use crate::rules::{Board, Bounds, PackedBoard, Quantity};
use crate::table::TableError;

/// Probes a tablebase from one thread, as an engine's search does. It keeps the results
/// that it found last in front of the cache that all threads share; its
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
    values: ResultCache,
    /// Where boards have bounds besides their value.
    bounds: Option<ResultCache>,
}

/// The values or bounds found last: a search often probes the same board again.
#[derive(Debug)]
struct ResultCache(Vec<u64>);

impl ResultCache {
    /// Results kept: 64 KiB.
    const SLOTS: usize = 1 << 13;

    fn new() -> ResultCache {
        ResultCache(vec![u64::MAX; ResultCache::SLOTS])
    }

    /// The slot of a board, and the key that stands above the bounds in the slot if they
    /// are this board's. The board is given by its layer and its index, which is
    /// below 2^40.
    fn slot(&mut self, seeds: u8, index: u64) -> (&mut u64, u64) {
        let key = index << 6 | u64::from(seeds);
        (&mut self.0[slot_of(key, ResultCache::SLOTS as u64)], key)
    }

    /// The bounds of a board, equal for a value: those in the cache, or else those found.
    fn bounds(
        &mut self,
        seeds: u8,
        index: u64,
        find: impl FnOnce() -> Result<Bounds, ProbeError>,
    ) -> Result<Bounds, ProbeError> {
        let (slot, key) = self.slot(seeds, index);
        if *slot >> 16 == key {
            let [lower, upper, ..] = slot.to_le_bytes().map(u8::cast_signed);
            return Ok(Bounds { lower, upper });
        }
        let bounds = find()?;
        let [lower, upper] = [bounds.lower, bounds.upper].map(i8::cast_unsigned);
        *slot = key << 16 | u64::from(upper) << 8 | u64::from(lower);
        Ok(bounds)
    }
}

impl Tablebase {
    /// A prober for one thread. It takes about 64 KiB, or 128 KiB where the ruleset has
    /// bounds; up to 16 MiB more with `raw` tables that are not mapped, up to 64 MiB more
    /// with `zstd` ones.
    pub fn prober(&self) -> Prober<'_> {
        Prober {
            tables: self,
            search: Search::new(self, ThreadCache::new(self.cache())),
            values: ResultCache::new(),
            bounds: self.rules().has_bounds().then(ResultCache::new),
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
        let (packed, seeds) = (PackedBoard::of(board), board.seeds());
        if let Some(value) = self
            .tables
            .resident_quantity(packed, seeds, Quantity::Value)
        {
            return Ok(value);
        }
        let Some(index) = self.tables.index(seeds).index_of_packed(packed) else {
            return self.search.value(board);
        };
        let find = || self.search.value(board).map(Bounds::of_value);
        Ok(self.values.bounds(seeds, index, find)?.lower)
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
        let Some(bounds) = &mut self.bounds else {
            return self.value(board).map(Bounds::of_value);
        };
        let seeds = board.seeds();
        let mut find = || self.search.bounds(board);
        match self
            .tables
            .index(seeds)
            .index_of_packed(PackedBoard::of(board))
        {
            Some(index) => bounds.bounds(seeds, index, find),
            None => find(),
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
