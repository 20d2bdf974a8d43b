//! Boards, moves and best lines from tables, and the parameters that name them.

use crate::board::{BoardAnswer, LineAnswer, LineFields, PitsAnswer, ResultFields, known};
use crate::error::AnswerError;
use crate::limits;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query};
use krou::engine::Game;
use krou::ogn::Setup;
use krou::rules::{Position, Ruleset};
use krou::tablebase::Tablebase;

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

/// The result of a board whose layer must have a table, without its moves.
///
/// # Errors
/// As [`board()`].
pub fn value(tables: &Tablebase, position: &Position) -> Result<ResultFields, AnswerError> {
    match known(tables.probe(&position.board))? {
        Ok(result) => Ok(Some(result).into()),
        Err(seeds) => Err(AnswerError::Missing {
            rules: tables.rules(),
            seeds,
            board: Box::new(probe(tables, position)?),
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
    let board = board(tables, position)?.board;
    let line = tables.best_line(&position.board, plies)?;
    let best = LineFields::new(position, &line);
    Ok(LineAnswer { board, best })
}

/// A board.
pub(crate) const BOARD: Parameter = Parameter::text(
    "board",
    "Twelve numbers, the mover's row first, or a position in any notation.",
)
.with_example("0,0,0,0,0,1,2,0,0,0,0,1");

const PLIES: Parameter = plies(40);

/// The length of a best line.
pub(crate) const fn plies(default: u64) -> Parameter {
    let range = 0..=limits::PLIES as u64;
    Parameter::number(
        "plies",
        "The most plies of the best line.",
        range,
        Some(default),
    )
}

/// A board, given as a position and moves from there.
#[derive(Clone, Debug)]
pub struct BoardParameters(Setup);

impl BoardParameters {
    /// Reads a position and moves from there.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn parse(text: &str) -> Result<BoardParameters, AnswerError> {
        Ok(BoardParameters(text.parse()?))
    }

    /// The position by these rules.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn position(&self, rules: Ruleset) -> Result<Position, AnswerError> {
        let record = self.0.record(rules, Game::REPETITIONS)?;
        Ok(record.game().position())
    }

    /// The legal moves, and why each of the other pits may not be played.
    ///
    /// # Errors
    /// As [`BoardParameters::position`].
    pub fn pits(&self, rules: Ruleset) -> Result<PitsAnswer, AnswerError> {
        Ok(PitsAnswer::new(rules, &self.position(rules)?))
    }
}

impl FromQuery for BoardParameters {
    const PARAMETERS: &'static [Parameter] = &[BOARD];

    fn from_query(query: &Query) -> Result<BoardParameters, AnswerError> {
        BoardParameters::parse(query.text(&BOARD)?)
    }
}

/// A board, and the length of its best line.
#[derive(Clone, Debug)]
pub struct LineParameters {
    pub board: BoardParameters,
    pub plies: usize,
}

impl FromQuery for LineParameters {
    const PARAMETERS: &'static [Parameter] = &[BOARD, PLIES];

    fn from_query(query: &Query) -> Result<LineParameters, AnswerError> {
        Ok(LineParameters {
            board: BoardParameters::from_query(query)?,
            plies: query.number(&PLIES)?,
        })
    }
}
