//! The tablebase: the tables of a ruleset as one object.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::cache::{DEFAULT_BYTES, TileCache};
use super::layers::{LayerSet, LayerTables};
use super::resident::ResidentLayers;
use super::result::{MissingTable, ProbeError};
use crate::index::LayerIndex;
use crate::rules::{Board, Bounds, MAX_SEEDS, PackedBoard, Quantity, Ruleset};
use crate::table::{Kind, Table, TableError};

/// The tables of a ruleset as one object to probe. Threads can share it, and a clone costs
/// next to nothing: it has a share of the same tables, cache and layers in memory.
///
/// A probe needs the value table of the board's layer, and its bounds table where the
/// ruleset has bounds. With codecs that are not exact it also needs those of the layers
/// that conversions lead to.
///
/// The cost of a probe depends on the codec of the tables (`docs/internals/codec.md`, with
/// figures in `docs/internals/measurements.md`). An entry is read from a decoded tile: from a
/// cache of limited size, or by reading and decoding the tile.
/// - With exact tables ([`Codec::is_exact`](crate::table::Codec::is_exact)) a
///   board takes one entry of each table of its layer.
/// - With `packed` tables, conversions are looked at as well.
/// - With `small` tables, all moves are looked at if the mover has less than half of
///   the seeds.
/// - A board that is not indexed, to which no move leads, is always searched through
///   all its moves.
///
/// For many boards at once there are [`Tablebase::probe_all`] and
/// [`Tablebase::probe_values`]. Layers in memory make all probes faster
/// ([`TablebaseBuilder::table_memory`](super::TablebaseBuilder::table_memory)).
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
#[derive(Clone, Debug)]
pub struct Tablebase {
    rules: Ruleset,
    indexes: Arc<[LayerIndex]>,
    pub(super) layers: Arc<[LayerTables]>,
    pub(super) cache: Arc<TileCache>,
    pub(super) resident: Arc<ResidentLayers>,
    /// Why hosts send no index.
    silent_hosts: Arc<[TableError]>,
    /// What ends a probe while it waits for a host.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// Ends what is fetched ahead.
    pub(super) ahead: Arc<Mutex<Arc<AtomicBool>>>,
    /// The limit for reading whole layers, and the folder for what does not fit.
    pub(super) layer_limit: Option<(u64, Arc<Path>)>,
}

impl Tablebase {
    pub(super) fn new(rules: Ruleset, layers: Vec<LayerTables>) -> Tablebase {
        Tablebase {
            rules,
            indexes: (0..=MAX_SEEDS).map(|n| LayerIndex::new(rules, n)).collect(),
            resident: Arc::new(ResidentLayers::none()),
            cache: Arc::new(TileCache::new(DEFAULT_BYTES)),
            silent_hosts: Arc::new([]),
            stop: None,
            ahead: Arc::default(),
            layers: layers.into(),
            layer_limit: None,
        }
    }

    pub(super) fn with_silent_hosts(self, errors: Vec<TableError>) -> Tablebase {
        Tablebase {
            silent_hosts: errors.into(),
            ..self
        }
    }

    /// Limits the memory for the cache of decoded tiles and stored blocks; 64 MiB unless
    /// set. With 0 nothing is kept, and each probe reads what it needs; a limit beyond the
    /// size of the tables is no limit. Clones that exist already keep theirs.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase {
        self.cache = Arc::new(TileCache::new(bytes));
        self
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The layers with a value table.
    pub fn layers(&self) -> LayerSet {
        LayerSet::of(|seeds| self.has_layer(seeds))
    }

    /// Whether there is a value table of the board's layer. A probe of the board can still
    /// fail: tables that are not exact also need those of the layers below.
    pub fn contains(&self, board: &Board) -> bool {
        self.has_layer(board.seeds())
    }

    fn has_layer(&self, seeds: u8) -> bool {
        self.table(seeds, Kind::Value).is_some()
    }

    /// The highest layer with a value table, damaged or not.
    pub fn highest_layer(&self) -> Option<u8> {
        let there = |&seeds: &u8| self.tables(seeds).has(Kind::Value);
        (0..=MAX_SEEDS).rev().find(there)
    }

    /// A table of a layer.
    pub fn table(&self, seeds: u8, kind: Kind) -> Option<&Table> {
        self.tables(seeds).of(kind)
    }

    /// Why tables of the folders could not be opened, an error for each file, and why hosts beside
    /// them send no index. Such tables count as missing, but a probe that needs one of a folder
    /// fails with [`ProbeError::Damaged`] and says so.
    pub fn damaged_tables(&self) -> impl Iterator<Item = &TableError> + '_ {
        let damaged = self.layers.iter().flat_map(|layer| &layer.damaged);
        let damaged = damaged.map(|(_, error)| &**error);
        damaged.chain(self.silent_hosts.iter())
    }

    /// Files of earlier versions of krou under the names of tables, an error for each. They hold
    /// the tables of `open`, and count as missing.
    pub fn old_tables(&self) -> impl Iterator<Item = &TableError> + '_ {
        let old = self.layers.iter().flat_map(|layer| &layer.old);
        old.map(|error| &**error)
    }

    /// Whether both are clones of one tablebase, perhaps with other limits of memory.
    #[doc(hidden)]
    pub fn is_clone_of(&self, other: &Tablebase) -> bool {
        Arc::ptr_eq(&self.layers, &other.layers)
    }

    /// The index of a layer, at most [`MAX_SEEDS`] seeds.
    pub(super) fn index(&self, seeds: u8) -> &LayerIndex {
        &self.indexes[usize::from(seeds)]
    }

    /// Whether a layer is in memory: see [`Tablebase::make_resident`].
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
        let Some(layer) = self.resident.get(seeds) else {
            return;
        };
        if let Some(index) = self.index(seeds).index_of_packed(board) {
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

    /// The error of a probe that needs a table which is not open.
    pub(super) fn lacks(&self, seeds: u8, kind: Kind) -> ProbeError {
        let mut damaged = self.tables(seeds).damaged.iter();
        match damaged.find(|&&(damaged, _)| damaged == kind) {
            Some((_, error)) => ProbeError::Damaged {
                seeds,
                error: Arc::clone(error),
            },
            None => ProbeError::Missing(MissingTable {
                rules: self.rules,
                seeds,
                kind,
            }),
        }
    }

    /// Whether a table of a layer is on another machine.
    pub(crate) fn is_remote(&self, seeds: u8) -> bool {
        let mut kinds = Kind::ALL.iter();
        kinds.any(|&kind| self.table(seeds, kind).is_some_and(Table::is_remote))
    }

    /// The tables of a layer.
    pub(super) fn tables(&self, seeds: u8) -> &LayerTables {
        &self.layers[usize::from(seeds)]
    }
}

/// Threads may share a tablebase.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Tablebase>();
};
