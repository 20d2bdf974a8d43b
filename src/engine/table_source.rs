//! Values of boards, as games and searches ask for them.
//!
//! The trait separates them from the tablebase: a search runs without tables, and a
//! test can answer with a solver of a few lines.

use super::table_errors::TableErrors;
use crate::rules::{Board, Bounds, PackedBoard};
use crate::tablebase::{LayerSet, Tablebase};

/// A source of exact values under one ruleset, such as a tablebase.
pub(super) trait TableSource {
    /// The value of the board in net seeds for the mover; `None` if it is not known.
    ///
    /// It never exceeds the number of seeds on the board, in either direction.
    fn value(&mut self, board: &Board) -> Option<i8>;

    /// The bounds of the board's value. Where the ruleset gives every board one value,
    /// both are that value. A source for a ruleset that settles
    /// endless play by side must implement this method.
    fn bounds(&mut self, board: &Board) -> Option<Bounds> {
        self.value(board).map(Bounds::of_value)
    }

    /// Whether a search should ask for the boards with `seeds` seeds that it still
    /// searches to `depth` plies: `false` if it knows none of them or if the answer
    /// would cost more than it saves.
    fn is_worth_probing(&self, seeds: u8, depth: u8) -> bool {
        let _ = (seeds, depth);
        true
    }
}

/// A source of a search, which may have layers in memory.
pub(super) trait SearchSource: TableSource {
    /// Whether the layer of boards with `seeds` seeds is in memory.
    fn is_in_memory(&self, seeds: u8) -> bool {
        let _ = seeds;
        false
    }

    /// Starts to fetch the bounds of a board with `seeds` seeds, if they are in memory.
    fn prefetch(&self, board: PackedBoard, seeds: u8) {
        let _ = (board, seeds);
    }

    /// As [`TableSource::bounds`], if they are in memory.
    fn bounds_in_memory(&self, board: PackedBoard, seeds: u8) -> Option<Bounds> {
        let _ = (board, seeds);
        None
    }
}

/// The source that knows no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NoTables;

impl TableSource for NoTables {
    fn value(&mut self, _: &Board) -> Option<i8> {
        None
    }

    fn is_worth_probing(&self, _: u8, _: u8) -> bool {
        false
    }
}

impl SearchSource for NoTables {}

/// A tablebase as a search asks it. Errors are logged. Layers on another machine are not for
/// searches, nor are those above them, which may need them.
pub(super) struct ProberSource<'t> {
    tables: &'t Tablebase,
    errors: &'t TableErrors,
    /// Which layers have tables: there is no need to probe the others.
    layers: LayerSet,
    highest_layer: u8,
}

impl<'t> ProberSource<'t> {
    pub fn new(tables: &'t Tablebase, errors: &'t TableErrors) -> ProberSource<'t> {
        let all = tables.layers();
        let remote = all.iter().find(|&seeds| tables.is_remote(seeds));
        let is_local = |seeds| remote.is_none_or(|remote| seeds < remote);
        let layers = LayerSet::of(|seeds| all.contains(seeds) && is_local(seeds));
        ProberSource {
            tables,
            errors,
            layers,
            highest_layer: layers.highest().unwrap_or(0),
        }
    }

    fn has_layer(&self, seeds: u8) -> bool {
        self.layers.contains(seeds)
    }
}

/// The same answers as those of the tablebase.
impl TableSource for ProberSource<'_> {
    fn value(&mut self, board: &Board) -> Option<i8> {
        match self.has_layer(board.seeds()) {
            true => self.errors.log(self.tables.value(board)),
            false => None,
        }
    }

    fn bounds(&mut self, board: &Board) -> Option<Bounds> {
        match self.has_layer(board.seeds()) {
            true => self.errors.log(self.tables.bounds(board)),
            false => None,
        }
    }

    fn is_worth_probing(&self, seeds: u8, depth: u8) -> bool {
        depth >= MIN_DEPTH && self.has_layer(seeds)
    }
}

impl SearchSource for ProberSource<'_> {
    fn is_in_memory(&self, seeds: u8) -> bool {
        self.tables.is_resident(seeds)
    }

    #[inline]
    fn prefetch(&self, board: PackedBoard, seeds: u8) {
        if seeds <= self.highest_layer {
            self.tables.prefetch_resident(board, seeds);
        }
    }

    #[inline]
    fn bounds_in_memory(&self, board: PackedBoard, seeds: u8) -> Option<Bounds> {
        if seeds > self.highest_layer {
            return None;
        }
        self.tables.resident_bounds_of(board, seeds)
    }
}

/// Depth of a search in plies from which on it costs more than probing a table that is
/// not in memory.
const MIN_DEPTH: u8 = 3;
