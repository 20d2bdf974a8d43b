//! Rows: how `k` seeds can lie in one player's six pits.
//!
//! There are `R(k) = C(k + 5, 5)` of them, ranked in lexicographic order with
//! pit 0 most significant, and among them those with an empty pit, the *open*
//! rows, are ranked separately as well. Rank and unrank take a few table look-ups.
//!
//! Why this order: sowing into a row adds the same seeds to the first pits of every
//! row, which keeps the order, so that neighbouring rows stay neighbours in long runs.
//! The solver is built on that.

use super::binomial::{narrow, ways};
use crate::rules::{ROW, Row, row_seeds};

/// The fewest seeds with which a row has no empty pit.
const FULL: u8 = 6;

/// Rows with `seeds` seeds.
///
/// # Panics
/// If `seeds` is 55 or more.
pub fn row_count(seeds: u8) -> u32 {
    narrow(ways(seeds, ROW))
}

/// Open rows with `seeds` seeds.
pub fn open_row_count(seeds: u8) -> u32 {
    row_count(seeds) - full_row_count(seeds)
}

/// Rows with a seed in every pit. Without one seed of each pit, they are the rows with
/// six seeds fewer.
fn full_row_count(seeds: u8) -> u32 {
    match seeds.checked_sub(FULL) {
        Some(rest) => row_count(rest),
        None => 0,
    }
}

/// Whether a row has an empty pit.
pub fn is_open(row: &Row) -> bool {
    row.contains(&0)
}

/// The rank of a row among all rows with as many seeds.
///
/// # Panics
/// May panic, or return an unspecified rank, if the row has more than
/// [`MAX_SEEDS`](crate::rules::MAX_SEEDS) seeds.
pub fn rank(row: &Row) -> u32 {
    let mut below = 0;
    let mut rest = row_seeds(row);
    for (pit, &seeds) in row[..ROW - 1].iter().enumerate() {
        below += rows_below(rest, seeds, ROW - pit);
        rest -= seeds;
    }
    narrow(below)
}

/// The rank of an open row among the open rows with as many seeds.
///
/// # Panics
/// May panic, or return an unspecified rank, if the row is not open.
pub fn open_rank(row: &Row) -> u32 {
    debug_assert!(is_open(row));
    rank(row) - full_rows_below(row)
}

/// The row with this rank among all rows with `seeds` seeds.
///
/// # Panics
/// If `rank` is not below [`row_count`].
pub fn unrank(seeds: u8, rank: u32) -> Row {
    assert!(
        rank < row_count(seeds),
        "rank {rank} of a row with {seeds} seeds"
    );
    let mut row = [0; ROW];
    let mut below = u64::from(rank);
    let mut rest = seeds;
    for (pit, place) in row[..ROW - 1].iter_mut().enumerate() {
        let pits = ROW - pit;
        let mut here = 0;
        while here < rest && rows_below(rest, here + 1, pits) <= below {
            here += 1;
        }
        below -= rows_below(rest, here, pits);
        rest -= here;
        *place = here;
    }
    row[ROW - 1] = rest;
    row
}

/// The row with this rank among the open rows with `seeds` seeds.
///
/// # Panics
/// If `open` is not below [`open_row_count`].
pub fn unrank_open(seeds: u8, open: u32) -> Row {
    assert!(
        open < open_row_count(seeds),
        "rank {open} of an open row with {seeds} seeds"
    );
    let mut row = [0; ROW];
    let mut below = u64::from(open);
    let mut rest = seeds;
    let mut has_gap = false;
    for (pit, place) in row[..ROW - 1].iter_mut().enumerate() {
        let pits = ROW - 1 - pit;
        loop {
            let gap = has_gap || *place == 0;
            let rows = open_ways(rest - *place, pits, gap);
            if below < rows {
                has_gap = gap;
                break;
            }
            below -= rows;
            *place += 1;
        }
        rest -= *place;
    }
    row[ROW - 1] = rest;
    row
}

/// Ways to place `rest` seeds in the last `pits` pits so that the row has an empty pit,
/// which may be one before them.
fn open_ways(rest: u8, pits: usize, has_gap: bool) -> u64 {
    let pits_to_fill = u8::try_from(pits).expect("at most six pits");
    let full = match rest.checked_sub(pits_to_fill) {
        Some(others) if !has_gap => ways(others, pits),
        _ => 0,
    };
    ways(rest, pits) - full
}

/// All rows with `seeds` seeds, by rank.
pub fn rows(seeds: u8) -> impl Iterator<Item = Row> {
    rows_from([0, 0, 0, 0, 0, seeds])
}

/// A row and all that follow it, by rank.
pub fn rows_from(row: Row) -> impl Iterator<Item = Row> {
    std::iter::successors(Some(word(&row)), |&word| next_word(word)).map(row_of)
}

/// The next row in lexicographic order, if there is one.
pub(super) fn successor(row: Row) -> Option<Row> {
    next_word(word(&row)).map(row_of)
}

/// The row as a number, eight bits a pit, the first pit lowest.
fn word(row: &Row) -> u64 {
    let [a, b, c, d, e, f] = *row;
    u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
}

fn row_of(word: u64) -> Row {
    let [a, b, c, d, e, f, ..] = word.to_le_bytes();
    [a, b, c, d, e, f]
}

/// The next row in lexicographic order, if there is one, as a number: pits in memory would
/// have to be written one by one before they can be read together.
fn next_word(word: u64) -> Option<u64> {
    /// The lowest bit of the last pit.
    const LAST: usize = 8 * (ROW - 1);
    // Move one seed of the last pit that has any one pit to the left, and its other
    // seeds to the last pit.
    let shift = word.checked_ilog2()? / 8 * 8;
    let seeds = word >> shift;
    let left = shift.checked_sub(8)?;
    Some(word - (seeds << shift) + (1 << left) + ((seeds - 1) << LAST))
}

/// Ways to place `rest` seeds in `pits` pits with fewer than `seeds` in the first one.
#[inline]
pub(super) fn rows_below(rest: u8, seeds: u8, pits: usize) -> u64 {
    // All ways minus those with at least `seeds` in the first pit.
    let with_at_least = if seeds > rest {
        0
    } else {
        ways(rest - seeds, pits)
    };
    ways(rest, pits) - with_at_least
}

/// Full rows before `row`, which may be full itself.
fn full_rows_below(row: &Row) -> u32 {
    let mut below = 0;
    let mut rest = row_seeds(row);
    for (from, &seeds) in (0..).zip(&row[..ROW - 1]) {
        let pits = ROW - usize::from(from);
        // A full row that first differs here has 1 to `seeds − 1` seeds in this pit:
        // place one seed in each pit, then the others freely.
        match rest.checked_sub(FULL - from) {
            Some(others) if seeds > 0 => below += rows_below(others, seeds - 1, pits),
            _ => break,
        }
        rest -= seeds;
    }
    narrow(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row up to 14 seeds: order, rank and unrank, open or not.
    #[test]
    fn ranks_count_rows_in_lexicographic_order() {
        for seeds in 0..=14 {
            let mut all = 0;
            let mut open = 0;
            let mut before = None;
            for row in rows(seeds) {
                assert_eq!(row_seeds(&row), seeds);
                assert!(before < Some(row), "{before:?} {row:?}");
                assert_eq!(rank(&row), all);
                assert_eq!(unrank(seeds, all), row);
                if is_open(&row) {
                    assert_eq!(open_rank(&row), open);
                    assert_eq!(unrank_open(seeds, open), row);
                    open += 1;
                }
                all += 1;
                before = Some(row);
            }
            assert_eq!((all, open), (row_count(seeds), open_row_count(seeds)));
        }
    }

    /// The largest rows: both ends and a stride through the middle.
    #[test]
    fn ranks_of_large_rows() {
        for seeds in [30, 47, 48] {
            for rank_ in (0..row_count(seeds)).step_by(997) {
                assert_eq!(rank(&unrank(seeds, rank_)), rank_);
            }
            for open in (0..open_row_count(seeds)).step_by(997) {
                assert_eq!(open_rank(&unrank_open(seeds, open)), open);
            }
            assert_eq!(unrank(seeds, row_count(seeds) - 1), [seeds, 0, 0, 0, 0, 0]);
        }
    }
}
