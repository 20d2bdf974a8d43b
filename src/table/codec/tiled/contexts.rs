//! Contexts: what an entry is predicted from, and which distribution that gives.
//!
//! Neighbours in a line or a column are similar, because their boards differ in one
//! seed that lies one pit further on, and possible captures raise or lower a value.
//! So an entry's *surroundings* are its left neighbour, its upper neighbour and its
//! *hint*: the most that the mover can capture with one move, less the most that the
//! opponent could capture if it were their turn. A decision tree, trained for each
//! table, sorts surroundings into contexts.
//!
//! The hint saves a tenth of a table's size (`docs/internals/codec.md`) and costs little for a
//! whole tile: what a row can reach, and what can be captured in it, is computed once
//! for each of the 24 rows. Laps, grand slams and all that rulesets differ in are
//! ignored: it only helps the entropy coder, and the format fixes it for every
//! ruleset.

use std::collections::HashMap;

use super::tiling::{COLUMNS, LINES, Tile, Tiling, copy_cells};
use crate::rules::ROW;

/// What an entry is predicted from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::table) struct Surroundings {
    pub hint: u8,
    /// The levels of two neighbours: left and upper; for upper bounds left and the
    /// lower bound of the same board.
    pub left: u8,
    pub upper: u8,
}

/// What a split of a tree compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) enum Feature {
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
pub(in crate::table) const MAX_CONTEXTS: usize = 128;

/// A tree that sorts surroundings into contexts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) enum ContextTree {
    /// A context, numbered from left to right.
    Context(u8),
    /// The left branch if the feature is at most `most`, else the right one.
    Split {
        feature: Feature,
        most: u8,
        branches: Box<[ContextTree; 2]>,
    },
}

impl ContextTree {
    /// The context of surroundings.
    pub fn context(&self, around: Surroundings, levels: usize) -> u8 {
        let mut tree = self;
        loop {
            match tree {
                ContextTree::Context(number) => return *number,
                ContextTree::Split {
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
pub(in crate::table) struct Contexts {
    /// Where the row of each hint and upper neighbour begins.
    starts: Vec<u32>,
    /// The rows, and behind them for each hint the row of a cell without an upper neighbour,
    /// which the left one replaces.
    contexts: Vec<u8>,
    levels: usize,
}

impl Contexts {
    pub fn new(tree: &ContextTree, levels: usize) -> Contexts {
        let mut starts = Vec::with_capacity(HINTS * levels);
        let mut contexts: Vec<u8> = Vec::new();
        let mut known = HashMap::new();
        for hint in 0..HINTS as u8 {
            for upper in 0..levels as u8 {
                let context = |left| tree.context(Surroundings { hint, left, upper }, levels);
                let row: Vec<u8> = (0..levels as u8).map(context).collect();
                let next = contexts.len() as u32;
                starts.push(*known.entry(row).or_insert_with_key(|row| {
                    contexts.extend(row);
                    next
                }));
            }
        }
        for hint in 0..HINTS as u8 {
            let upper = |left| Surroundings {
                hint,
                left,
                upper: left,
            };
            contexts.extend((0..levels as u8).map(|left| tree.context(upper(left), levels)));
        }
        Contexts {
            starts,
            contexts,
            levels,
        }
    }

    /// Where the contexts for a hint and an upper neighbour begin.
    #[inline(always)]
    pub fn start(&self, hint: u8, upper: u8) -> u32 {
        self.starts[usize::from(hint) * self.levels + usize::from(upper)]
    }

    /// Where the contexts for a hint begin if there is no upper neighbour.
    #[inline(always)]
    pub fn start_without_upper(&self, hint: u8) -> u32 {
        (self.contexts.len() - (HINTS - usize::from(hint)) * self.levels) as u32
    }

    /// The context of a left neighbour among those that begin here.
    #[inline(always)]
    pub fn at(&self, start: u32, left: u8) -> u8 {
        self.contexts[start as usize + usize::from(left)]
    }
}

/// The hint's greatest absolute value.
pub(in crate::table) const MAX_HINT: i8 = 8;
/// How many hints there are.
pub(in crate::table) const HINTS: usize = 2 * MAX_HINT as usize + 1;

/// Sixteen rows side by side: for each pit the seeds of all of them, for vector
/// instructions.
type Rows = [[u8; SIDE]; ROW];

/// For each number of seeds sown into a row, 0 to 6, how many are captured there, in
/// sixteen rows.
type ReachCaptures = [[u8; SIDE]; ROW + 1];

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
fn captures_by_reach(rows: &Rows) -> ReachCaptures {
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

/// For each reach, 1 to 6, which of sixteen rows have a move with it: all bits or none.
fn masks(reach: &Rows) -> Rows {
    let mut masks = [[0; SIDE]; ROW];
    for (wanted, mask) in (1..).zip(&mut masks) {
        for crossed in reach {
            for (mask, &crossed) in mask.iter_mut().zip(crossed) {
                *mask |= if crossed == wanted { u8::MAX } else { 0 };
            }
        }
    }
    masks
}

/// The largest captures of sixteen rows' moves in one other row.
#[inline]
fn captured_in_row(captures: &ReachCaptures, row: usize, masks: &Rows) -> [u8; SIDE] {
    let mut largest = [0; SIDE];
    for (captures, mask) in captures[1..].iter().zip(masks) {
        for (largest, mask) in largest.iter_mut().zip(mask) {
            *largest = (captures[row] & mask).max(*largest);
        }
    }
    largest
}

/// The largest captures of one row's moves in sixteen other rows.
#[inline]
fn captured_by_row(reach: &Rows, row: usize, captures: &ReachCaptures) -> [u8; SIDE] {
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
pub(in crate::table) fn hints(tiling: &Tiling, tile: &Tile, out: &mut [u8]) {
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
    let (in_movers, movers_masks) = (captures_by_reach(&movers), masks(&reach(&movers)));
    let (in_opponents, opponents_reach) = (captures_by_reach(&opponents), reach(&opponents));
    for (line, out) in out.chunks_mut(tile.columns).enumerate() {
        let captures = captured_in_row(&in_opponents, line, &movers_masks);
        let threats = captured_by_row(&opponents_reach, line, &in_movers);
        let hints: [u8; SIDE] = std::array::from_fn(|i| hint_of(captures[i], threats[i]));
        copy_cells(&hints[..out.len()], out);
    }
}

/// The hint of a capture and a threat; both are at most 18.
fn hint_of(capture: u8, threat: u8) -> u8 {
    const ZERO: u8 = MAX_HINT as u8;
    (capture + ZERO).saturating_sub(threat).min(2 * ZERO)
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
