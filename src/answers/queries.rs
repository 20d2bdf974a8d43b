//! Queries of the tables: probes, boards and best lines.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board::{BoardAnswer, BoardResult, BoardsAnswer, LineAnswer};
use super::error::AnswerError;
use super::fields::{Known, known};
use super::probe::ProbeAnswer;
use crate::rules::Position;
use crate::tablebase::Tablebase;

/// Probes a position. A missing layer is a valid answer, a damaged table an error.
///
/// # Errors
/// If a table cannot be read.
pub(super) fn probe(tables: &Tablebase, position: &Position) -> Result<Known, AnswerError> {
    Ok(known(tables.probe(&position.board))?)
}

/// A board with the value of each of its moves. A missing layer is a valid answer.
///
/// # Errors
/// If a table cannot be read.
pub fn probe_moves(tables: &Tablebase, position: &Position) -> Result<ProbeAnswer, AnswerError> {
    let known = probe(tables, position)?;
    let moves = tables.moves(&position.board)?;
    let rules = tables.rules();
    Ok(ProbeAnswer::new(rules, &position.board, known, &moves))
}

/// A board and its moves, best first.
///
/// # Errors
/// If the layer is missing, with the moves, or if a table cannot be read.
pub fn board(tables: &Tablebase, position: &Position) -> Result<BoardAnswer, AnswerError> {
    let known = probe(tables, position)?;
    let moves = tables.moves(&position.board)?;
    let answer = BoardAnswer::new(tables.rules(), position, known, &moves);
    match known {
        Ok(_) => Ok(answer),
        Err(seeds) => Err(AnswerError::Missing {
            rules: tables.rules(),
            seeds,
            board: Box::new(answer),
        }),
    }
}

/// Several boards as text, each answered for itself; `explain` makes an object of an
/// error.
///
/// # Errors
/// If `stop` is set.
pub fn boards<E>(
    tables: &Tablebase,
    texts: &[String],
    stop: &AtomicBool,
    explain: impl Fn(AnswerError) -> E,
) -> Result<BoardsAnswer<E>, AnswerError> {
    let answer = |text: &String| {
        if stop.load(Ordering::Relaxed) {
            return Err(AnswerError::Stopped);
        }
        let position = text.parse().map_err(AnswerError::from);
        Ok(
            match position.and_then(|position| board(tables, &position)) {
                Ok(answer) => BoardResult::Board(Box::new(answer)),
                Err(error) => BoardResult::Error(Box::new(explain(error))),
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
) -> Result<LineAnswer, AnswerError> {
    let known = probe(tables, position)?;
    if known.is_err() {
        board(tables, position)?;
    }
    let line = tables.best_line(&position.board, plies)?;
    Ok(LineAnswer::new(tables.rules(), position, known, &line))
}
