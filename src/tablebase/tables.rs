//! The tablebase: the tables of a ruleset as one object.

use super::budget::Budget;
use super::cache::UnitCache;
use super::layers::{LayerTables, Layers};
use super::resident::ResidentLayers;
use crate::index::LayerIndex;
use crate::rules::{Board, Bounds, MAX_SEEDS, PackedBoard, Quantity, Ruleset};
use crate::table::{Kind, Table, TableError};

/// The tables of a ruleset as one object to probe. Threads can share it.
///
/// A probe needs the value table of the board's layer, and its bounds table where the
/// ruleset has bounds. With codecs that are not exact it also needs those of the layers
/// that conversions lead to.
///
/// The cost of a probe depends on the codec of the tables (`docs/codec.md`, with
/// figures in `docs/measurements.md`). An entry is read from a decoded unit: from a
/// cache of limited size, or by reading and decoding the unit.
/// - With exact tables ([`Codec::is_exact`](crate::table::Codec::is_exact)) a
///   board takes one entry of each table of its layer.
/// - With `packed` tables, conversions are looked at as well.
/// - With `small` tables, all moves are looked at if the mover has less than half of
///   the seeds.
/// - A board that is not indexed, to which no move leads, is always searched through
///   all its moves.
///
/// For many boards in turn, as in a search, a [`Tablebase::prober`] is faster; for many
/// at once there is [`Tablebase::probe_all`]. Layers in memory make both faster
/// (`TablebaseBuilder::table_memory`, with the feature `solve`).
///
/// ```
/// use krou::{Board, Ruleset, Tablebase};
///
/// // The small tables inside the library: up to 9 seeds of awari and abapa.
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// assert_eq!(tables.probe(&board)?.value, 4);
/// let best = tables.moves(&board)?[0];
/// assert_eq!((best.step.pit, best.step.captured), (5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tablebase {
    rules: Ruleset,
    indexes: Vec<LayerIndex>,
    layers: Layers,
    pub(super) cache: UnitCache,
    pub(super) resident: ResidentLayers,
    pub(super) budget: Budget,
}

impl Tablebase {
    pub(super) fn new(rules: Ruleset, layers: Layers, budget: Budget) -> Tablebase {
        Tablebase {
            rules,
            indexes: (0..=MAX_SEEDS).map(|n| LayerIndex::new(rules, n)).collect(),
            resident: ResidentLayers::none(),
            cache: cache_for(&layers, &budget),
            layers,
            budget,
        }
    }

    /// Empties the cache and gives it the size that the budget allows.
    pub(super) fn resize_cache(&mut self) {
        self.cache = cache_for(&self.layers, &self.budget);
    }

    /// Limits the memory for what is kept of the tables' blocks, decoded or as they are
    /// stored; 64 MiB unless set. With 0 nothing is kept, and each probe reads what it
    /// needs.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase {
        self.budget.cache_bytes = Some(bytes);
        self.resize_cache();
        self
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The layers with a value table, ascending.
    pub fn layers(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=MAX_SEEDS).filter(|&seeds| self.table(seeds, Kind::Value).is_some())
    }

    /// The highest layer with a value table, damaged or not.
    pub fn highest_layer(&self) -> Option<u8> {
        let there = |&seeds: &u8| self.has(seeds, Kind::Value);
        (0..=MAX_SEEDS).rev().find(there)
    }

    /// Whether there is a table of this kind, damaged or not.
    pub(super) fn has(&self, seeds: u8, kind: Kind) -> bool {
        let tables = self.tables(seeds);
        tables.of(kind).is_some() || tables.damaged.iter().any(|&(damaged, _)| damaged == kind)
    }

    /// A table of a layer.
    pub fn table(&self, seeds: u8, kind: Kind) -> Option<&Table> {
        self.tables(seeds).of(kind)
    }

    /// Why tables of the folders were skipped: see
    /// [`DamagedTables::Skip`](super::DamagedTables::Skip).
    pub fn damaged_tables(&self) -> impl Iterator<Item = &TableError> + '_ {
        let damaged = self.layers.iter().flat_map(|layer| &layer.damaged);
        damaged.map(|(_, error)| &**error)
    }

    /// The index of a layer, at most [`MAX_SEEDS`] seeds.
    pub(super) fn index(&self, seeds: u8) -> &LayerIndex {
        &self.indexes[usize::from(seeds)]
    }

    /// Whether a layer is in memory: see `make_resident`, which takes the feature `solve`.
    pub fn is_resident(&self, seeds: u8) -> bool {
        self.resident.get(seeds).is_some()
    }

    /// The bounds of a board whose layer is in memory, equal where the ruleset gives
    /// every board one value.
    pub(super) fn resident_bounds(&self, board: &Board) -> Option<Bounds> {
        let seeds = board.seeds();
        let layer = self.resident.get(seeds)?;
        Some(layer.bounds(self.index(seeds).index(board)?))
    }

    /// Starts to fetch the entry of a packed board with this number of seeds, if its layer is
    /// in memory.
    #[cfg(feature = "engine")]
    #[inline]
    pub(crate) fn prefetch_resident(&self, board: PackedBoard, seeds: u8) {
        if let Some(layer) = self.resident.get(seeds)
            && let Some(index) = self.index(seeds).index_of_packed(board)
        {
            layer.prefetch(index);
        }
    }

    /// The bounds of a packed board with this number of seeds, if its layer is in memory.
    #[inline]
    pub(crate) fn resident_bounds_of(&self, board: PackedBoard, seeds: u8) -> Option<Bounds> {
        let layer = self.resident.get(seeds)?;
        Some(layer.bounds(self.index(seeds).index_of_packed(board)?))
    }

    /// A quantity of a packed board with this number of seeds, if what is in memory tells
    /// it.
    #[inline]
    pub(super) fn resident_quantity(
        &self,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
    ) -> Option<i8> {
        let Bounds { lower, upper } = self.resident_bounds_of(board, seeds)?;
        match quantity {
            Quantity::Lower => Some(lower),
            Quantity::Upper => Some(upper),
            // It lies between the bounds; without bounds it stands for both.
            Quantity::Value => (lower == upper).then_some(lower),
        }
    }

    /// The tables of a layer.
    pub(super) fn tables(&self, seeds: u8) -> &LayerTables {
        &self.layers[usize::from(seeds)]
    }

    /// The tables of all layers, by seeds.
    #[cfg(feature = "solve")]
    pub(super) fn all_tables(&self) -> &[LayerTables] {
        &self.layers
    }

    /// The cache that all threads share.
    pub(super) fn cache(&self) -> &UnitCache {
        &self.cache
    }
}

/// A cache for these layers.
fn cache_for(layers: &Layers, budget: &Budget) -> UnitCache {
    let has_tiles = |layer: &LayerTables| {
        let mut tables = Kind::ALL.into_iter().filter_map(|kind| layer.of(kind));
        tables.any(Table::is_tiled)
    };
    UnitCache::new(budget.for_cache(), layers.iter().any(has_tiles))
}

/// Threads may share a tablebase.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Tablebase>();
};
