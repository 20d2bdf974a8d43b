//! The legal moves of a board.

use krou_answers::MovesAnswer;
use pyo3::prelude::*;

use crate::board::PositionArg;
use crate::results::make_all;
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
