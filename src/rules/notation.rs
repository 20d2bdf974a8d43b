//! Boards as text, in two notations:
//!
//! - *pits*: twelve numbers, the mover's row first, split by spaces, commas or
//!   `/`: `1 1 1 1 1 2 / 4 2 3 0 0 0`. This is what krou writes.
//! - *engine*: the notation of oware engines, `h1-…-h12-south-north-S|N`: South's
//!   six pits, North's six, both stores, and who is to move.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::board::{Board, MAX_SEEDS, PITS, TooManySeeds};

/// Why a text is not a board. Each message names the offending part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// Not twelve numbers.
    #[error("a board needs 12 numbers, the mover's row first, but {found} were given")]
    Count {
        /// How many there were.
        found: usize,
    },
    /// A part is not a whole number from 0 to 48.
    #[error(
        "'{text}' (number {position} of the board) is not a whole number from 0 to {MAX_SEEDS}"
    )]
    Number {
        /// The part as it was given, shortened if long.
        text: String,
        /// Which part, counted from 1.
        position: usize,
    },
    /// The numbers add up to more seeds than the game has.
    #[error(transparent)]
    TooMany(#[from] TooManySeeds),
    /// Seeds on the board and in the stores are more than the game has.
    #[error("board and stores hold {seeds} seeds together, but the game has only {MAX_SEEDS}")]
    TooManyWithStores {
        /// The seeds counted.
        seeds: u32,
    },
    /// Engine notation without its fifteen parts.
    #[error(
        "engine notation needs 15 parts, 'h1-…-h12-south-north-S' or '…-N', but {found} were given"
    )]
    EngineParts {
        /// How many there were.
        found: usize,
    },
    /// Engine notation with a side that is neither S nor N.
    #[error("'{text}' is not a side to move: write S (South) or N (North)")]
    Side {
        /// The part as it was given, shortened if long.
        text: String,
    },
}

impl Board {
    /// The board on one line, the mover's row first:
    /// `1 1 1 1 1 2 / 4 2 3 0 0 0`.
    pub fn notation(&self) -> String {
        let text = |row: [u8; 6]| row.map(|s| s.to_string()).join(" ");
        format!("{} / {}", text(self.mover()), text(self.opponent()))
    }
}

/// A moment of a game: a board with both stores and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The board, from the side of the player to move.
    pub board: Board,
    /// Seeds in South's store.
    pub south: u8,
    /// Seeds in North's store.
    pub north: u8,
    /// Whether North is to move.
    pub north_to_move: bool,
}

impl fmt::Display for Position {
    /// Writes the notation of engines, which [`str::parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from_south, side) = if self.north_to_move {
            (self.board.turned(), 'N')
        } else {
            (self.board, 'S')
        };
        for seeds in from_south.pits() {
            write!(f, "{seeds}-")?;
        }
        write!(f, "{}-{}-{side}", self.south, self.north)
    }
}

impl From<Board> for Position {
    /// South to move, and empty stores.
    fn from(board: Board) -> Position {
        Position {
            board,
            south: 0,
            north: 0,
            north_to_move: false,
        }
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads either notation; of an engine position only the board is kept,
    /// turned so that the player to move is the mover.
    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        text.parse().map(|position: Position| position.board)
    }
}

impl FromStr for Position {
    type Err = ParseBoardError;

    /// Reads either notation.
    fn from_str(text: &str) -> Result<Position, ParseBoardError> {
        let text = text.trim();
        // Without separators a dash joins engine parts; elsewhere it is a sign.
        let separated = text.contains(|c: char| c.is_whitespace() || c == ',' || c == '/');
        if !separated && !text.starts_with('-') && text.contains('-') {
            return parse_engine(text);
        }
        let parts: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c == ',' || c == '/')
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() != PITS {
            // A part that is not a number says more than the count.
            for (i, part) in parts.iter().enumerate() {
                number(part, i)?;
            }
            return Err(ParseBoardError::Count { found: parts.len() });
        }
        let mut pits = [0; PITS];
        for (i, part) in parts.iter().enumerate() {
            pits[i] = number(part, i)?;
        }
        Ok(Board::new(pits)?.into())
    }
}

fn parse_engine(text: &str) -> Result<Position, ParseBoardError> {
    let parts: Vec<&str> = text.split('-').collect();
    if parts.len() != PITS + 3 {
        return Err(ParseBoardError::EngineParts { found: parts.len() });
    }
    let mut numbers = [0; PITS + 2];
    for (i, part) in parts[..PITS + 2].iter().enumerate() {
        numbers[i] = number(part, i)?;
    }
    let seeds = numbers.iter().map(|&s| u32::from(s)).sum();
    if seeds > u32::from(MAX_SEEDS) {
        return Err(ParseBoardError::TooManyWithStores { seeds });
    }
    let from_south = Board::new(std::array::from_fn(|pit| numbers[pit]))?;
    let (board, north_to_move) = match parts[PITS + 2] {
        "S" | "s" => (from_south, false),
        "N" | "n" => (from_south.turned(), true),
        other => {
            return Err(ParseBoardError::Side {
                text: shortened(other),
            });
        }
    };
    Ok(Position {
        board,
        south: numbers[PITS],
        north: numbers[PITS + 1],
        north_to_move,
    })
}

fn number(text: &str, index: usize) -> Result<u8, ParseBoardError> {
    // `parse` alone would take "+4" too.
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<u8>() {
        Ok(n) if digits && n <= MAX_SEEDS => Ok(n),
        _ => Err(ParseBoardError::Number {
            text: shortened(text),
            position: index + 1,
        }),
    }
}

/// Any text as part of a message: on one line, and shortened.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 20;
    let clean: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if text.chars().count() > LONGEST {
        format!("{clean}…")
    } else {
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Board>().unwrap_err().to_string()
    }

    #[test]
    fn separators_can_be_mixed() {
        let plain: Board = "1 1 1 1 1 2 4 2 3 0 0 0".parse().unwrap();
        for text in [
            "1,1,1,1,1,2/4,2,3,0,0,0",
            " 1 1 1 1 1 2 / 4 2 3 0 0 0 ",
            "1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0",
            "01 1 1 1 1 2\t4 2 3 0 0 0",
        ] {
            assert_eq!(text.parse::<Board>().unwrap(), plain, "{text}");
        }
    }

    #[test]
    fn engine_notation_turns_the_board_for_north() {
        assert_eq!("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S".parse(), Ok(Board::START));
        let south: Board = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-S".parse().unwrap();
        let north: Board = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N".parse().unwrap();
        assert_eq!(south.notation(), "1 2 3 0 0 0 / 0 0 0 4 5 6");
        assert_eq!(north, south.turned());
        let position: Position = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N".parse().unwrap();
        assert_eq!(
            (position.board, position.south, position.north),
            (north, 20, 7)
        );
        assert!(position.north_to_move);
        for text in [
            "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N",
            "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        ] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        assert_eq!("1 2 3 0 0 0 0 0 0 4 5 6".parse(), Ok(Position::from(south)));
    }

    #[test]
    fn errors_name_the_offending_part() {
        for (text, part) in [
            ("", "0 were given"),
            ("1 2 3", "3 were given"),
            ("0 0 0 0 0 0 0 0 0 0 0 0 0", "13 were given"),
            ("0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
            ("0 0 0 x", "'x' (number 4"),
            ("-1 0 0 0 0 0 0 0 0 0 0 0", "'-1' (number 1"),
            ("+1 0 0 0 0 0 0 0 0 0 0 0", "'+1' (number 1"),
            ("1.5 0 0 0 0 0 0 0 0 0 0 0", "'1.5' (number 1"),
            ("49 0 0 0 0 0 0 0 0 0 0 0", "'49' (number 1"),
            (
                "99999999999999999999999 0 0 0 0 0 0 0 0 0 0 0",
                "'99999999999999999999…' (number 1",
            ),
            ("48 1 0 0 0 0 0 0 0 0 0 0", "49 seeds"),
            ("48 48 48 48 48 48 48 48 48 48 48 48", "576 seeds"),
            ("4-4-4", "3 were given"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "'X' is not a side"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds together"),
            ("4-4-4-4-4-4-4-4-4-4-4--1-0-S", "'' (number 12"),
        ] {
            assert!(error(text).contains(part), "{text}: {}", error(text));
        }
    }
}
