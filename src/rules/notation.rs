//! Boards and positions as text. Every front end reads all of these notations:
//!
//! - *pits*: twelve numbers, the mover's row first, split by spaces, commas or a `/` between
//!   the rows: `1 1 1 1 1 2 / 4 2 3 0 0 0`. This is what krou writes. Also as an array, alone
//!   or in the JSON of a board.
//! - *pits and stores*: fourteen numbers: the mover's six pits and store, then the opponent's.
//! - *engine*: the notation of oware engines, `h1-…-h12-south-north-S|N`: South's
//!   six pits, North's six, both stores, and who is to move.
//! - *squares*: the FEN of `PlayStrategy`, `4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1`: North's
//!   row first, from left to right as South sees it, `3S` for three seeds and `3` for three
//!   empty pits; then the stores of South and North, who is to move, and the number of the move.
//! - *KGP*: `<6,south,north,…>` of the Kalah Game Protocol: the size of a row, the stores of South
//!   and North, South's pits and North's; South is to move.
//! - `startpos`: the start of a game.
//!
//! Dashes, digits and blanks of word processors count as plain ones, `_` as a blank, and `4.0` as
//! a whole number.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::board::{Board, MAX_SEEDS, PITS, ROW, Row, TooManySeeds};
use super::position::{Player, Position, Stores};

/// Numbers of a position: the pits, and a store for each player.
const WITH_STORES: usize = PITS + 2;

/// Why a text is not a board. Each message names the offending part; the variants may change
/// in any release.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// Not twelve numbers.
    #[doc(hidden)]
    #[error("a board needs 12 numbers, the mover's row first, but {found} were given")]
    Count {
        /// How many there were.
        found: usize,
    },
    /// A part is not a whole number from 0 to 48.
    #[doc(hidden)]
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
    #[doc(hidden)]
    #[error(transparent)]
    TooMany(#[from] TooManySeeds),
    /// Seeds on the board and in the stores are more than the game has.
    #[doc(hidden)]
    #[error("board and stores hold {seeds} seeds together, but the game has only {MAX_SEEDS}")]
    TooManyWithStores {
        /// The seeds counted.
        seeds: u32,
    },
    /// A `/` that is not between the rows.
    #[doc(hidden)]
    #[error("a '/' stands between the rows, {half} numbers before it and {half} after it")]
    Slash {
        /// How many numbers a row has.
        half: usize,
    },
    /// A row in the notation of squares that has not six pits.
    #[doc(hidden)]
    #[error("'{text}' is not a row of 6 pits: write 4S for four seeds and 2 for two empty pits")]
    Squares {
        /// The row as it was given, shortened if long.
        text: String,
    },
    /// A board of the Kalah Game Protocol that is not one of six pits.
    #[doc(hidden)]
    #[error(
        "'<{text}' is not a board of the Kalah Game Protocol with rows of 6 pits: write \
         <6,south,north,…>, both stores, South's pits and North's"
    )]
    Kgp {
        /// What follows `<`, shortened if long.
        text: String,
    },
    /// Engine notation without its fifteen parts.
    #[doc(hidden)]
    #[error(
        "engine notation needs 15 parts, 'h1-…-h12-south-north-S' or '…-N', but {found} were given"
    )]
    EngineParts {
        /// How many there were.
        found: usize,
    },
    /// Something after engine notation.
    #[doc(hidden)]
    #[error("'{text}' follows the position: leave it out, or write 'moves' before moves")]
    Rest {
        /// What follows, shortened if long.
        text: String,
    },
    /// Engine notation with a side that is neither S nor N.
    #[doc(hidden)]
    #[error("'{text}' is not a side to move: write S (South) or N (North)")]
    Side {
        /// The part as it was given, shortened if long.
        text: String,
    },
}

impl fmt::Display for Board {
    /// Writes the pits on one line, the mover's row first: `1 1 1 1 1 2 / 4 2 3 0 0 0`.
    /// [`str::parse`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |row: Row| row.map(|seeds| seeds.to_string()).join(" ");
        write!(f, "{} / {}", text(self.mover()), text(self.opponent()))
    }
}

impl fmt::Display for Position {
    /// Writes the notation of engines, which [`str::parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.to_move {
            Player::South => 'S',
            Player::North => 'N',
        };
        for seeds in self.board_from_south().pits() {
            write!(f, "{seeds}-")?;
        }
        write!(f, "{}-{}-{side}", self.stores.south, self.stores.north)
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads any notation; of a position only the board is kept, turned so that the player
    /// to move is the mover.
    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        text.parse().map(|position: Position| position.board)
    }
}

impl FromStr for Position {
    type Err = ParseBoardError;

    /// Reads any notation.
    fn from_str(text: &str) -> Result<Position, ParseBoardError> {
        let plain_text: String;
        let mut text = text;
        if !text.is_ascii() || text.contains('_') {
            let blank = |c| if c == '_' { ' ' } else { plain(c) };
            plain_text = text.chars().map(blank).collect();
            text = &plain_text;
        }
        let text = array(text.trim());
        if text.eq_ignore_ascii_case("startpos") {
            return Ok(Board::START.into());
        }
        if let Some(literal) = text.strip_prefix('<') {
            return parse_kgp(literal);
        }
        let is_squares =
            |(rows, rest): &(&str, &str)| rows.contains('/') && rest.contains(['S', 's', 'N', 'n']);
        if let Some((rows, rest)) = text.split_once(' ').filter(is_squares) {
            return parse_squares(rows, rest);
        }
        // Without separators a dash joins engine parts; elsewhere it is a sign.
        if let Some((first, rest)) = text.split_once(' ')
            && first.trim_start_matches('-').matches('-').count() >= PITS
        {
            return Err(ParseBoardError::Rest {
                text: shortened(rest.trim_start()),
            });
        }
        let separated = text.contains(is_separator) || text.contains('/');
        if !separated && !text.starts_with('-') && text.contains('-') {
            return parse_engine(text);
        }
        parse_numbers(text)
    }
}

/// The numbers of an array, which may be the board of a JSON object; other text unchanged.
fn array(text: &str) -> &str {
    let board = text.strip_prefix('{').and_then(|object| {
        let (_, board) = object.split_once("\"board\":")?;
        Some(board.split_once(']')?.0.trim_start())
    });
    let array = text.strip_suffix(']').or(board).unwrap_or(text);
    match array.strip_prefix('[') {
        Some(numbers) if array.len() < text.len() => numbers.trim(),
        _ => text,
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

fn parse_numbers(text: &str) -> Result<Position, ParseBoardError> {
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for row in text.split('/') {
        for part in row.split(is_separator).filter(|part| !part.is_empty()) {
            numbers.push(number(part, numbers.len())?);
        }
        rows.push(numbers.len());
    }
    let half = numbers.len() / 2;
    let (own, other) = match numbers.len() {
        PITS => (0, 0),
        WITH_STORES => (numbers.remove(ROW), numbers.remove(PITS)),
        found => return Err(ParseBoardError::Count { found }),
    };
    if rows.len() > 2 || rows[0] != half && rows.len() == 2 {
        return Err(ParseBoardError::Slash { half });
    }
    let pits = std::array::from_fn(|pit| numbers[pit]);
    position(pits, own, other, Player::South)
}

fn parse_engine(text: &str) -> Result<Position, ParseBoardError> {
    let parts: Vec<&str> = text.split('-').collect();
    let [numbers @ .., side] = &parts[..] else {
        return Err(ParseBoardError::EngineParts { found: 0 });
    };
    if numbers.len() != WITH_STORES {
        return Err(ParseBoardError::EngineParts { found: parts.len() });
    }
    let mut read = [0; WITH_STORES];
    for (i, part) in numbers.iter().enumerate() {
        read[i] = number(part, i)?;
    }
    let to_move = side_to_move(side)?;
    let from_south = std::array::from_fn(|pit| read[pit]);
    position(from_south, read[PITS], read[PITS + 1], to_move)
}

fn parse_squares(rows: &str, rest: &str) -> Result<Position, ParseBoardError> {
    let wrong = |row: &str| ParseBoardError::Squares {
        text: shortened(row),
    };
    let read = |row: &str| -> Result<Vec<u8>, ParseBoardError> {
        let mut pits = Vec::new();
        for cell in row.split(',') {
            match cell.strip_suffix(['S', 's']) {
                Some(seeds) => pits.push(number(seeds, pits.len())?),
                None => pits.resize(pits.len() + usize::from(number(cell, pits.len())?), 0),
            }
        }
        Some(pits)
            .filter(|pits| pits.len() == ROW)
            .ok_or_else(|| wrong(row))
    };
    let (north, south) = rows.split_once('/').ok_or_else(|| wrong(rows))?;
    let mut pits = read(south)?;
    // North sows from right to left.
    pits.extend(read(north)?.into_iter().rev());
    let pits = std::array::from_fn(|pit| pits[pit]);
    let mut words = rest.split_whitespace();
    let mut store = |index| number(words.next().unwrap_or_default(), index);
    let stores = [store(PITS)?, store(PITS + 1)?];
    let to_move = side_to_move(words.next().unwrap_or_default())?;
    position(pits, stores[0], stores[1], to_move)
}

/// Reads what follows `<`.
fn parse_kgp(literal: &str) -> Result<Position, ParseBoardError> {
    let wrong = || ParseBoardError::Kgp {
        text: shortened(literal),
    };
    let is_row_of_six = |numbers: &&str| numbers.trim_start().starts_with("6,");
    let numbers = literal.strip_suffix('>').filter(is_row_of_six);
    let numbers = numbers.ok_or_else(wrong)?;
    let parts: Vec<&str> = numbers
        .split(is_separator)
        .filter(|p| !p.is_empty())
        .collect();
    let mut read = [0; 1 + WITH_STORES];
    if parts.len() != read.len() {
        return Err(wrong());
    }
    for (i, part) in parts.iter().enumerate() {
        read[i] = number(part, i)?;
    }
    let [_, south, north, pits @ ..] = read;
    position(pits, south, north, Player::South)
}

fn side_to_move(side: &str) -> Result<Player, ParseBoardError> {
    match side {
        "S" | "s" => Ok(Player::South),
        "N" | "n" => Ok(Player::North),
        other => Err(ParseBoardError::Side {
            text: shortened(other),
        }),
    }
}

/// A position with these pits, South's first.
fn position(
    pits: [u8; PITS],
    south: u8,
    north: u8,
    to_move: Player,
) -> Result<Position, ParseBoardError> {
    let board = Board::new(pits)?;
    let seeds = [board.seeds(), south, north].map(u32::from).iter().sum();
    if seeds > u32::from(MAX_SEEDS) {
        return Err(ParseBoardError::TooManyWithStores { seeds });
    }
    Ok(Position::new(
        match to_move {
            Player::South => board,
            Player::North => board.turned(),
        },
        Stores { south, north },
        to_move,
    ))
}

fn number(text: &str, index: usize) -> Result<u8, ParseBoardError> {
    // A column of a spreadsheet that once had a gap.
    let whole = text.strip_suffix(".0").unwrap_or(text);
    // `parse` alone would take "+4" too.
    let digits = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    match whole.parse::<u8>() {
        Ok(n) if digits && n <= MAX_SEEDS => Ok(n),
        _ => Err(ParseBoardError::Number {
            text: shortened(text),
            position: index + 1,
        }),
    }
}

/// The plain character for one of word processors and newsletters: dashes and quotes as typed on
/// a keyboard, full width as half width, and a blank for what cannot be seen.
pub(crate) fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{feff}'
        | '\u{ad}'
        | '\u{1a}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
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
        assert_eq!(south.to_string(), "1 2 3 0 0 0 / 0 0 0 4 5 6");
        assert_eq!(north, south.turned());
        let position: Position = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N".parse().unwrap();
        assert_eq!(
            (position.board, position.stores.south, position.stores.north),
            (north, 20, 7)
        );
        assert_eq!(position.to_move, Player::North);
        for text in [
            "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N",
            "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        ] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        assert_eq!("1 2 3 0 0 0 0 0 0 4 5 6".parse(), Ok(Position::from(south)));
    }

    #[test]
    fn notations_of_other_programs_are_read() {
        for (text, position) in [
            ("startpos", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
            ("[1,1,1,1,1,2,4,2,3,0,0,0]", "1-1-1-1-1-2-4-2-3-0-0-0-0-0-S"),
            (
                "[ 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1 ]",
                "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S",
            ),
            (
                "{\"board\":[0,0,0,0,0,1,2,0,0,0,0,1],\"seeds\":4,\"moves\":[{\"board\":[1]}]}",
                "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S",
            ),
            (
                "1 3 2 1 4 2 4 0 1 0 2 0 3 9",
                "1-3-2-1-4-2-0-1-0-2-0-3-4-9-S",
            ),
            (
                "1 3 2 1 4 2 4 / 0 1 0 2 0 3 9",
                "1-3-2-1-4-2-0-1-0-2-0-3-4-9-S",
            ),
            (
                "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1",
                "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
            ),
            ("1S,4,1S/2S,5 20 23 S 40", "2-0-0-0-0-0-1-0-0-0-0-1-20-23-S"),
            ("1S,5/5,1S_23_23_N_7", "0-0-0-0-0-1-0-0-0-0-0-1-23-23-N"),
            (
                "4–4‑4−4-4-4-4-4-4-4-4-4-0-0-S",
                "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
            ),
            (
                "１\u{200b}1 1 1 1 2 ／ 4 2 3 0 0\u{200b}0.0",
                "1-1-1-1-1-2-4-2-3-0-0-0-0-0-S",
            ),
            (
                "<6,20,7,1,2,3,0,0,0,0,0,0,4,5,6>",
                "1-2-3-0-0-0-0-0-0-4-5-6-20-7-S",
            ),
            ("1S,5/5,1S 23 23 N 7", "0-0-0-0-0-1-0-0-0-0-0-1-23-23-N"),
            ("6/6 24 24 N", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N"),
        ] {
            let read: Position = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(read.to_string(), position, "{text}");
        }
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
            ("1 1 1 1 1 2 4 / 2 3 0 0 0", "6 numbers before it"),
            ("1 1 1 1 1 2 / 4 2 3 / 0 0 0", "6 numbers before it"),
            ("/ 1 1 1 1 1 2 4 2 3 0 0 0", "6 numbers before it"),
            ("1 1 1 1 1 2 / 4 0 2 3 0 0 0 9", "7 numbers before it"),
            ("[0,0,0,0,0,1", "'[0' (number 1"),
            ("{\"error\":\"no board\"}", "(number 1"),
            ("4 4 4 4 4 4 4 4 4 4 4 4 1 0", "49 seeds together"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S extra", "'extra' follows"),
            ("<3,10,2,1,2,3,4,2,0>", "rows of 6 pits"),
            ("<6,20,7,1,2,3>", "rows of 6 pits"),
            ("<6,20,7,1,2,3,0,0,0,0,0,0,4,5,x>", "'x' (number 15"),
            ("1S,4/2S,5 20 23 S 40", "'1S,4' is not a row of 6"),
            ("1S,4,1S/2S,5 20 S", "'S' (number 14"),
            ("1S,4,1S/2S,5 20 23 X S", "'X' is not a side"),
            ("1S,4,1S/xS,5 20 23 S", "'x' (number 1"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "'X' is not a side"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds together"),
            ("4-4-4-4-4-4-4-4-4-4-4--1-0-S", "'' (number 12"),
        ] {
            assert!(error(text).contains(part), "{text}: {}", error(text));
        }
    }
}
