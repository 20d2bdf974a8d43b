//! A position and moves from there, as one text: `startpos moves FeCb`.

use std::str::FromStr;

use thiserror::Error;

use super::lexer::first_move;
use crate::engine::{Game, Record};
use crate::rules::{Board, ParseBoardError, Position, Ruleset, shortened};

/// A position and moves from there, which are not checked yet.
///
/// The text is a position in any notation that [`Position`] reads. It may begin with `fen`
/// and be followed by `moves` and the letters or squares of the moves.
///
/// ```
/// use krou::ogn::Setup;
/// use krou::rules::Ruleset;
///
/// let setup: Setup = "startpos moves FeC b".parse()?;
/// let record = setup.record(Ruleset::ABAPA, 3)?;
/// assert_eq!(record.letters(), "FeCb");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Where the moves begin: at most 48 seeds.
    start: Position,
    moves: String,
}

/// A move of a [`Setup`] that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("move {ply}, '{}': {why}", shortened(written))]
#[non_exhaustive]
pub struct SetupError {
    /// The number of the move, counted from 1.
    pub ply: usize,
    /// The move as written, or the first character of what is not one.
    pub written: String,
    /// The letters of the moves before it.
    pub before: String,
    /// Why it cannot be played.
    pub why: String,
}

impl Default for Setup {
    /// The start of a game.
    fn default() -> Setup {
        Setup {
            start: Position::from(Board::START),
            moves: String::new(),
        }
    }
}

impl FromStr for Setup {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Setup, ParseBoardError> {
        let text = text.trim();
        let text = text.strip_prefix("fen ").unwrap_or(text);
        let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
        Ok(Setup {
            start: start.parse()?,
            moves: moves.to_owned(),
        })
    }
}

impl Setup {
    /// This position and its moves, and more moves after them.
    #[must_use]
    pub fn with_moves(mut self, moves: &str) -> Setup {
        self.moves += moves;
        self
    }

    /// The position where the moves begin.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves as text.
    pub fn moves(&self) -> &str {
        &self.moves
    }

    /// The game with its moves, under these rules; the `repetitions`-th occurrence of a board
    /// ends it.
    ///
    /// # Errors
    /// If a move cannot be played.
    #[allow(clippy::missing_panics_doc)] // what was read has at most 48 seeds
    pub fn record(&self, rules: Ruleset, repetitions: u8) -> Result<Record, SetupError> {
        let game = Game::from_position(rules, self.start).expect("a position that was read");
        let mut record = Record::new(game.with_repetitions(repetitions));
        let mut rest = self.moves.trim_start();
        while let Some(first) = rest.chars().next() {
            let found = first_move(rest);
            let played = match found {
                Some(found) => record.play_for(found.player, found.pit),
                None => Err("pits are A to F for South and a to f for North".to_owned()),
            };
            let written = found.map_or(&rest[..first.len_utf8()], |m| m.written);
            played.map_err(|why| SetupError {
                ply: record.turns().len() + 1,
                written: written.to_owned(),
                before: record.letters(),
                why,
            })?;
            rest = rest[written.len()..].trim_start();
        }
        Ok(record)
    }
}
