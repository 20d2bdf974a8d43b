//! Compiled moves: everything about moves that does not depend on the layer.
//!
//! Write a board as (A, B): the mover's row A and the opponent's row B. Playing pit
//! `i` turns A into A' and sends `x` seeds across. What they do in the opponent's row
//! depends on B, on `x` and on whether the last seed fell there, but not on A. The
//! child, seen by the opponent, is entry B' of line A'. So for one A and one pit, all
//! boards (A, B) read the *same line*, through a map of columns that is shared by
//! every A.
//!
//! - [`RowMove`]: for each A and pit, the line A' and which map applies.
//! - [`ColumnMap`]: the map, as runs of columns that move together (`column_map`).
//! - [`Predecessors`]: the same moves backwards, from a child to its parents.
//!
//! Moves are compiled once for a whole solve. The rules that are compiled here are
//! defined in `rules/oware.rs` and `rules/stores.rs`; `tests` holds every compiled
//! move to them.

mod column_map;
mod predecessors;
mod row_moves;
mod runs;
mod store_sowing;
#[cfg(test)]
mod tests;

pub(super) use self::column_map::ColumnMap;
use self::column_map::{oware_column_map, store_column_map};
pub(super) use self::predecessors::{Predecessor, Predecessors};
pub(super) use self::row_moves::{RowMove, RowMoves};
pub(super) use self::runs::{Run, overlapping, reached};
use self::store_sowing::store_row_move;
pub(super) use self::store_sowing::{StoreCapture, StoreCrossing, StoreSowing};
use crate::index::{OpponentRows, row};
use crate::rules::{ROW, Row, Ruleset, StoreGame};

/// In place of a line, for a row that has none.
const NO_LINE: u32 = u32::MAX;

/// The compiled moves of a ruleset for all layers up to some number of seeds.
#[derive(Debug)]
pub(super) struct CompiledMoves {
    pub rules: Ruleset,
    /// By seeds in A, then by the rank of A.
    rows: Vec<Box<[RowMoves]>>,
    /// By seeds in B, then by map number.
    maps: Vec<Vec<ColumnMap>>,
    /// By seeds in B: the rank among all rows of each line.
    columns: Vec<Box<[u32]>>,
    /// By seeds in B: the line of each rank, `NO_LINE` where there is none.
    lines: Vec<Box<[u32]>>,
}

impl CompiledMoves {
    /// The moves of no layer yet.
    pub fn new(rules: Ruleset) -> CompiledMoves {
        CompiledMoves {
            rules,
            rows: Vec::new(),
            maps: Vec::new(),
            columns: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Compiles the moves that the layers up to `seeds` seeds need and that are missing.
    pub fn extend_to(&mut self, seeds: u8) {
        let lines = OpponentRows::of(self.rules);
        for k in self.rows.len() as u8..=seeds {
            self.rows.push(
                row::rows(k)
                    .map(|a| match self.rules {
                        Ruleset::Oware(_) => oware_row_moves(k, &a),
                        Ruleset::Stores(game) => store_row_moves(k, game, &a),
                    })
                    .collect(),
            );
            let lines: Box<[u32]> = row::rows(k)
                .map(|b| lines.line(&b).unwrap_or(NO_LINE))
                .collect();
            let columns = (0..).zip(&lines).filter(|(_, line)| **line != NO_LINE);
            self.columns
                .push(columns.map(|(column, _)| column).collect());
            self.lines.push(lines);
            self.maps.push(Vec::new());
        }
        // B may have any number of seeds, and x at most those that are left for A.
        for (k, maps) in (0..).zip(&mut self.maps) {
            match self.rules {
                Ruleset::Oware(rules) => {
                    let needed = oware_map(seeds.saturating_sub(k), true) + 1;
                    for map in maps.len() as u8..needed {
                        maps.push(oware_column_map(rules, k, map / 2, map % 2 == 1));
                    }
                }
                Ruleset::Stores(_) => {
                    if maps.is_empty() {
                        *maps = (0..=ROW).map(|map| store_column_map(k, map)).collect();
                    }
                }
            }
        }
    }

    /// Bytes of memory that the compiled moves take.
    pub fn bytes(&self) -> u64 {
        let rows = self.rows.iter().map(|rows| size_of_val(&**rows));
        let columns = self.columns.iter().map(|columns| size_of_val(&**columns));
        let lines = self.lines.iter().map(|lines| size_of_val(&**lines));
        let maps = self.maps.iter().flatten().map(ColumnMap::bytes);
        rows.chain(columns).chain(lines).chain(maps).sum::<usize>() as u64
    }

    /// The moves of every mover's row of `seeds` seeds, by rank.
    pub fn row_moves(&self, seeds: u8) -> &[RowMoves] {
        &self.rows[usize::from(seeds)]
    }

    /// The column maps for opponent's rows of `seeds` seeds.
    pub fn maps(&self, seeds: u8) -> &[ColumnMap] {
        &self.maps[usize::from(seeds)]
    }

    /// For each line of an opponent's row of `seeds` seeds, its rank among all
    /// rows: the column that a line stands for.
    pub fn columns(&self, seeds: u8) -> &[u32] {
        &self.columns[usize::from(seeds)]
    }

    /// The opponent's rows of `seeds` seeds that have no line, by their rank among all
    /// rows.
    pub fn unindexed_columns(&self, seeds: u8) -> Vec<u32> {
        let lines = (0..).zip(&self.lines[usize::from(seeds)]);
        let without = lines.filter(|(_, line)| **line == NO_LINE);
        without.map(|(column, _)| column).collect()
    }

    /// The line of an opponent's row of `seeds` seeds with this rank among all
    /// rows, if it has one.
    pub fn line(&self, seeds: u8, column: u32) -> Option<u32> {
        let line = self.lines[usize::from(seeds)][column as usize];
        (line != NO_LINE).then_some(line)
    }
}

/// The number of the map for `crossed` seeds, where the last one fell into the
/// opponent's row or not.
fn oware_map(crossed: u8, last_crossed: bool) -> u8 {
    2 * crossed + u8::from(last_crossed)
}

fn oware_row_moves(seeds: u8, a: &Row) -> RowMoves {
    let pits = (0..ROW).filter(|&pit| a[pit] > 0);
    RowMoves::new(seeds, pits.map(|pit| oware_row_move(a, pit)))
}

/// Playing a pit that is not empty.
pub(super) fn oware_row_move(a: &Row, pit: usize) -> RowMove {
    let mut after = *a;
    let mut hand = std::mem::take(&mut after[pit]);
    let (mut last, mut crossed) = (pit, 0);
    while hand > 0 {
        last = (last + 1) % (2 * ROW);
        if last == pit {
            continue;
        }
        match after.get_mut(last) {
            Some(own) => *own += 1,
            None => crossed += 1,
        }
        hand -= 1;
    }
    RowMove {
        line: row::open_rank(&after),
        seeds: after.iter().sum(),
        map: oware_map(crossed, last >= ROW),
    }
}

fn store_row_moves(seeds: u8, game: StoreGame, a: &Row) -> RowMoves {
    let pits = (0..ROW).filter(|&pit| a[pit] > 0);
    RowMoves::new(seeds, pits.filter_map(|pit| store_row_move(game, a, pit)))
}
