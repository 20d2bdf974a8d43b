//! The index of a layer: all boards with `n` seeds as a stack of matrices.
//!
//! ```text
//!  section o: o seeds in the opponent's row            section o + 1
//!           one entry for each row of the mover
//!           (n − o seeds, R(n − o) of them)
//!          ┌──────────────────────────────────┐
//!   lines  │ line 0: first opponent's row     │
//!   one    │ line 1                           │
//!   for    │ …                                │
//!   each   └──────────────────────────────────┘
//!   opponent's row with o seeds
//! ```
//!
//! A board's index counts entries from the first line of section 0 on.

use std::ops::Range;

use super::binomial::{binomial, narrow, ways};
use super::row::{
    is_open, open_rank, open_row_count, rank, row_count, successor, unrank, unrank_open,
};
use crate::rules::{Board, MAX_SEEDS, ROW, Row, Ruleset, row_seeds};

/// Which rows of the opponent have a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpponentRows {
    /// Rows with an empty pit. In the oware family the player who has just moved has
    /// one, so every board that a move leads to has a line.
    Open,
    /// All rows.
    All,
}

impl OpponentRows {
    /// The rows that need a line in a ruleset.
    pub fn of(rules: Ruleset) -> OpponentRows {
        match rules {
            Ruleset::Oware(_) => OpponentRows::Open,
            Ruleset::Stores(_) => OpponentRows::All,
        }
    }

    /// The number of rows with `seeds` seeds that have a line.
    pub fn count(self, seeds: u8) -> u32 {
        match self {
            OpponentRows::Open => open_row_count(seeds),
            OpponentRows::All => row_count(seeds),
        }
    }

    /// The line of an opponent's row, if it has one.
    pub fn line(self, row: &Row) -> Option<u32> {
        match self {
            OpponentRows::Open => is_open(row).then(|| open_rank(row)),
            OpponentRows::All => Some(rank(row)),
        }
    }

    /// The opponent's row of a line.
    ///
    /// # Panics
    /// If `line` is not below [`OpponentRows::count`].
    pub fn row(self, seeds: u8, line: u32) -> Row {
        match self {
            OpponentRows::Open => unrank_open(seeds, line),
            OpponentRows::All => unrank(seeds, line),
        }
    }
}

/// The location of a board in its layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// Seeds in the opponent's row.
    pub section: u8,
    /// The rank of the opponent's row among those that have a line.
    pub line: u32,
    /// The rank of the mover's row.
    pub rank: u32,
}

/// The index of one layer: from boards to `0..len` and back.
///
/// ```
/// use krou::index::LayerIndex;
/// use krou::rules::{Board, Ruleset};
///
/// let layer = LayerIndex::new(Ruleset::AWARI, 16);
/// let board: Board = "1 1 1 1 1 2 / 4 2 3 0 0 0".parse()?;
/// let index = layer.index(&board).expect("the opponent has an empty pit");
/// assert_eq!(layer.board(index), board);
/// assert_eq!(layer.len(), 12_685_179); // C(27, 11) − C(21, 11)
/// # Ok::<(), krou::rules::ParseBoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerIndex {
    seeds: u8,
    lines: OpponentRows,
    /// The index of the first entry of each section, and the layer's length.
    starts: Vec<u64>,
}

impl LayerIndex {
    /// The layer of a ruleset's boards with `seeds` seeds.
    ///
    /// # Panics
    /// If `seeds` is more than [`MAX_SEEDS`].
    pub fn new(rules: Ruleset, seeds: u8) -> LayerIndex {
        assert!(seeds <= MAX_SEEDS, "a layer of {seeds} seeds");
        let lines = OpponentRows::of(rules);
        let mut starts = vec![0];
        let mut end = 0;
        for section in 0..=seeds {
            end += u64::from(lines.count(section)) * u64::from(row_count(seeds - section));
            starts.push(end);
        }
        LayerIndex {
            seeds,
            lines,
            starts,
        }
    }

    /// Seeds on each board of the layer.
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// Which rows of the opponent have a line.
    #[doc(hidden)]
    pub fn lines(&self) -> OpponentRows {
        self.lines
    }

    /// Indexed boards. Never 0.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// Lines of a section: one for each indexed row of the opponent.
    ///
    /// # Panics
    /// If `section` is 55 or more.
    #[doc(hidden)]
    pub fn section_lines(&self, section: u8) -> usize {
        self.lines.count(section) as usize
    }

    /// Entries of each line of a section: one for each row of the mover.
    ///
    /// # Panics
    /// If `section` is more than the layer's seeds.
    #[inline]
    #[doc(hidden)]
    pub fn section_width(&self, section: u8) -> usize {
        row_count(self.seeds - section) as usize
    }

    /// Entries of a section.
    ///
    /// # Panics
    /// If `section` is more than the layer's seeds.
    #[doc(hidden)]
    pub fn section_entries(&self, section: u8) -> usize {
        self.section_lines(section) * self.section_width(section)
    }

    /// Entries of the largest section.
    #[doc(hidden)]
    pub fn largest_section(&self) -> usize {
        let sections = (0..=self.seeds).map(|section| self.section_entries(section));
        sections.max().unwrap_or(0)
    }

    /// The index of the first entry of a section.
    ///
    /// # Panics
    /// If `section` is more than the layer's seeds plus one.
    #[doc(hidden)]
    pub fn section_start(&self, section: u8) -> u64 {
        self.starts[usize::from(section)]
    }

    /// The index of the first entry of each section, and the layer's length.
    pub(super) fn section_starts(&self) -> &[u64] {
        &self.starts
    }

    /// The location of a board; `None` if it is not in this layer's index: it has
    /// another number of seeds, or the opponent's row has no line.
    #[inline]
    #[doc(hidden)]
    pub fn locate(&self, board: &Board) -> Option<Location> {
        let opponent = board.opponent();
        if board.seeds() != self.seeds {
            return None;
        }
        Some(Location {
            section: row_seeds(&opponent),
            line: self.lines.line(&opponent)?,
            rank: rank(&board.mover()),
        })
    }

    /// The index of the board at a location, which must be one of this layer.
    ///
    /// # Panics
    /// May panic, or return an unspecified index, for a location of another layer.
    #[inline]
    #[doc(hidden)]
    pub fn index_of(&self, location: Location) -> u64 {
        let width = self.section_width(location.section) as u64;
        self.section_start(location.section)
            + u64::from(location.line) * width
            + u64::from(location.rank)
    }

    /// The index of a board; `None` where [`LayerIndex::locate`] has none.
    pub fn index(&self, board: &Board) -> Option<u64> {
        self.locate(board).map(|location| self.index_of(location))
    }

    /// The board with this index.
    ///
    /// # Panics
    /// If `index` is not below [`LayerIndex::len`].
    pub fn board(&self, index: u64) -> Board {
        assert!(index < self.len(), "board {index} of {}", self.len());
        let mut section = 0;
        while self.section_start(section + 1) <= index {
            section += 1;
        }
        let offset = index - self.section_start(section);
        let width = self.section_width(section) as u64;
        let opponent = self.lines.row(section, narrow(offset / width));
        let mover = unrank(self.seeds - section, narrow(offset % width));
        Board::trusted_rows(mover, opponent)
    }

    /// All boards in the order of the index.
    ///
    /// ```
    /// use krou::index::LayerIndex;
    /// use krou::rules::Ruleset;
    ///
    /// let layer = LayerIndex::new(Ruleset::AWARI, 2);
    /// assert_eq!(layer.boards().len(), 78);
    /// ```
    ///
    /// On systems with 32 bits, the `len` of the iterator panics in large layers, because
    /// a `usize` cannot hold it.
    pub fn boards(&self) -> impl ExactSizeIterator<Item = Board> + '_ {
        self.boards_from(0)
    }

    /// The boards from index `start` on, in order: faster than one by one.
    #[doc(hidden)]
    pub fn boards_from(&self, start: u64) -> impl ExactSizeIterator<Item = Board> + '_ {
        Boards {
            layer: self,
            indexes: start..self.len(),
            last: None,
        }
    }
}

/// The boards with some indexes of a layer, in order.
struct Boards<'l> {
    layer: &'l LayerIndex,
    indexes: Range<u64>,
    /// The board before.
    last: Option<Board>,
}

impl Iterator for Boards<'_> {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        let index = self.indexes.next()?;
        // The next board of the same line, else the first of the next line.
        let next = self.last.and_then(|board| {
            let mover = successor(board.mover())?;
            Some(Board::trusted_rows(mover, board.opponent()))
        });
        self.last = Some(next.unwrap_or_else(|| self.layer.board(index)));
        self.last
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indexes.size_hint()
    }
}

impl ExactSizeIterator for Boards<'_> {}

/// All boards with `seeds` seeds, indexed or not: C(seeds + 11, 11).
pub fn board_count(seeds: u8) -> u64 {
    ways(seeds, 2 * ROW)
}

/// Indexed boards with `seeds` seeds in the oware family:
/// C(seeds + 11, 11) − C(seeds + 5, 11).
#[doc(hidden)]
pub fn open_board_count(seeds: u8) -> u64 {
    board_count(seeds) - binomial(usize::from(seeds) + 5, 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both families, every layer up to 9 seeds: the index is a bijection
    /// between `0..len` and exactly the boards that belong there.
    #[test]
    fn index_is_a_bijection() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            for seeds in 0..=9 {
                let layer = LayerIndex::new(rules, seeds);
                let mut indexed = 0;
                let mut all = 0;
                for opponent_seeds in 0..=seeds {
                    for opponent in super::super::row::rows(opponent_seeds) {
                        for mover in super::super::row::rows(seeds - opponent_seeds) {
                            let board = Board::from_rows(mover, opponent).unwrap();
                            all += 1;
                            let belongs = rules == Ruleset::KALAH || is_open(&opponent);
                            assert_eq!(layer.index(&board).is_some(), belongs);
                            // Nested loops in rank order visit 0, 1, 2, … in turn.
                            if let Some(index) = layer.index(&board) {
                                assert_eq!(index, indexed);
                                assert_eq!(layer.board(index), board);
                                indexed += 1;
                            }
                        }
                    }
                }
                assert_eq!(all, board_count(seeds));
                for start in [0, 1, layer.len() / 2, layer.len()] {
                    let walked = layer.boards_from(start);
                    assert!(walked.eq((start..layer.len()).map(|index| layer.board(index))));
                }
                assert_eq!(indexed, layer.len());
                if rules == Ruleset::AWARI {
                    assert_eq!(indexed, open_board_count(seeds));
                }
            }
        }
    }

    #[test]
    fn boards_know_how_many_are_left() {
        for (rules, seeds) in [
            (Ruleset::AWARI, 0),
            (Ruleset::AWARI, 7),
            (Ruleset::KALAH, 4),
        ] {
            let layer = LayerIndex::new(rules, seeds);
            for start in [0, layer.len() - 1, layer.len(), layer.len() + 1] {
                let mut boards = layer.boards_from(start);
                let mut left = usize::try_from(layer.len().saturating_sub(start)).unwrap();
                assert_eq!(boards.len(), left);
                while boards.next().is_some() {
                    left -= 1;
                    assert_eq!(boards.len(), left);
                }
                assert_eq!(left, 0);
            }
        }
        // More than 32 bits can hold.
        #[cfg(target_pointer_width = "64")]
        assert_eq!(
            LayerIndex::new(Ruleset::AWARI, 48).boards().len(),
            203_648_015_935
        );
    }

    /// Romein and Bal 2002 counted 889,063,398,406 positions: these boards,
    /// and the start, which no move leads to. 47 seeds cannot occur.
    #[test]
    fn board_count_is_the_published_one() {
        let occurring = (0..=46).chain([48]);
        let by_formula: u64 = occurring.clone().map(open_board_count).sum();
        let by_sections: u64 = occurring
            .map(|n| LayerIndex::new(Ruleset::AWARI, n).len())
            .sum();
        assert_eq!(by_formula, 889_063_398_405);
        assert_eq!(by_sections, 889_063_398_405);
        assert_eq!(open_board_count(48), 203_648_015_935);
    }
}
