//! The boards of a layer in lexicographic order, pit 11 most significant: the
//! order of the score database of the Vrije Universiteit.
//!
//! Of two boards, the one with fewer seeds in the highest pit that differs comes first.
//! Only boards whose opponent's row is open are counted: the boards that the
//! [`LayerIndex`](super::LayerIndex) of the oware family has. Since the opponent's pits
//! come before the mover's, all boards with the same opponent's row are neighbours here
//! too. They are one *line* of the layer, with its entries in another order:
//!
//! ```text
//! offset of a board  =  line_offset of the opponent's row
//!                    +  rank of the mover's row read backwards
//! ```
//!
//! So a whole layer is converted line by line, and the entries are reordered in the same
//! way in all lines of a section.
//!
//! ```
//! use krou::internal::index::lexicographic;
//! use krou::rules::Board;
//!
//! let board: Board = "1 1 1 1 1 2 / 4 2 3 0 0 0".parse()?;
//! assert_eq!(lexicographic::offset(&board), Some(588_953)); // as published
//! assert_eq!(lexicographic::board(16, 588_953), board);
//! # Ok::<(), krou::rules::ParseBoardError>(())
//! ```

use super::binomial::{narrow, ways};
use super::layer::open_board_count;
use super::row::{is_open, rank, row_count, rows, rows_below, unrank};
use crate::rules::{Board, MAX_SEEDS, PITS, ROW, Row, row_seeds};

/// The number of boards with as many seeds that come before this one; `None` if the
/// opponent's row has no empty pit.
pub fn offset(board: &Board) -> Option<u64> {
    let opponent = board.opponent();
    let column = rank(&backwards(board.mover()));
    is_open(&opponent).then(|| line_offset(board.seeds(), &opponent) + u64::from(column))
}

/// The board with `seeds` seeds at this offset.
///
/// # Panics
/// If `offset` is not below [`open_board_count`].
pub fn board(seeds: u8, offset: u64) -> Board {
    assert!(
        seeds <= MAX_SEEDS && offset < open_board_count(seeds),
        "board {offset} with {seeds} seeds"
    );
    let mut opponent = [0; ROW];
    let mut below = offset;
    let mut rest = seeds;
    let mut has_gap = false;
    for pit in (0..ROW).rev() {
        loop {
            let here = opponent[pit];
            let gap = has_gap || here == 0;
            let boards = boards_after(rest - here, pit, gap);
            if below < boards {
                has_gap = gap;
                break;
            }
            below -= boards;
            opponent[pit] += 1;
        }
        rest -= opponent[pit];
    }
    let mover = backwards(unrank(rest, narrow(below)));
    Board::trusted_rows(mover, opponent)
}

/// The offset of the first board with `seeds` seeds that has this opponent's row, which
/// must be open and have no more seeds. The others of the line follow it.
///
/// # Panics
/// May panic, or return an unspecified offset, if there is no such board.
pub fn line_offset(seeds: u8, opponent: &Row) -> u64 {
    debug_assert!(is_open(opponent) && row_seeds(opponent) <= seeds);
    let mut below = 0;
    let mut rest = seeds;
    let mut has_gap = false;
    for (pit, &here) in opponent.iter().enumerate().rev() {
        let pits = ROW + pit + 1;
        below += rows_below(rest, here, pits);
        has_gap |= here == 0;
        // Minus those with a seed in every pit of the opponent: none if one of these
        // pits was empty, else place one seed in each of the remaining pits.
        match rest.checked_sub(pits_from(pit)) {
            Some(others) if !has_gap => below -= rows_below(others, here - 1, pits),
            _ => {}
        }
        rest -= here;
    }
    below
}

/// For each row with `seeds` seeds, by rank, the rank of the row read backwards.
///
/// It maps the entries of a line of the index to this order and, since a row read
/// backwards twice is itself, also the other way round.
pub fn columns(seeds: u8) -> Vec<u32> {
    let mut columns = Vec::with_capacity(row_count(seeds) as usize);
    columns.extend(rows(seeds).map(|row| rank(&backwards(row))));
    columns
}

fn backwards(mut row: Row) -> Row {
    row.reverse();
    row
}

/// Ways to place `rest` seeds in the pits below the opponent's pit `pit`, the
/// opponent's and the mover's, so that the opponent's row has an empty pit, which may be
/// one that is counted already.
fn boards_after(rest: u8, pit: usize, has_gap: bool) -> u64 {
    let pits = ROW + pit;
    let full = match rest.checked_sub(pits_from(pit) - 1) {
        Some(others) if !has_gap => ways(others, pits),
        _ => 0,
    };
    ways(rest, pits) - full
}

/// The opponent's pits from the first one up to `pit`.
fn pits_from(pit: usize) -> u8 {
    debug_assert!(pit < PITS - ROW);
    u8::try_from(pit + 1).expect("at most six pits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;

    /// The naive version: all boards, sorted.
    fn sorted(seeds: u8) -> Vec<Board> {
        let layer = LayerIndex::new(Ruleset::AWARI, seeds);
        let mut boards: Vec<Board> = (0..layer.len()).map(|i| layer.board(i)).collect();
        boards.sort_by_key(key);
        boards
    }

    /// (p11, p10, …, p1, p0).
    fn key(board: &Board) -> [u8; PITS] {
        let mut pits = board.pits();
        pits.reverse();
        pits
    }

    #[test]
    fn offsets_count_boards_in_lexicographic_order() {
        for seeds in 0..=9 {
            let boards = sorted(seeds);
            assert_eq!(boards.len() as u64, open_board_count(seeds));
            for (place, expected) in (0..).zip(&boards) {
                assert_eq!(offset(expected), Some(place), "{expected:?}");
                assert_eq!(board(seeds, place), *expected);
            }
        }
    }

    /// The offset of a board is the sum of its line's offset and its column.
    #[test]
    fn boards_of_a_line_are_neighbours() {
        for seeds in 0..=9 {
            for section in 0..=seeds {
                let columns = columns(seeds - section);
                for opponent in rows(section).filter(is_open) {
                    let start = line_offset(seeds, &opponent);
                    for (&column, mover) in columns.iter().zip(rows(seeds - section)) {
                        let board = Board::from_rows(mover, opponent).unwrap();
                        assert_eq!(offset(&board), Some(start + u64::from(column)));
                    }
                }
            }
        }
    }

    #[test]
    fn columns_are_their_own_inverse() {
        for seeds in [0, 1, 7, 20] {
            let columns = columns(seeds);
            for (rank, &column) in (0..).zip(&columns) {
                assert_eq!(columns[column as usize], rank);
            }
        }
    }

    #[test]
    fn published_offsets() {
        for (text, place) in [
            ("1 1 1 1 1 2 / 4 2 3 0 0 0", 588_953),
            ("0 1 2 0 0 0 / 0 1 2 0 0 0", 2726),
            ("0 1 2 0 0 0 / 1 0 2 0 0 0", 2642),
        ] {
            let expected: Board = text.parse().unwrap();
            assert_eq!(offset(&expected), Some(place), "{text}");
            assert_eq!(board(expected.seeds(), place), expected);
        }
    }

    #[test]
    fn boards_without_an_empty_pit_have_no_offset() {
        assert_eq!(offset(&Board::START), None);
        let full: Board = "9 0 0 0 0 0 / 1 1 1 1 1 2".parse().unwrap();
        assert_eq!(offset(&full), None);
    }

    /// The largest layers: both ends, and steps through the middle, in order.
    #[test]
    fn offsets_of_large_layers() {
        for seeds in [32, 46, 48] {
            let count = open_board_count(seeds);
            let stride = usize::try_from(count / 20_000).unwrap();
            let mut before = None;
            for place in (0..count).step_by(stride).chain([count - 1]) {
                let board = board(seeds, place);
                assert_eq!(offset(&board), Some(place), "{board:?}");
                assert!(before <= Some(key(&board)), "{board:?}");
                before = Some(key(&board));
            }
            assert_eq!(before.map(|pits| pits[0]), Some(seeds));
        }
    }
}
