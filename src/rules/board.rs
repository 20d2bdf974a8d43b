//! The board: twelve pits, always written from the mover's side.
//!
//! ```text
//!      11 10  9  8  7  6      the opponent's pits, right to left
//!       0  1  2  3  4  5      the mover's pits; sowing runs 0 → 5 → 6 → 11 → 0
//! ```

use std::fmt;

use thiserror::Error;

/// Pits on the board.
pub const PITS: usize = 12;
/// Pits in one player's row.
pub const ROW: usize = 6;
/// The most seeds a board can hold: four in each pit at the start.
pub const MAX_SEEDS: u8 = 48;

/// Seeds in the six pits of one player, in sowing order.
pub type Row = [u8; ROW];

/// Seeds in the twelve pits, seen from the player to move: pits `0..6` are the
/// mover's, `6..12` the opponent's, both in sowing order.
///
/// A `Board` never holds more than [`MAX_SEEDS`] seeds. Captured seeds are not part
/// of it: they change no value.
///
/// `Display` writes one line that [`str::parse`] reads back; [`Board::drawing`] shows the
/// board as players see it.
///
/// ```
/// use krou::rules::Board;
///
/// let board: Board = "1 1 1 1 1 2 / 4 2 3 0 0 0".parse()?;
/// assert_eq!(board.seeds(), 16);
/// assert_eq!(board.drawing(), " 0  0  0  3  2  4\n 1  1  1  1  1  2");
/// assert_eq!(board.to_string(), "1 1 1 1 1 2 / 4 2 3 0 0 0");
/// # Ok::<(), krou::rules::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[u8; 12]", into = "[u8; 12]"))]
pub struct Board {
    pits: [u8; PITS],
}

/// Twelve numbers that are not a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there are {seeds} seeds, but the game has only {MAX_SEEDS}")]
#[non_exhaustive]
pub struct TooManySeeds {
    /// The seeds counted.
    pub seeds: u32,
}

impl Board {
    /// The start of a game: four seeds in every pit.
    pub const START: Board = Board { pits: [4; PITS] };
    /// The board without seeds.
    pub const EMPTY: Board = Board { pits: [0; PITS] };

    /// A board from twelve pits, the mover's six first.
    ///
    /// # Errors
    /// If there are more than [`MAX_SEEDS`] seeds.
    pub fn new(pits: [u8; PITS]) -> Result<Board, TooManySeeds> {
        let seeds = pits.iter().map(|&s| u32::from(s)).sum();
        if seeds > u32::from(MAX_SEEDS) {
            return Err(TooManySeeds { seeds });
        }
        Ok(Board { pits })
    }

    /// A board from the two rows.
    ///
    /// # Errors
    /// If there are more than [`MAX_SEEDS`] seeds.
    #[doc(hidden)]
    pub fn from_rows(mover: Row, opponent: Row) -> Result<Board, TooManySeeds> {
        Board::new(join(mover, opponent))
    }

    /// A board made of another one's seeds, which cannot be too many.
    pub(crate) fn trusted(pits: [u8; PITS]) -> Board {
        debug_assert!(Board::new(pits).is_ok());
        Board { pits }
    }

    /// As [`Board::trusted`], from two rows.
    pub(crate) fn trusted_rows(mover: Row, opponent: Row) -> Board {
        Board::trusted(join(mover, opponent))
    }

    /// All twelve pits, the mover's six first.
    pub fn pits(&self) -> [u8; PITS] {
        self.pits
    }

    /// The mover's row.
    pub fn mover(&self) -> Row {
        std::array::from_fn(|pit| self.pits[pit])
    }

    /// The opponent's row.
    pub fn opponent(&self) -> Row {
        std::array::from_fn(|pit| self.pits[ROW + pit])
    }

    /// Seeds on the board, 0 to [`MAX_SEEDS`].
    pub fn seeds(&self) -> u8 {
        self.pits.iter().sum()
    }

    /// The same board seen from the other side.
    #[must_use]
    pub fn turned(&self) -> Board {
        Board {
            pits: join(self.opponent(), self.mover()),
        }
    }

    /// The board on two lines, as the mover sees it: the opponent's row, from right to
    /// left, above the mover's.
    pub fn drawing(&self) -> String {
        let line = |row: Row| row.map(|seeds| format!("{seeds:2}")).join(" ");
        let mut opponent = self.opponent();
        opponent.reverse();
        format!("{}\n{}", line(opponent), line(self.mover()))
    }
}

impl TryFrom<[u8; PITS]> for Board {
    type Error = TooManySeeds;

    /// As [`Board::new`].
    fn try_from(pits: [u8; PITS]) -> Result<Board, TooManySeeds> {
        Board::new(pits)
    }
}

impl From<Board> for [u8; PITS] {
    /// As [`Board::pits`].
    fn from(board: Board) -> [u8; PITS] {
        board.pits
    }
}

fn join(mover: Row, opponent: Row) -> [u8; PITS] {
    std::array::from_fn(|pit| {
        if pit < ROW {
            mover[pit]
        } else {
            opponent[pit - ROW]
        }
    })
}

/// Seeds in a row.
pub fn row_seeds(row: &Row) -> u8 {
    row.iter().sum()
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
