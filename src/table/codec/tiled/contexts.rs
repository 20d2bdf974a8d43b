//! Contexts: what an entry is predicted from, and which distribution that gives.
//!
//! Neighbours in a line or a column are similar, because their boards differ in one
//! seed that lies one pit further on, and possible captures raise or lower a value.
//! So an entry's *surroundings* are its left neighbour, its upper neighbour and its
//! *hint*: the most that the mover can capture with one move, less the most that the
//! opponent could capture if it were their turn. A decision tree, trained for each
//! table, sorts surroundings into contexts.
//!
//! The hint saves a tenth of a table's size (`docs/codec.md`) and costs little for a
//! whole tile: what a row can reach, and what can be captured in it, is computed once
//! for each of the 24 rows. Laps, grand slams and all that rulesets differ in are
//! ignored: it only helps the entropy coder, and the format fixes it for every
//! ruleset.

use std::collections::HashMap;

use super::tiling::{COLUMNS, LINES, Tile, Tiling};
use crate::rules::ROW;

/// What an entry is predicted from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Surroundings {
    pub hint: u8,
    /// The levels of two neighbours: left and upper; for upper bounds left and the
    /// lower bound of the same board.
    pub left: u8,
    pub upper: u8,
}

/// What a split of a tree compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feature {
    Left,
    Upper,
    Sum,
    /// Left less upper, plus the highest level.
    Difference,
    Least,
    Most,
    Hint,
}

impl Feature {
    /// Every feature, in the order of their numbers in a file.
    pub const ALL: [Feature; 7] = [
        Feature::Left,
        Feature::Upper,
        Feature::Sum,
        Feature::Difference,
        Feature::Least,
        Feature::Most,
        Feature::Hint,
    ];

    /// Its number for some surroundings, at most 192.
    #[inline]
    pub fn of(self, around: Surroundings, levels: usize) -> u8 {
        let Surroundings { hint, left, upper } = around;
        match self {
            Feature::Left => left,
            Feature::Upper => upper,
            Feature::Sum => left + upper,
            Feature::Difference => left + (levels as u8 - 1) - upper,
            Feature::Least => left.min(upper),
            Feature::Most => left.max(upper),
            Feature::Hint => hint,
        }
    }
}

/// The most contexts of a tree.
pub(super) const MAX_CONTEXTS: usize = 128;

/// A tree that sorts surroundings into contexts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tree {
    /// A context, numbered from left to right.
    Context(u8),
    /// The left branch if the feature is at most `most`, else the right one.
    Split {
        feature: Feature,
        most: u8,
        branches: Box<[Tree; 2]>,
    },
}

impl Tree {
    /// The context of surroundings.
    pub fn context(&self, around: Surroundings, levels: usize) -> u8 {
        let mut tree = self;
        loop {
            match tree {
                Tree::Context(number) => return *number,
                Tree::Split {
                    feature,
                    most,
                    branches,
                } => tree = &branches[usize::from(feature.of(around, levels) > *most)],
            }
        }
    }
}

/// The contexts of all surroundings, looked up instead of computed. Hint and upper
/// neighbour select a row, the left neighbour a place in it. Most rows are equal, and
/// each is kept once: so they take a few KiB, which stay in the processor's first cache.
pub(super) struct Contexts {
    /// The row of each hint and upper neighbour.
    rows: Vec<u16>,
    contexts: Vec<u8>,
    levels: usize,
}

impl Contexts {
    pub fn new(tree: &Tree, levels: usize) -> Contexts {
        let mut rows = Vec::with_capacity(HINTS * levels);
        let mut contexts: Vec<u8> = Vec::new();
        let mut known = HashMap::new();
        for hint in 0..HINTS as u8 {
            for upper in 0..levels as u8 {
                let context = |left| tree.context(Surroundings { hint, left, upper }, levels);
                let row: Vec<u8> = (0..levels as u8).map(context).collect();
                let next = (contexts.len() / levels) as u16;
                rows.push(*known.entry(row).or_insert_with_key(|row| {
                    contexts.extend(row);
                    next
                }));
            }
        }
        Contexts {
            rows,
            contexts,
            levels,
        }
    }

    /// The context of surroundings. Hint and upper neighbour are known early, so that only
    /// the last addition waits for the entry decoded last.
    #[inline(always)]
    pub fn of(&self, around: Surroundings) -> u8 {
        let Surroundings { hint, left, upper } = around;
        let row = self.rows[usize::from(hint) * self.levels + usize::from(upper)];
        self.contexts[usize::from(row) * self.levels + usize::from(left)]
    }
}

/// The hint's greatest absolute value.
pub(super) const MAX_HINT: i8 = 8;
/// How many hints there are.
pub(super) const HINTS: usize = 2 * MAX_HINT as usize + 1;

/// Sixteen rows side by side: for each pit the seeds of all of them, for vector
/// instructions.
type Rows = [[u8; SIDE]; ROW];

/// For each number of seeds sown into a row, 0 to 6, how many are captured there, in
/// sixteen rows.
type Captures = [[u8; SIDE]; ROW + 1];

/// Rows at a side of a tile.
const SIDE: usize = if LINES > COLUMNS { LINES } else { COLUMNS };

/// For each pit: how many seeds a move from it sows into the other row, or 0 if they
/// are more than six.
fn reach(rows: &Rows) -> Rows {
    let mut reach = [[0; SIDE]; ROW];
    for (pit, (reach, seeds)) in reach.iter_mut().zip(rows).enumerate() {
        let own = (ROW - 1 - pit) as u8;
        for (crossed, &seeds) in reach.iter_mut().zip(seeds) {
            let beyond = seeds.saturating_sub(own);
            *crossed = if beyond <= ROW as u8 { beyond } else { 0 };
        }
    }
    reach
}

/// The captures in rows by how many pits a move reaches.
fn captures_by_reach(rows: &Rows) -> Captures {
    let mut captures = [[0; SIDE]; ROW + 1];
    let mut run = [0; SIDE];
    for (captured, seeds) in captures[1..].iter_mut().zip(rows) {
        for (run, &seeds) in run.iter_mut().zip(seeds) {
            // A pit with 1 or 2 seeds has 2 or 3 after sowing. It is captured together
            // with what a move that ends one pit earlier captures.
            let more = *run + seeds + 1;
            *run = if seeds.wrapping_sub(1) < 2 { more } else { 0 };
        }
        *captured = run;
    }
    captures
}

/// The largest captures of one row's moves, by their reach, in sixteen other rows.
#[inline]
fn largest(captures: &Captures, reach: &Rows, row: usize) -> [u8; SIDE] {
    let mut largest = [0; SIDE];
    for crossed in reach {
        let captures = &captures[usize::from(crossed[row] % 8).min(ROW)];
        for (largest, &captured) in largest.iter_mut().zip(captures) {
            *largest = captured.max(*largest);
        }
    }
    largest
}

/// The hints of a tile's first cells, line by line: 0 to [`HINTS`] − 1, where [`MAX_HINT`]
/// stands for a difference of 0.
pub(super) fn hints(tiling: &Tiling, tile: &Tile, out: &mut [u8]) {
    let lines = out.len().div_ceil(tile.columns);
    let (mut opponents, mut movers) = ([[0; SIDE]; ROW], [[0; SIDE]; ROW]);
    for (number, row) in tiling.opponents(tile).take(lines).enumerate() {
        for (seeds, pit) in opponents.iter_mut().zip(row) {
            seeds[number] = pit;
        }
    }
    for (number, row) in tiling.movers(tile).enumerate() {
        for (seeds, pit) in movers.iter_mut().zip(row) {
            seeds[number] = pit;
        }
    }
    let (in_movers, movers_reach) = (captures_by_reach(&movers), reach(&movers));
    let (in_opponents, opponents_reach) = (captures_by_reach(&opponents), reach(&opponents));
    // The mover's captures by column, then line.
    let mut captures = [[0; SIDE]; COLUMNS];
    for (column, captures) in captures[..tile.columns].iter_mut().enumerate() {
        *captures = largest(&in_opponents, &movers_reach, column);
    }
    for (line, out) in out.chunks_mut(tile.columns).enumerate() {
        let threats = largest(&in_movers, &opponents_reach, line);
        for ((hint, captures), &threat) in out.iter_mut().zip(&captures).zip(&threats) {
            *hint = hint_of(captures[line], threat);
        }
    }
}

fn hint_of(capture: u8, threat: u8) -> u8 {
    // Neither is more than 18.
    let net = capture.cast_signed() - threat.cast_signed();
    (net.clamp(-MAX_HINT, MAX_HINT) + MAX_HINT).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::super::tiling::CELLS;
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::{Board, Row, Ruleset};

    /// The plain definition: sows seed by seed and captures pit by pit.
    fn plain_capture(mover: &Row, opponent: &Row) -> u8 {
        let capture = |pit: usize| {
            let mut there = *opponent;
            let crossed = usize::from(mover[pit]).checked_sub(5 - pit)?;
            if crossed == 0 || crossed > 6 {
                return None;
            }
            there[..crossed].iter_mut().for_each(|seeds| *seeds += 1);
            let run = there[..crossed].iter().rev();
            Some(run.take_while(|&&seeds| seeds == 2 || seeds == 3).sum())
        };
        (0..6).filter_map(capture).max().unwrap_or(0)
    }

    /// Every board of some layers.
    #[test]
    fn hints_match_plain_sowing_and_capturing() {
        for seeds in [0, 1, 5, 8, 9] {
            let index = LayerIndex::new(Ruleset::KALAH, seeds);
            let tiling = Tiling::new(index.clone(), seeds + 1);
            for number in 0..tiling.len() {
                let tile = tiling.tile(number);
                let mut all = [0; CELLS];
                let all = &mut all[..tile.cells()];
                hints(&tiling, &tile, all);
                // Those of the first cells are the same, however many are wanted.
                let mut first = [0; CELLS];
                let first = &mut first[..all.len().div_ceil(3)];
                hints(&tiling, &tile, first);
                assert_eq!(first, &all[..first.len()]);
                for (cell, &hint) in all.iter().enumerate() {
                    let start = tiling.line_start(&tile, cell / tile.columns);
                    let board: Board = index.board(start + (cell % tile.columns) as u64);
                    let (mover, opponent) = (board.mover(), board.opponent());
                    let (capture, threat) = (
                        plain_capture(&mover, &opponent),
                        plain_capture(&opponent, &mover),
                    );
                    assert_eq!(hint, hint_of(capture, threat), "{board}");
                }
            }
        }
    }
}
