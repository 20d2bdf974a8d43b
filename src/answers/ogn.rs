//! Games as text in the notation OGN.

use std::str::FromStr;

use serde::Serialize;

use super::error::AnswerError;
use super::game::GameParameters;
use super::limits;
use super::query::{FromQuery, Query};
use crate::engine::SavedGame;
use crate::rules::Ruleset;

/// The rules of a game that names none.
#[derive(Clone, Debug)]
pub struct ImportParameters {
    rules: Ruleset,
}

impl FromQuery for ImportParameters {
    const NAMES: &'static [&'static str] = &["rules"];

    fn from_query(query: &Query) -> Result<ImportParameters, AnswerError> {
        let rules = match query.optional("rules") {
            Some(name) => Ruleset::from_str(name)?,
            None => Ruleset::AWARI,
        };
        Ok(ImportParameters { rules })
    }
}

/// The game of a text, as the parameters that other endpoints take.
#[derive(Debug, Serialize)]
pub struct ImportAnswer {
    rules: String,
    start: String,
    moves: String,
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
    /// If the text is not a game, or has more moves than other endpoints take.
    pub fn read(&self, text: &str) -> Result<ImportAnswer, AnswerError> {
        let record = SavedGame::parse(text, self.rules)?.into_record();
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
        })
    }
}
