//! Moves: what each does, and in a tablebase what it is worth.

use krou::rules::{Next, Step};
use krou::tablebase::{PrincipalVariation, RankedMove as LibraryMove};
use pyo3::prelude::*;

use crate::board::{Board, BoardArg};
use crate::ruleset::RulesArg;

/// A legal move and what it does.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The pit, 0 to 5.
    pit: u8,
    /// Seeds taken by a capture.
    captured: u8,
    /// Net seeds that the mover takes by this step, including what the end of the game
    /// gives.
    gain: i8,
    /// The board as the next player sees it, or as the same player sees it where
    /// ``again`` is true.
    board: Board,
    /// Whether the same player moves again.
    again: bool,
    /// Whether the move ends the game.
    ends: bool,
}

impl From<&Step> for Move {
    fn from(step: &Step) -> Move {
        Move {
            pit: step.pit,
            captured: step.captured,
            gain: step.gain,
            board: Board(step.board),
            again: step.next == Next::Again,
            ends: step.next == Next::Over,
        }
    }
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        format!(
            "Move(pit={}, captured={}, gain={}, board='{}', again={}, ends={})",
            self.pit,
            self.captured,
            self.gain,
            self.board.0.notation(),
            python_bool(self.again),
            python_bool(self.ends)
        )
    }
}

/// A legal move with what it is worth to the mover, captures included.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The pit, 0 to 5.
    pit: u8,
    /// Seeds taken by a capture.
    captured: u8,
    /// Net seeds that the mover takes by this step.
    gain: i8,
    /// The board as the next player sees it, or as the same player sees it where
    /// ``again`` is true.
    board: Board,
    /// Whether the same player moves again.
    again: bool,
    /// Whether the move ends the game.
    ends: bool,
    /// Net seeds for the mover; ``None`` where a layer is missing.
    value: Option<i8>,
    /// Plies to the next conversion, counted from before the move; ``None`` where it is
    /// not known or the value is 0.
    distance: Option<u8>,
    /// The value if endless play counts as the worst for the mover; ``None`` where the
    /// ruleset has no bounds.
    lower: Option<i8>,
    /// The value if endless play counts as the best for the mover.
    upper: Option<i8>,
    /// Whether the move keeps the value of the board.
    best: bool,
}

impl RankedMove {
    /// A move of a board with this value, if it is known.
    pub fn new(ranked: &LibraryMove, value_of_board: Option<i8>) -> RankedMove {
        let Move {
            pit,
            captured,
            gain,
            board,
            again,
            ends,
        } = Move::from(&ranked.step);
        let value = ranked.result.map(|result| result.value);
        let bounds = ranked.result.and_then(|result| result.bounds);
        RankedMove {
            pit,
            captured,
            gain,
            board,
            again,
            ends,
            value,
            distance: ranked.result.and_then(|result| result.distance),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            best: value_of_board.is_some() && value == value_of_board,
        }
    }
}

#[pymethods]
impl RankedMove {
    fn __repr__(&self) -> String {
        format!(
            "RankedMove(pit={}, captured={}, value={}, distance={}, best={})",
            self.pit,
            self.captured,
            python_number(self.value),
            python_number(self.distance),
            python_bool(self.best)
        )
    }
}

/// The best moves of both sides from a board on.
#[pyclass(frozen, eq, module = "krou")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    steps: Vec<Move>,
    end: &'static str,
}

impl From<&PrincipalVariation> for Line {
    fn from(line: &PrincipalVariation) -> Line {
        Line {
            steps: line.steps.iter().map(Move::from).collect(),
            end: line.end.word(),
        }
    }
}

#[pymethods]
impl Line {
    /// The moves, each on the board that the one before it leads to.
    #[getter]
    fn steps(&self) -> Vec<Move> {
        self.steps.clone()
    }

    /// The pits of the moves.
    #[getter]
    fn pits(&self) -> Vec<u32> {
        self.steps.iter().map(|step| step.pit.into()).collect()
    }

    /// Why it ends: ``"over"`` (the game is), ``"loop"`` (endless play), ``"missing"`` (a
    /// layer is) or ``"length"``.
    #[getter]
    fn end(&self) -> &'static str {
        self.end
    }

    fn __len__(&self) -> usize {
        self.steps.len()
    }

    fn __repr__(&self) -> String {
        format!("Line(pits={:?}, end='{}')", self.pits(), self.end)
    }
}

/// The legal moves of a board, by pit. They need no tables.
///
/// >>> import krou
/// >>> for m in krou.legal_moves("0 0 0 0 0 1 / 2 0 0 0 0 1"):
/// ...     print(m.pit, m.captured, m.board.notation)
/// 5 3 0 0 0 0 0 1 / 0 0 0 0 0 0
#[pyfunction]
#[pyo3(signature = (board, rules = None), text_signature = "(board, rules='awari')")]
pub fn legal_moves(board: BoardArg, rules: Option<RulesArg>) -> Vec<Move> {
    let moves = RulesArg::or_default(rules).moves(&board.0);
    moves.legal().map(|step| Move::from(&step)).collect()
}

/// A truth value as Python writes it.
pub fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// A number as Python writes it.
pub fn python_number(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "None".to_owned(), |number| number.to_string())
}
