//! Games as text in the notation OGN.

use serde::Serialize;

use super::error::AnswerError;
use super::game::GameSpec;
use super::limits;
use crate::engine::SavedGame;
use crate::rules::Ruleset;

/// The game of a text, as the parameters that other endpoints take.
#[derive(Debug, Serialize)]
pub struct ImportAnswer {
    rules: String,
    start: String,
    moves: String,
}

/// The game as a text.
///
/// # Errors
/// If a move cannot be played.
pub fn export(game: &GameSpec) -> Result<String, AnswerError> {
    Ok(SavedGame::new(game.record()?).to_string())
}

/// The game of a text, by `default_rules` if the text names none.
///
/// # Errors
/// If the text is not a game, or has more moves than other endpoints take.
pub fn import(text: &str, default_rules: Ruleset) -> Result<ImportAnswer, AnswerError> {
    let record = SavedGame::parse(text, default_rules)?.into_record();
    let count = record.turns().len();
    if count > limits::MOVES {
        let limit = limits::MOVES;
        return Err(AnswerError::Parameters(format!(
            "the game has {count} moves: the limit is {limit}"
        )));
    }
    let start = record.start();
    Ok(ImportAnswer {
        rules: start.rules().to_string(),
        start: start.position().to_string(),
        moves: record.letters(),
    })
}
