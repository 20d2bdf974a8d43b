//! Probing: what a board and each of its moves are worth.

use thiserror::Error;

use super::cache::UnitCache;
use super::layers::{LayerTables, Layers};
use super::memory::Budget;
use super::resolve::Resolver;
use crate::index::LayerIndex;
use crate::rules::{Board, MAX_SEEDS, Ruleset, Step};
use crate::table::{Kind, Table, TableError};

/// What a board is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProbeResult {
    /// Net seeds, endless play counting 0; −48 to 48.
    pub value: i8,
    /// Plies to the next capture or the end, when both keep the value, the
    /// winner hurries and the loser delays; 0 where the game is over already.
    /// `None` without a distance table, and where the value is 0.
    pub distance: Option<u8>,
    /// The value when endless play counts as the worst and as the best for the
    /// mover, under rulesets where it is settled by side.
    pub bounds: Option<(i8, i8)>,
}

impl ProbeResult {
    /// A value of which nothing else is known.
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
pub struct RankedMove {
    /// The move.
    pub step: Step,
    /// Its worth; `None` if a layer is missing. The distance counts from the
    /// board before the move: 1 for a capture or an ending.
    pub result: Option<ProbeResult>,
}

/// Why a probe has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A layer is not at hand.
    #[error(
        "there is no table for {rules} with {seeds} seeds: build it with 'krou build --rules {rules} --seeds {seeds}'"
    )]
    Missing {
        /// The ruleset asked about.
        rules: Ruleset,
        /// The layer that is missing.
        seeds: u8,
    },
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of a ruleset, ready to be asked. It can be shared by threads.
///
/// What a probe costs depends on the codec of the tables (`docs/codec.md`, with
/// figures in `docs/measurements.md`). An entry is read from a decoded piece:
/// that is a look-up in a cache of bounded size, or reading and decoding one.
/// - With exact tables ([`Codec::is_exact`](crate::table::Codec::is_exact)) a
///   board takes one entry of each table of its layer.
/// - With `packed` tables, moves that leave the layer are looked at besides.
/// - With `small` tables, so are all moves of a board whose mover has less than
///   half of the seeds.
/// - A board that is not in the index, to which no move leads, is answered from
///   all its moves with any tables.
///
/// Where many boards are asked for in turn, as in a search, a
/// [`Tablebase::prober`] is faster; for many at once there is
/// [`Tablebase::probe_all`].
///
/// ```
/// use krou::rules::{Board, Ruleset};
/// use krou::tablebase::Tablebase;
///
/// // The small tables inside the library: up to 9 seeds of awari.
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// assert_eq!(tables.probe(&board)?.value, 4);
/// let best = tables.moves(&board)?[0];
/// assert_eq!((best.step.pit, best.step.captured), (5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// A table of a layer, if it is at hand.
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
    pub(super) fn all_tables(&self) -> &[LayerTables] {
        &self.layers
    }

    /// What a board is worth.
    ///
    /// # Errors
    /// If the board's layer is missing, or one that a move leads to and that the
    /// answer needs, or a table is damaged.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, ProbeError> {
        self.resolver().worth(board)
    }

    /// The legal moves of a board with what each is worth, best first: by
    /// value; among equals the shortest way to a win, the longest to a loss.
    /// Moves whose worth is not known come last. It costs a probe for each move.
    ///
    /// # Errors
    /// If a table is damaged. A missing layer is no error here.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        self.resolver().moves(board)
    }

    fn resolver(&self) -> Resolver<'_, &UnitCache> {
        Resolver::new(self, &self.cache)
    }

    /// The cache that all threads share.
    pub(super) fn cache(&self) -> &UnitCache {
        &self.cache
    }
}
