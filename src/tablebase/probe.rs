//! Probing: what a board and each of its moves are worth.

use thiserror::Error;

use super::budget::Budget;
use super::cache::UnitCache;
use super::layers::{LayerTables, Layers};
use super::search::Search;
use crate::index::LayerIndex;
use crate::rules::{Board, Bounds, MAX_SEEDS, Ruleset, Step};
use crate::table::{Kind, Table, TableError};

/// What a board is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ProbeResult {
    /// Net seeds, endless play counting 0; −48 to 48.
    pub value: i8,
    /// Plies to the next conversion, when both keep the value, the winner hurries and
    /// the loser delays; 0 on a terminal position. `None` without a distance table,
    /// and where the value is 0.
    pub distance: Option<u8>,
    /// The value when endless play counts as the worst and as the best for the mover,
    /// under rulesets where it is settled by side.
    pub bounds: Option<Bounds>,
}

impl ProbeResult {
    /// A value with nothing else known.
    #[cfg(feature = "solve")]
    pub(super) fn of_value(value: i8) -> ProbeResult {
        ProbeResult {
            value,
            distance: None,
            bounds: None,
        }
    }
}

/// A legal move with what it is worth to the mover, captures included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RankedMove {
    /// The move.
    pub step: Step,
    /// Its result; `None` if a layer is missing. The distance counts from the board
    /// before the move: 1 for a conversion.
    pub result: Option<ProbeResult>,
}

/// Why a probe fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A table that the probe needs is missing.
    #[error("there is no {kind} table for {rules} with {seeds} seeds")]
    #[non_exhaustive]
    Missing {
        /// The ruleset.
        rules: Ruleset,
        /// The layer.
        seeds: u8,
        /// The kind of table.
        kind: Kind,
    },
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
}

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
/// at once there is [`Tablebase::probe_all`].
///
/// ```
/// use krou::{Board, Ruleset, Tablebase};
///
/// // The small tables inside the library: up to 9 seeds of awari.
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
    pub(super) budget: Budget,
}

impl Tablebase {
    pub(super) fn new(rules: Ruleset, layers: Layers, budget: Budget) -> Tablebase {
        Tablebase {
            rules,
            indexes: (0..=MAX_SEEDS).map(|n| LayerIndex::new(rules, n)).collect(),
            layers,
            cache: UnitCache::new(budget.for_cache()),
            budget,
        }
    }

    /// Limits the memory for decoded units; 64 MiB unless set.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase {
        self.budget.cache_bytes = Some(bytes);
        self.cache = UnitCache::new(self.budget.for_cache());
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

    /// A table of a layer.
    pub fn table(&self, seeds: u8, kind: Kind) -> Option<&Table> {
        self.tables(seeds).of(kind)
    }

    /// The index of a layer, at most [`MAX_SEEDS`] seeds.
    pub(super) fn index(&self, seeds: u8) -> &LayerIndex {
        &self.indexes[usize::from(seeds)]
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

    /// What a board is worth.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, ProbeError> {
        self.search().probe(board)
    }

    /// The legal moves of a board with what each is worth, best first: by value; among
    /// equals the shortest way to a win, the longest to a loss. Moves without a result
    /// come last. It costs a probe for each move.
    ///
    /// # Errors
    /// If a table is damaged. A missing table is not an error here.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.search().moves(board)
    }

    fn search(&self) -> Search<'_, &UnitCache> {
        Search::new(self, &self.cache)
    }

    /// The cache that all threads share.
    pub(super) fn cache(&self) -> &UnitCache {
        &self.cache
    }
}

/// Threads may share a tablebase and take probers with them.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Tablebase>();
    assert_send_sync::<super::Prober<'static>>();
};
