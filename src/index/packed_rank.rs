//! The index and the location of a packed board, by a few additions.
//!
//! Let `r(i)` be the seeds in pits `i` to 5 of a row. Of the rows with the same number of
//! seeds, those after it first differ from it in a pit with more seeds, and have fewer in
//! the pits behind. There are as many of them as the sum of
//!
//! ```text
//! A(i) = C(r(i) + 5 − i, 6 − i)    for i from 1 to 5
//! ```
//!
//! and the rank is that of the last row minus this sum. The rank among the open rows leaves
//! out the full ones. Those, without one seed of each pit, are rows too and counted by a sum
//! of the same kind, which ends at the first empty pit.

use super::binomial::binomial;
use super::layer::{LayerIndex, Location, OpponentRows};
use crate::rules::Row;
use crate::rules::{COUNTS, MAX_SEEDS, ONES, PackedBoard, ROW};

/// Added to the seeds of pits before the first empty one, to choose the second half of
/// [`Terms::after`].
const BEFORE_EMPTY: u8 = 64;

/// The terms of the sums, by the seeds from some pit on.
struct Terms {
    /// All rows, and the open ones.
    rows: [u32; COUNTS],
    open_rows: [u32; COUNTS],
    /// For pits 1 to 4: the rows that come after in that pit, and in the second half those
    /// among the open rows.
    after: [[u32; 2 * COUNTS]; ROW - 2],
    /// By the first empty pit: the full rows that come after from there on.
    full: [[u32; COUNTS]; ROW],
}

static TERMS: Terms = terms();

const fn terms() -> Terms {
    let mut terms = Terms {
        rows: [0; COUNTS],
        open_rows: [0; COUNTS],
        after: [[0; 2 * COUNTS]; ROW - 2],
        full: [[0; COUNTS]; ROW],
    };
    // Constant functions have no iterators.
    let mut seeds = 0;
    while seeds <= MAX_SEEDS as usize {
        terms.rows[seeds] = ways_without(0, seeds, ROW);
        terms.open_rows[seeds] = terms.rows[seeds] - ways_without(ROW, seeds, ROW);
        let mut pit = 1;
        while pit <= ROW - 2 {
            let after = &mut terms.after[pit - 1];
            after[seeds] = ways_without(1, seeds, ROW + 1 - pit);
            let full = ways_without(ROW + 1 - pit, seeds, ROW + 1 - pit);
            after[COUNTS + seeds] = after[seeds] - full;
            pit += 1;
        }
        terms.full[0][seeds] = ways_without(ROW, seeds, ROW);
        let mut empty = 1;
        while empty < ROW {
            terms.full[empty][seeds] = ways_without(ROW - empty, seeds, ROW + 1 - empty);
            empty += 1;
        }
        seeds += 1;
    }
    terms
}

/// Ways to place all but `less` seeds in some pits; 0 if there are fewer than that.
#[allow(clippy::cast_possible_truncation)] // at most the rows with 48 seeds
const fn ways_without(less: usize, seeds: usize, pits: usize) -> u32 {
    match seeds.checked_sub(less) {
        Some(seeds) => binomial(seeds + pits - 1, pits - 1) as u32,
        None => 0,
    }
}

/// The bytes `r(0)` to `r(5)` of a row.
#[inline]
fn sums_from(row: u64) -> u64 {
    // No row holds more than 48 seeds, so that no byte overflows.
    let sums_to = row.wrapping_mul(ONES);
    (sums_to >> 56) * ONES - (sums_to << 8)
}

/// Byte `pit` of the sums.
#[inline]
fn byte(sums: u64, pit: usize) -> u8 {
    (sums >> (8 * pit)).to_le_bytes()[0]
}

/// The seeds from a pit on.
#[inline]
fn seeds_from(sums: u64, pit: usize) -> usize {
    usize::from(byte(sums, pit)) % COUNTS
}

/// The rows after one with these sums.
#[inline]
fn rows_after(sums: u64) -> u32 {
    let terms = TERMS.after.iter().zip(1..);
    let after = terms.map(|(after, pit)| after[usize::from(byte(sums, pit)) % (2 * COUNTS)]);
    let seeds_in_last = byte(sums, ROW - 1) % BEFORE_EMPTY;
    after.sum::<u32>() + u32::from(seeds_in_last)
}

/// The rank of a row with these sums among all rows with as many seeds.
#[inline]
fn rank(sums: u64) -> u32 {
    TERMS.rows[seeds_from(sums, 0)] - 1 - rows_after(sums)
}

/// As [`super::row::rank`].
pub(crate) fn rank_of_row(row: &Row) -> u32 {
    let [a, b, c, d, e, f] = *row;
    rank(sums_from(u64::from_le_bytes([a, b, c, d, e, f, 0, 0])))
}

/// The rank of a row with these sums among the open ones; `None` if it is not open.
#[inline]
fn open_rank(row: u64, sums: u64) -> Option<u32> {
    // The lowest bit set is in the first empty byte; bytes 6 and 7 are empty.
    let is_empty = row.wrapping_sub(ONES) & !row & (0x80 * ONES);
    let empty = is_empty.trailing_zeros() as usize / 8;
    let full = TERMS.full.get(empty)?[seeds_from(sums, empty)];
    let before_empty = (1 << (8 * empty)) - 1;
    let after = rows_after(sums | before_empty & (u64::from(BEFORE_EMPTY) * ONES));
    Some(TERMS.open_rows[seeds_from(sums, 0)] + full - 1 - after)
}

impl LayerIndex {
    /// As [`LayerIndex::index`], for a board that has as many seeds as the layer: the index
    /// of another one is unspecified.
    #[inline]
    pub(crate) fn index_of_packed(&self, board: PackedBoard) -> Option<u64> {
        let (mover, opponent) = (sums_from(board.mover), sums_from(board.opponent));
        let line = self.line_of(board.opponent, opponent)?;
        let width = TERMS.rows[seeds_from(mover, 0)];
        let start = self.section_starts().get(seeds_from(opponent, 0))?;
        Some(start + u64::from(line) * u64::from(width) + u64::from(rank(mover)))
    }

    /// As [`LayerIndex::locate`], for a board that has as many seeds as the layer: the
    /// location of another one is unspecified.
    #[inline]
    pub(crate) fn locate_packed(&self, board: PackedBoard) -> Option<Location> {
        let (mover, opponent) = (sums_from(board.mover), sums_from(board.opponent));
        Some(Location {
            section: byte(opponent, 0),
            line: self.line_of(board.opponent, opponent)?,
            rank: rank(mover),
        })
    }

    /// The line of an opponent's row with these sums, if it has one.
    #[inline]
    fn line_of(&self, row: u64, sums: u64) -> Option<u32> {
        match self.lines() {
            OpponentRows::Open => open_rank(row, sums),
            OpponentRows::All => Some(rank(sums)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::row::{rank as plain_rank, rows};
    use crate::rules::{Board, Ruleset};

    fn assert_same(layer: &LayerIndex, board: &Board) {
        let found = layer.index_of_packed(PackedBoard::of(board));
        assert_eq!(found, layer.index(board), "{board:?}");
        let found = layer.locate_packed(PackedBoard::of(board));
        assert_eq!(found, layer.locate(board), "{board:?}");
    }

    #[test]
    fn indexes_of_all_small_boards_are_those_of_the_index() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in 0..=9 {
                let layer = LayerIndex::new(rules, seeds);
                for board in LayerIndex::new(Ruleset::KALAH, seeds).boards() {
                    assert_same(&layer, &board);
                }
            }
        }
    }

    #[test]
    fn indexes_of_large_boards_are_those_of_the_index() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in [13, 20, 24, 31, 47, MAX_SEEDS] {
                let layer = LayerIndex::new(rules, seeds);
                let all = LayerIndex::new(Ruleset::KALAH, seeds);
                let step = (all.len() / 20_000) as usize;
                for index in (0..all.len()).step_by(step).chain([all.len() - 1]) {
                    assert_same(&layer, &all.board(index));
                }
            }
        }
    }

    #[test]
    fn ranks_of_rows_are_the_plain_ones() {
        for seeds in 0..=20 {
            for row in rows(seeds) {
                let board = Board::from_rows(row, [0; ROW]).unwrap();
                let packed = PackedBoard::of(&board).mover;
                assert_eq!(rank(sums_from(packed)), plain_rank(&row), "{row:?}");
                assert_eq!(rank_of_row(&row), plain_rank(&row), "{row:?}");
            }
        }
    }
}
