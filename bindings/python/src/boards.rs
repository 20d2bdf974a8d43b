//! Arrays of boards: from any array of integers to the library's boards, and back.

use std::mem;

use krou::rules::{MAX_SEEDS, PITS};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::basic::CompareOp;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PySlice, PyString};

use crate::board::{BoardArg, as_array, board_error};

/// Boards that are converted and probed at a time. Between two portions Ctrl-C is
/// noticed.
const PORTION: usize = 1 << 20;

/// Calls `sink` with all boards, a portion at a time. They are an array of shape (N, 12)
/// and any integer type and layout, or a sequence of whatever stands for a board.
pub fn for_each_portion(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    mut sink: impl FnMut(Vec<krou::Board>) -> PyResult<()>,
) -> PyResult<()> {
    let boards = &as_array(boards)?;
    let Ok(array) = boards.cast::<PyUntypedArray>() else {
        return of_sequence(boards, &mut sink);
    };
    check(array)?;
    let count = array.shape()[0];
    for start in (0..count).step_by(PORTION) {
        py.check_signals()?;
        let end = count.min(start + PORTION);
        let rows = PySlice::new(py, start.cast_signed(), end.cast_signed(), 1);
        sink(of_rows(&boards.get_item(rows)?, start)?)?;
    }
    Ok(())
}

/// Checks the shape and the type of an array.
fn check(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    if !matches!(array.shape(), [_, PITS]) {
        let shape = array.getattr("shape")?;
        return Err(board_error(format!(
            "boards are an array of shape (N, 12), not {shape}"
        )));
    }
    let dtype = array.dtype();
    match dtype.getattr("kind")?.extract::<String>()?.as_str() {
        "i" | "u" => Ok(()),
        _ => Err(board_error(format!(
            "boards are an array of integers, not of {dtype}"
        ))),
    }
}

/// The boards of some rows of an array, the first of them row `first`.
fn of_rows(rows: &Bound<'_, PyAny>, first: usize) -> PyResult<Vec<krou::Board>> {
    let bytes = match rows.extract::<PyReadonlyArray2<u8>>() {
        Ok(bytes) if bytes.is_c_contiguous() => bytes,
        _ => to_bytes(rows, first)?,
    };
    let pits = bytes.as_slice()?.as_chunks::<PITS>().0;
    let boards = pits.iter().enumerate().map(|(row, &pits)| {
        let place = |error| board_error(format!("board {}: {error}", first + row));
        match pits.iter().position(|&seeds| seeds > MAX_SEEDS) {
            Some(pit) => Err(place(out_of_range(&pits[pit].to_string(), pit))),
            None => krou::Board::new(pits).map_err(|error| place(error.to_string())),
        }
    });
    boards.collect()
}

/// Rows of integers of any type and layout as bytes.
fn to_bytes<'py>(rows: &Bound<'py, PyAny>, first: usize) -> PyResult<PyReadonlyArray2<'py, u8>> {
    let py = rows.py();
    let too_few = rows.rich_compare(0, CompareOp::Lt)?;
    let wrong = too_few.bitor(rows.rich_compare(MAX_SEEDS, CompareOp::Gt)?)?;
    if wrong.call_method0(intern!(py, "any"))?.is_truthy()? {
        let place: usize = wrong.call_method0(intern!(py, "argmax"))?.extract()?;
        let (row, pit) = (place / PITS, place % PITS);
        let number = rows.get_item((row, pit))?.to_string();
        let why = out_of_range(&number, pit);
        return Err(board_error(format!("board {}: {why}", first + row)));
    }
    let in_rows = [("order", "C")].into_py_dict(py)?;
    let bytes = rows.call_method(intern!(py, "astype"), ("uint8",), Some(&in_rows))?;
    bytes.extract()
}

fn out_of_range(number: &str, pit: usize) -> String {
    let text = number.to_owned();
    let position = pit + 1;
    krou::rules::ParseBoardError::Number { text, position }.to_string()
}

/// An array with a row of `N` columns for each board.
pub fn to_array<T: Element, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])
}

/// Boards that are the elements of a list or the like.
fn of_sequence(
    boards: &Bound<'_, PyAny>,
    sink: &mut impl FnMut(Vec<krou::Board>) -> PyResult<()>,
) -> PyResult<()> {
    if boards.is_instance_of::<PyString>() {
        return Err(board_error(
            "boards are an array of shape (N, 12) or a sequence of boards, not text",
        ));
    }
    let mut portion = Vec::new();
    for (number, board) in boards.try_iter()?.enumerate() {
        let board: PyResult<BoardArg> = board?.extract();
        let board = board.map_err(|error| {
            board_error(format!("board {number}: {}", error.value(boards.py())))
        })?;
        portion.push(board.0);
        if portion.len() == PORTION {
            boards.py().check_signals()?;
            sink(mem::take(&mut portion))?;
        }
    }
    sink(portion)
}
