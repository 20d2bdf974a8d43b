//! The legal moves of a board, and playing one.

use krou::rules::Player;
use krou_answers::{MovesAnswer, StepAnswer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

use crate::board::PositionArg;
use crate::errors::IllegalMove;
use crate::results::{make, make_all};
use crate::ruleset::RulesArg;

/// The legal moves of a board, by pit. They need no tables.
///
/// >>> import krou
/// >>> for m in krou.legal_moves("0 0 0 0 0 1 / 2 0 0 0 0 1"):
/// ...     print(m.pit, m.captured, m.board.notation)
/// 5 3 0 0 0 0 0 1 / 0 0 0 0 0 0
#[pyfunction]
#[pyo3(signature = (board, rules = None), text_signature = "(board, rules='awari')")]
pub fn legal_moves(
    py: Python<'_>,
    board: PositionArg,
    rules: Option<RulesArg>,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let moves = RulesArg::or_default(rules).moves(&board.0.board);
    make_all(py, "move", MovesAnswer::new(&board.0, &moves).moves)
}

/// Plays a pit of a board, 0 to 5 or its letter: a move as ``legal_moves`` has it. Raises
/// ``IllegalMove``, a ``ValueError``, if the pit may not be played.
///
/// >>> import krou
/// >>> krou.play("0 0 0 0 0 1 / 2 0 0 0 0 1", 5).gain
/// 3
#[pyfunction]
#[pyo3(signature = (board, pit, rules = None), text_signature = "(board, pit, rules='awari')")]
pub fn play<'py>(
    py: Python<'py>,
    board: PositionArg,
    pit: &Bound<'py, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Bound<'py, PyAny>> {
    let player = board.0.to_move;
    let pit = pit_of(player, pit)?;
    let played = RulesArg::or_default(rules).play(&board.0.board, pit);
    let step = played.map_err(|why| IllegalMove::new_err(why.to_string()))?;
    make(py, "move", &StepAnswer::new(&step, player))
}

/// The pit of a move: an int, or the letter of a pit of the player to move.
pub fn pit_of(to_move: Player, played: &Bound<'_, PyAny>) -> PyResult<u8> {
    let Ok(text) = played.cast::<PyString>() else {
        return match played.extract::<u8>() {
            Ok(pit) => Ok(pit),
            Err(_) if played.is_instance_of::<PyInt>() => Err(IllegalMove::new_err(format!(
                "there is no pit {played}: they are 0 to 5"
            ))),
            Err(_) => Err(PyTypeError::new_err(format!(
                "a move is a pit, 0 to 5, or its letter, not {}",
                played.get_type().name()?
            ))),
        };
    };
    let text = text.to_cow()?;
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    match letter.and_then(Player::from_letter) {
        Some((player, pit)) if player == to_move => Ok(pit),
        Some(_) => Err(IllegalMove::new_err(format!(
            "move '{text}': it is {to_move}'s turn"
        ))),
        None => Err(IllegalMove::new_err(format!(
            "'{}' is not a move: South plays A to F, North a to f",
            text.chars().take(20).collect::<String>()
        ))),
    }
}
