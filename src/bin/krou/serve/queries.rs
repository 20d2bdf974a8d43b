//! Queries of the tables: probes, boards and best lines.

use std::sync::atomic::{AtomicBool, Ordering};

use krou::rules::Position;
use krou::tablebase::Tablebase;

use super::access_log;
use super::answers::{BoardAnswer, BoardResult, BoardsAnswer, LineAnswer};
use super::errors::{ApiError, ErrorBody};
use crate::json::{Known, known};

/// Probes a position. A missing layer is a valid answer, a damaged table an error.
pub fn probe(tables: &Tablebase, position: &Position) -> Result<Known, ApiError> {
    Ok(known(tables.probe(&position.board))?)
}

/// A board and its moves, best first.
///
/// # Errors
/// If the layer is missing, with the moves, or if a table cannot be read.
pub fn board(tables: &Tablebase, position: &Position) -> Result<BoardAnswer, ApiError> {
    let known = probe(tables, position)?;
    let moves = tables.moves(&position.board)?;
    let answer = BoardAnswer::new(tables.rules(), position, known, &moves);
    match known {
        Ok(_) => Ok(answer),
        Err(seeds) => Err(ApiError::missing(tables.rules(), seeds, answer)),
    }
}

/// Several boards as text, each answered for itself.
///
/// # Errors
/// If `stop` is set.
pub fn boards(
    tables: &Tablebase,
    texts: &[String],
    stop: &AtomicBool,
) -> Result<BoardsAnswer<ErrorBody>, ApiError> {
    let answer = |text: &String| {
        if stop.load(Ordering::Relaxed) {
            return Err(ApiError::OutOfTime);
        }
        let position = text.parse().map_err(ApiError::from);
        Ok(
            match position.and_then(|position| board(tables, &position)) {
                Ok(answer) => BoardResult::Board(Box::new(answer)),
                Err(error) => {
                    access_log::late_failure(&error.failure());
                    BoardResult::Error(Box::new(ErrorBody::from(error)))
                }
            },
        )
    };
    let boards = texts.iter().map(answer).collect::<Result<_, _>>()?;
    Ok(BoardsAnswer { boards })
}

/// The best line of at most this many plies.
///
/// # Errors
/// As [`board`].
pub fn best_line(
    tables: &Tablebase,
    position: &Position,
    plies: usize,
) -> Result<LineAnswer, ApiError> {
    let known = probe(tables, position)?;
    if known.is_err() {
        board(tables, position)?;
    }
    let line = tables.best_line(&position.board, plies)?;
    Ok(LineAnswer::new(tables.rules(), position, known, &line))
}
