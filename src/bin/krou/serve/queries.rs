//! Queries of the tables: probes, boards and best lines.

use krou::rules::Position;
use krou::tablebase::Tablebase;

use super::answers::{BoardAnswer, LineAnswer};
use super::errors::ApiError;
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
