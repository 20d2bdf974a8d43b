//! Column maps: the effect of a sowing on all rows of the opponent at once.
//!
//! Columns are the opponent's rows B in lexicographic order. A map says where each
//! leads, as runs of columns that move together. Sowing keeps the order, so runs are
//! long.

use super::runs::{Run, Runs};
use crate::index::row;
use crate::rules::{GrandSlam, OwareRules, ROW, Row};

/// A run whose seeds `captured` are the same number in every column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) struct CaptureRun {
    pub run: Run,
    pub captured: u8,
}

/// What one kind of sowing does to every row B with some number of seeds. A column
/// in none of the lists has no legal move of this kind, or one that only the plain
/// rules know (see `conversions.rs`).
#[derive(Clone, Default, Debug)]
pub(in crate::solve) struct ColumnMap {
    /// Nothing is captured: the child is in the same layer.
    pub quiet: Runs,
    /// Seeds are captured: the child is in a lower layer.
    pub captures: Box<[CaptureRun]>,
    /// A grand slam ends the game and takes every seed (`to` is not used).
    pub takes_all: Box<[Run]>,
}

/// What a sowing does to one row B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowOutcome {
    /// Nothing is captured; B becomes this row.
    Quiet(Row),
    /// So many seeds are captured; B becomes this row.
    Captures(Row, u8),
    /// A grand slam ends the game and takes every seed.
    TakesAll,
}

/// What `crossed` seeds do to row `b`. The last seed falls into that row or, after
/// whole laps, into the mover's own. `None` if the move is illegal or only the plain
/// rules know it: see [`ColumnMap`].
pub(super) fn oware_outcome(
    rules: OwareRules,
    b: &Row,
    crossed: u8,
    last_crossed: bool,
) -> Option<RowOutcome> {
    let mut after = *b;
    for seed in 0..usize::from(crossed) {
        after[seed % ROW] += 1;
    }
    let sown = after;
    let mut captured = 0;
    if last_crossed {
        for pit in (0..=usize::from(crossed - 1) % ROW).rev() {
            if !matches!(after[pit], 2 | 3) {
                break;
            }
            captured += std::mem::take(&mut after[pit]);
        }
    }
    let empty = after == [0; ROW];
    match (captured, empty, rules.grand_slam) {
        // A quiet move that leaves no seeds is illegal. Under `Feeding::Penalty` it is
        // legal and worth −n, the least there is, and another move is legal beside it.
        (0, true, _) | (_, true, GrandSlam::Forced | GrandSlam::Illegal) => None,
        (0, false, _) => Some(RowOutcome::Quiet(after)),
        (_, true, GrandSlam::CapturesNothing) => Some(RowOutcome::Quiet(sown)),
        (_, true, GrandSlam::TakesAll) => Some(RowOutcome::TakesAll),
        (_, false, _) => Some(RowOutcome::Captures(after, captured)),
    }
}

/// What `crossed` seeds do to every row of `seeds` seeds.
pub(super) fn oware_column_map(
    rules: OwareRules,
    seeds: u8,
    crossed: u8,
    last_crossed: bool,
) -> ColumnMap {
    let (mut quiet, mut captures, mut takes_all) = (Vec::new(), Vec::new(), Vec::new());
    // The last seed ends in the mover's row only after whole laps through this one.
    let occurs = match last_crossed {
        true => crossed > 0,
        false => crossed.is_multiple_of(ROW as u8),
    };
    if !occurs {
        return ColumnMap::default();
    }
    for (column, b) in (0..).zip(row::rows(seeds)) {
        match oware_outcome(rules, &b, crossed, last_crossed) {
            None => {}
            Some(RowOutcome::Quiet(after)) => Run::extend(&mut quiet, column, row::rank(&after)),
            Some(RowOutcome::TakesAll) => Run::extend(&mut takes_all, column, column),
            Some(RowOutcome::Captures(after, captured)) => {
                let to = row::rank(&after);
                match captures.last_mut() {
                    Some(CaptureRun {
                        run,
                        captured: last,
                    }) if *last == captured && run.continues(column, to) => {
                        run.len += 1;
                    }
                    _ => captures.push(CaptureRun {
                        run: Run {
                            from: column,
                            to,
                            len: 1,
                        },
                        captured,
                    }),
                }
            }
        }
    }
    ColumnMap {
        quiet: Runs::new(quiet),
        captures: captures.into(),
        takes_all: takes_all.into(),
    }
}

impl ColumnMap {
    /// Bytes of memory that the map takes.
    pub fn bytes(&self) -> usize {
        size_of::<ColumnMap>()
            + self.quiet.bytes()
            + size_of_val(&*self.takes_all)
            + size_of_val(&*self.captures)
    }
}

/// Whether quiet moves of the store family under a map are quiet against row `b`.
pub(super) fn store_is_quiet(b: &Row, map: usize) -> bool {
    // Against an empty row every move ends the game.
    *b != [0; ROW] && (map == 0 || b[ROW - map] == 0)
}

/// Where quiet moves of the store family lead: map 0 is for all rows, map `1 + p`
/// for those with nothing opposite pit `p`.
pub(super) fn store_column_map(seeds: u8, map: usize) -> ColumnMap {
    let mut quiet = Vec::new();
    for (column, b) in (0..).zip(row::rows(seeds)) {
        if store_is_quiet(&b, map) {
            Run::extend(&mut quiet, column, column);
        }
    }
    ColumnMap {
        quiet: Runs::new(quiet),
        ..ColumnMap::default()
    }
}
