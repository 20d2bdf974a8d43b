//! Games as text in the notation OGN.

use std::str::FromStr;

use serde::Serialize;

use super::error::AnswerError;
use super::game::GameParameters;
use super::limits;
use super::query::{FromQuery, Query};
use crate::engine::Game;
use crate::ogn::{GameDefaults, SavedGame};
use crate::rules::Ruleset;

/// Which game of a text to read, and what it has where the text does not say.
#[derive(Clone, Debug)]
pub struct ImportParameters {
    defaults: GameDefaults,
    /// Counted from 1.
    game: usize,
}

impl FromQuery for ImportParameters {
    const NAMES: &'static [&'static str] = &["rules", "repetitions", "game"];

    fn from_query(query: &Query) -> Result<ImportParameters, AnswerError> {
        let rules = query.optional("rules").unwrap_or("abapa");
        Ok(ImportParameters {
            defaults: GameDefaults {
                rules: Ruleset::from_str(rules)?,
                repetitions: query.number("repetitions", 2..=3, Game::REPETITIONS)?,
            },
            game: query.number("game", 1..=usize::MAX, 1)?,
        })
    }
}

/// A game of a text, as the parameters that other endpoints take.
#[derive(Debug, Serialize)]
pub struct ImportAnswer {
    rules: String,
    start: String,
    moves: String,
    repetitions: u8,
    /// How many games the text has.
    games: usize,
    /// What the text says that the moves contradict.
    notes: Vec<String>,
}

impl GameParameters {
    /// The game by these rules as text.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn ogn(&self, rules: Ruleset) -> Result<String, AnswerError> {
        Ok(SavedGame::new(self.record(rules)?).to_string())
    }
}

impl ImportParameters {
    /// The game of a text.
    ///
    /// # Errors
    /// If the text has no such game, or this has more moves than other endpoints take.
    pub fn read(&self, text: &str) -> Result<ImportAnswer, AnswerError> {
        let mut all = SavedGame::parse_all(text, self.defaults)?;
        let (game, games) = (self.game, all.len());
        if game > games {
            return Err(AnswerError::Parameters(format!(
                "'game' cannot be {game}: the number of games in the text is {games}"
            )));
        }
        let saved = all.swap_remove(game - 1)?;
        let record = saved.record();
        let count = record.turns().len();
        if count > limits::MOVES {
            return Err(AnswerError::Parameters(format!(
                "the game has {count} moves: the limit is {}",
                limits::MOVES
            )));
        }
        let start = record.start();
        Ok(ImportAnswer {
            rules: start.rules().to_string(),
            start: start.position().to_string(),
            moves: record.letters(),
            repetitions: start.repetitions(),
            games,
            notes: saved.notes().to_vec(),
        })
    }
}
