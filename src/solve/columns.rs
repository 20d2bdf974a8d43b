//! Column maps: what a sowing does to all rows of the opponent at once.
//!
//! Columns are the opponent's rows B in lexicographic order. A map says where
//! each leads, as runs of columns that move together: sowing keeps the order,
//! so runs are long.

use crate::index::row;
use crate::rules::{GrandSlam, OwareRules, ROW};

/// Columns `from..from + len` lead to entries `to..to + len` of the child's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

/// A run whose seeds `captured` are the same number in every column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CaptureRun {
    pub run: Run,
    pub captured: u8,
}

/// What one kind of sowing does to each row B of so many seeds. A column that
/// is in none of the lists is an illegal move there.
#[derive(Clone, Default, Debug)]
pub(super) struct ColumnMap {
    /// Nothing is taken: the child is in the same layer.
    pub quiet: Vec<Run>,
    /// So many seeds are taken: the child is in a lower layer.
    pub captures: Vec<CaptureRun>,
    /// A grand slam ends the game and takes every seed (`to` means nothing).
    pub takes_all: Vec<Run>,
}

/// What `crossed` seeds do to rows of `seeds` seeds, the last of them falling
/// there or not.
pub(super) fn oware_column_map(
    rules: OwareRules,
    seeds: u8,
    crossed: u8,
    last_crossed: bool,
) -> ColumnMap {
    let mut map = ColumnMap::default();
    // The last seed falls into the own row only after whole laps through this one.
    let occurs = match last_crossed {
        true => crossed > 0,
        false => crossed.is_multiple_of(ROW as u8),
    };
    if !occurs {
        return map;
    }
    for (column, b) in (0..).zip(row::rows(seeds)) {
        let mut after = b;
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
            // A quiet move that leaves no seeds is illegal, or is worth so
            // little under `Feeding::Penalty` that it never matters.
            (0, true, _) | (_, true, GrandSlam::Forced | GrandSlam::Illegal) => {}
            (0, false, _) => extend(&mut map.quiet, column, row::rank(&after)),
            (_, true, GrandSlam::CapturesNothing) => {
                extend(&mut map.quiet, column, row::rank(&sown));
            }
            (_, true, GrandSlam::TakesAll) => extend(&mut map.takes_all, column, column),
            (_, false, _) => {
                let to = row::rank(&after);
                match map.captures.last_mut() {
                    Some(last) if last.captured == captured && continues(&last.run, column, to) => {
                        last.run.len += 1;
                    }
                    _ => map.captures.push(CaptureRun {
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
    map
}

impl ColumnMap {
    /// Bytes of memory that the map takes.
    pub fn bytes(&self) -> usize {
        let runs = self.quiet.capacity() + self.takes_all.capacity();
        size_of::<ColumnMap>()
            + runs * size_of::<Run>()
            + self.captures.capacity() * size_of::<CaptureRun>()
    }
}

fn continues(run: &Run, from: u32, to: u32) -> bool {
    run.from + run.len == from && run.to + run.len == to
}

fn extend(runs: &mut Vec<Run>, from: u32, to: u32) {
    match runs.last_mut() {
        Some(last) if continues(last, from, to) => last.len += 1,
        _ => runs.push(Run { from, to, len: 1 }),
    }
}

/// What a quiet move of the store family leads to: map 0 is for all rows, map
/// `1 + p` for those with nothing opposite pit `p`.
pub(super) fn store_column_map(seeds: u8, map: usize) -> ColumnMap {
    let mut quiet = Vec::new();
    // Against an empty row any quiet move ends the game.
    for (column, b) in (0..).zip(row::rows(seeds)).filter(|_| seeds > 0) {
        if map == 0 || b[ROW - map] == 0 {
            extend(&mut quiet, column, column);
        }
    }
    ColumnMap {
        quiet,
        ..ColumnMap::default()
    }
}
