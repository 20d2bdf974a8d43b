//! Errors in the text of a game.

use thiserror::Error;

use super::saved_game::SavedGame;
use crate::rules::{ParseBoardError, UnknownRuleset};

/// Why a text cannot be read as a game. Lines are counted from 1, and moves have the
/// numbers of OGN: `2. C` and `2... c`.
///
/// The `Display` of each error is a whole sentence that includes its source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The text is longer than [`SavedGame::MAX_BYTES`].
    #[error(
        "the text has {bytes} bytes, but a game has at most {}",
        SavedGame::MAX_BYTES
    )]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The game has more moves than [`SavedGame::MAX_MOVES`].
    #[error("line {line}: a game has at most {} moves", SavedGame::MAX_MOVES)]
    TooManyMoves {
        /// The line of the first move beyond the limit.
        line: usize,
    },
    /// The text has neither tags nor moves.
    #[error("the text has neither tags nor moves")]
    Empty,
    /// A bracket is not followed by a tag.
    #[error("line {line}: a tag is written [Name \"value\"]")]
    Tag {
        /// The line on which it begins.
        line: usize,
    },
    /// The ruleset is unknown.
    #[error("line {line}: {why}")]
    Rules {
        /// The line of the tag.
        line: usize,
        /// The error, with the name.
        why: UnknownRuleset,
    },
    /// The start is not a position.
    #[error("line {line}: the tag FEN is not a position: {why}")]
    Start {
        /// The line of the tag.
        line: usize,
        /// The error.
        why: ParseBoardError,
    },
    /// The tag of the occurrence that ends the game is not a number from 2 to 255.
    #[error("line {line}: the tag Repetitions is a number from 2 on")]
    Repetitions {
        /// The line of the tag.
        line: usize,
    },
    /// A comment or a variation does not end.
    #[error("line {line}: '{open}' is not closed")]
    Unclosed {
        /// The line on which it begins.
        line: usize,
        /// Its opening bracket.
        open: char,
    },
    /// A word is neither a move nor anything else that a game may have.
    #[error(
        "line {line}: '{word}' is not a move: South plays A to F or 0 to 5, North a to f or 6 to 11"
    )]
    Word {
        /// Its line.
        line: usize,
        /// The word, shortened if it is long.
        word: String,
    },
    /// There is something after the result, and it is not the tags of another game.
    #[error("line {line}: '{word}' comes after the result: the next game begins with its tags")]
    AfterResult {
        /// Its line.
        line: usize,
        /// The word, shortened if it is long.
        word: String,
    },
    /// The text has more than one game.
    #[error("the text has {games} games: choose one of them")]
    Several {
        /// How many.
        games: usize,
    },
    /// Pits have numbers, and the moves are legal whether these begin with 0 or 1.
    #[error("line {line}: the first pit may be 0 or 1: write letters instead of numbers")]
    Numbering {
        /// The line of the first number.
        line: usize,
    },
    /// The move is illegal, or the pit belongs to the player who is not to move.
    #[error("line {line}: move {name}: {why}")]
    Move {
        /// Its line.
        line: usize,
        /// Its number, and the move as written.
        name: String,
        /// Why it cannot be played.
        why: String,
    },
}
