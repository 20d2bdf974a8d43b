//! Boards, moves and best lines from tables, and the parameters that name them.

use super::board::{BoardAnswer, LineAnswer, known};
use super::error::AnswerError;
use super::limits;
use super::query::{FromQuery, Query};
use crate::rules::Position;
use crate::tablebase::Tablebase;

/// A board and its moves. A missing layer is a valid answer.
///
/// # Errors
/// If a table cannot be read.
pub fn probe(tables: &Tablebase, position: &Position) -> Result<BoardAnswer, AnswerError> {
    let known = known(tables.probe(&position.board))?;
    let moves = tables.moves(&position.board)?;
    Ok(BoardAnswer::new(tables.rules(), position, known, &moves))
}

/// A board and its moves, whose layer must have a table.
///
/// # Errors
/// If the layer is missing, with the moves, or if a table cannot be read.
pub fn board(tables: &Tablebase, position: &Position) -> Result<BoardAnswer, AnswerError> {
    let answer = probe(tables, position)?;
    match answer.board.missing {
        None => Ok(answer),
        Some(seeds) => Err(AnswerError::Missing {
            rules: tables.rules(),
            seeds,
            board: Box::new(answer),
        }),
    }
}

/// The best line of at most this many plies.
///
/// # Errors
/// As [`board()`].
pub fn best_line(
    tables: &Tablebase,
    position: &Position,
    plies: usize,
) -> Result<LineAnswer, AnswerError> {
    let answer = board(tables, position)?;
    let line = tables.best_line(&position.board, plies)?;
    Ok(LineAnswer::new(answer.board, position, &line))
}

/// A board.
#[derive(Clone, Debug)]
pub struct BoardParameters {
    pub position: Position,
}

impl FromQuery for BoardParameters {
    const NAMES: &'static [&'static str] = &["board"];

    fn from_query(query: &Query) -> Result<BoardParameters, AnswerError> {
        let position = query.required("board")?.parse()?;
        Ok(BoardParameters { position })
    }
}

/// A board, and the length of its best line.
#[derive(Clone, Debug)]
pub struct LineParameters {
    pub position: Position,
    pub plies: usize,
}

impl FromQuery for LineParameters {
    const NAMES: &'static [&'static str] = &["board", "plies"];

    fn from_query(query: &Query) -> Result<LineParameters, AnswerError> {
        const DEFAULT_PLIES: usize = 40;
        Ok(LineParameters {
            position: query.required("board")?.parse()?,
            plies: query.number("plies", 0..=limits::PLIES, DEFAULT_PLIES)?,
        })
    }
}
