//! Why a text is no game.

use thiserror::Error;

use super::SavedGame;
use crate::engine::game::PlayError;
use crate::engine::player::Player;
use crate::rules::{ParseBoardError, UnknownRuleset};

/// Why a text is no game. Lines and moves are counted from 1, moves as OGN numbers
/// them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// More bytes than are read.
    #[error(
        "the text has {bytes} bytes, but a game has at most {}",
        SavedGame::MOST_BYTES
    )]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// More moves than are read.
    #[error("line {line}: a game has at most {} moves", SavedGame::MOST_MOVES)]
    TooManyMoves {
        /// Where the first that is too much stands.
        line: usize,
    },
    /// Nothing but blanks and comments.
    #[error("the text holds no game: there are neither tags nor moves")]
    Empty,
    /// A bracket with something else in it than a tag.
    #[error("line {line}: a tag is written [Name \"value\"], on one line")]
    Tag {
        /// Where it begins.
        line: usize,
    },
    /// Rules that are not known.
    #[error("line {line}: {why}")]
    Rules {
        /// Where the tag begins.
        line: usize,
        /// Which they are.
        why: UnknownRuleset,
    },
    /// A start that is no position.
    #[error("line {line}: the tag FEN holds no position: {why}")]
    Start {
        /// Where the tag begins.
        line: usize,
        /// What is wrong with it.
        why: ParseBoardError,
    },
    /// A comment or a variation without its end.
    #[error("line {line}: '{open}' is never closed")]
    Unclosed {
        /// Where it begins.
        line: usize,
        /// What it begins with.
        open: char,
    },
    /// Neither a move nor anything else that belongs into a game.
    #[error(
        "line {line}: '{word}' is no move: South plays A to F or 0 to 5, North a to f or 6 to 11"
    )]
    Word {
        /// Where it stands.
        line: usize,
        /// The word, shortened if long.
        word: String,
    },
    /// Something after the end of the game.
    #[error("line {line}: '{word}' comes after the result: a text holds one game")]
    AfterResult {
        /// Where it stands.
        line: usize,
        /// The word, shortened if long.
        word: String,
    },
    /// A pit of the player who is not to move.
    #[error("line {line}: move {number}, '{played}': it is {to_move}'s turn")]
    Turn {
        /// Where it stands.
        line: usize,
        /// Its number.
        number: usize,
        /// The move as it was written.
        played: String,
        /// Whose turn it is.
        to_move: Player,
    },
    /// A move that the rules do not allow. North's pits are 6 to 11.
    #[error("line {line}: move {number}, '{played}': {why}")]
    Move {
        /// Where it stands.
        line: usize,
        /// Its number.
        number: usize,
        /// The move as it was written.
        played: String,
        /// Why it is illegal.
        why: PlayError,
    },
}
