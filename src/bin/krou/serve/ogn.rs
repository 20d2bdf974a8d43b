//! Games in the notation OGN: written for a download, and read from an upload.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use krou::engine::SavedGame;
use krou::rules::Ruleset;
use serde::Serialize;

use super::errors::ApiError;
use super::game::GameSpec;
use super::limits;

/// The game of a text, as the parameters that other endpoints take.
#[derive(Debug, Serialize)]
pub struct ImportAnswer {
    rules: String,
    start: String,
    moves: String,
}

/// The game as a file.
///
/// # Errors
/// If a move cannot be played.
pub fn export(game: &GameSpec) -> Result<Response, ApiError> {
    let text = SavedGame::new(game.record()?).to_string();
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.ogn\"",
        ),
    ];
    Ok((headers, text).into_response())
}

/// The game of a text, by `default_rules` if the text names none.
///
/// # Errors
/// If the text is not a game, or has more moves than other endpoints take.
pub fn import(text: &str, default_rules: Ruleset) -> Result<ImportAnswer, ApiError> {
    let record = SavedGame::parse(text, default_rules)?.into_record();
    let count = record.turns().len();
    if count > limits::MOVES {
        let limit = limits::MOVES;
        return Err(ApiError::Parameters(format!(
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
