//! The rules for arrays of boards: legal moves, and a move on each board.

use krou::rules::{Next, PITS, ROW};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments;
use crate::boards::{for_each_portion, to_array};
use crate::errors::IllegalMove;
use crate::results::class;
use crate::ruleset::RulesArg;

/// Which pits of the mover may be played on each of many boards: a bool array of shape
/// (N, 6).
///
/// The boards are an array of shape (N, 12), of any integer type and layout, or a sequence
/// of boards. The interpreter's lock is released.
///
/// >>> import krou
/// >>> krou.legal_mask(["0 0 0 0 0 1 / 2 0 0 0 0 1"]).tolist()
/// [[False, False, False, False, False, True]]
#[pyfunction]
#[pyo3(signature = (boards, rules = None), text_signature = "(boards, rules='awari')")]
pub fn legal_mask<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let rules = RulesArg::or_default(rules);
    let mut masks = Vec::new();
    for_each_portion(py, boards, |boards| {
        let start = masks.len();
        masks.resize(start + boards.len(), [false; ROW]);
        py.detach(|| rules.legal_mask(&boards, &mut masks[start..]));
        Ok(())
    })?;
    to_array(py, masks)
}

/// Plays a pit, 0 to 5, on each of many boards: ``Played``, with the ``boards`` after the
/// moves as whoever is next sees them, the net seeds that each mover gains, and who is
/// ``next``.
///
/// The boards are an array of shape (N, 12), of any integer type and layout, or a sequence
/// of boards, and ``pits`` an array of N integers. Raises ``IllegalMove``, a ``ValueError``,
/// for the first pit that may not be played. The interpreter's lock is released.
///
/// >>> import krou
/// >>> boards, gain, next = krou.play_many(["0 0 0 0 0 1 / 2 0 0 0 0 1"], [5])
/// >>> boards.tolist(), gain.tolist(), next.tolist() == [krou.Next.OPPONENT]
/// ([[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]], [3], True)
#[pyfunction]
#[pyo3(signature = (boards, pits, rules = None), text_signature = "(boards, pits, rules='awari')")]
pub fn play_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    pits: &Bound<'py, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Bound<'py, PyAny>> {
    let rules = RulesArg::or_default(rules);
    let pits = arguments::integers("pits", pits)?;
    let pits = pits.as_slice()?;
    let (mut played, mut gains, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for_each_portion(py, boards, |mut boards| {
        let start = gains.len();
        let end = start + boards.len();
        let pits = pits.get(start..end).ok_or_else(|| unequal(pits.len()))?;
        let pits = small(pits, start)?;
        let mut next = vec![Next::Opponent; boards.len()];
        gains.resize(end, 0);
        py.detach(|| {
            rules.play_many(&mut boards, &pits, &mut gains[start..], &mut next)?;
            played.extend(boards.iter().map(krou::Board::pits));
            codes.extend(next.into_iter().map(code));
            Ok(())
        })
        .map_err(|(number, why)| illegal(start + number, &why))
    })?;
    if pits.len() != gains.len() {
        return Err(unequal(pits.len()));
    }
    class(py, "Played")?.call1((
        to_array::<_, PITS>(py, played)?,
        PyArray1::from_vec(py, gains),
        PyArray1::from_vec(py, codes),
    ))
}

/// The member of the enumeration `krou.Next`.
fn code(next: Next) -> i8 {
    match next {
        Next::Opponent => 0,
        Next::Again => 1,
        Next::Over => 2,
    }
}

/// Pits as the library takes them; `first` is the number of the first one.
fn small(pits: &[i64], first: usize) -> PyResult<Vec<u8>> {
    let pits = (first..).zip(pits).map(|(number, &pit)| {
        let pit_of_row = u8::try_from(pit).ok();
        pit_of_row
            .filter(|&pit| usize::from(pit) < ROW)
            .ok_or_else(|| illegal(number, &format!("there is no pit {pit}: they are 0 to 5")))
    });
    pits.collect()
}

fn illegal(number: usize, why: &dyn std::fmt::Display) -> PyErr {
    IllegalMove::new_err(format!("board {number}: {why}"))
}

fn unequal(pits: usize) -> PyErr {
    PyValueError::new_err(format!(
        "there must be a pit for each board, but there are {pits} pits"
    ))
}
