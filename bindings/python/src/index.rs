//! The index of layers: from boards to their indexes and back, one by one and in arrays.

use krou::index::LayerIndex;
use krou::rules::{MAX_SEEDS, PITS};
use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arguments;
use crate::board::{Board, BoardArg, as_array};
use crate::boards::{for_each_portion, to_array};
use crate::ruleset::RulesArg;

/// The number of indexed boards with this many seeds.
///
/// >>> import krou
/// >>> krou.layer_size(9)
/// 167596
#[pyfunction]
#[pyo3(signature = (seeds, rules = None), text_signature = "(seeds, rules='awari')")]
pub fn layer_size(seeds: &Bound<'_, PyAny>, rules: Option<RulesArg>) -> PyResult<u64> {
    let seeds = arguments::seeds(seeds)?;
    Ok(LayerIndex::new(RulesArg::or_default(rules), seeds).len())
}

/// The index of a board in its layer; ``None`` for a board that has none, because no move
/// leads to it.
///
/// For an array of boards, of shape (N, 12), it is an int64 array: the index of each board
/// in the layer of its seeds, -1 where it has none.
///
/// >>> import krou, numpy
/// >>> krou.index_of("0 0 0 0 0 1 / 2 0 0 0 0 1")
/// 1203
/// >>> krou.index_of("0 0 0 0 0 0 / 1 1 1 1 1 1") is None
/// True
/// >>> krou.index_of(numpy.array([[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1], [4] * 12])).tolist()
/// [1203, -1]
#[pyfunction]
#[pyo3(signature = (board, rules = None), text_signature = "(board, rules='awari')")]
pub fn index_of<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Bound<'py, PyAny>> {
    let rules = RulesArg::or_default(rules);
    let array = as_array(board)?;
    if array.cast::<PyUntypedArray>().is_ok_and(|a| a.ndim() == 2) {
        let layers: Vec<LayerIndex> = (0..=MAX_SEEDS)
            .map(|seeds| LayerIndex::new(rules, seeds))
            .collect();
        let index = |board: &krou::Board| {
            let index = layers[usize::from(board.seeds())].index(board);
            index.map_or(-1, u64::cast_signed)
        };
        let mut indexes = Vec::new();
        for_each_portion(py, &array, |boards| {
            py.detach(|| indexes.extend(boards.iter().map(index)));
            Ok(())
        })?;
        return Ok(PyArray1::from_vec(py, indexes).into_any());
    }
    let board: BoardArg = board.extract()?;
    let index = LayerIndex::new(rules, board.0.seeds()).index(&board.0);
    Ok(index.into_pyobject(py)?)
}

/// The board with an index.
///
/// For an array of indexes it is an array of boards, of shape (N, 12).
///
/// >>> import krou
/// >>> krou.board_at(4, krou.index_of("0 0 0 0 0 1 / 2 0 0 0 0 1"))
/// Board('0 0 0 0 0 1 / 2 0 0 0 0 1')
/// >>> import numpy
/// >>> indexes = numpy.random.default_rng(1).integers(0, krou.layer_size(16), 1000)
/// >>> krou.board_at(16, indexes).shape
/// (1000, 12)
#[pyfunction]
#[pyo3(signature = (seeds, index, rules = None), text_signature = "(seeds, index, rules='awari')")]
pub fn board_at<'py>(
    py: Python<'py>,
    seeds: &Bound<'py, PyAny>,
    index: &Bound<'py, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Bound<'py, PyAny>> {
    let layer = LayerIndex::new(RulesArg::or_default(rules), arguments::seeds(seeds)?);
    let array = as_array(index)?;
    if array.cast::<PyUntypedArray>().is_ok_and(|a| a.ndim() > 0) {
        let indexes = arguments::integers("indexes", &array)?;
        let indexes = indexes.as_slice()?;
        let board = |&index: &i64| {
            let within = u64::try_from(index).ok().filter(|&i| i < layer.len());
            within.map(|i| layer.board(i).pits()).ok_or(index)
        };
        let boards: Result<Vec<_>, i64> = py.detach(|| indexes.iter().map(board).collect());
        let boards = boards.map_err(|index| outside(&layer, index))?;
        return Ok(to_array::<_, PITS>(py, boards)?.into_any());
    }
    let index = arguments::whole("the index", index, 0..=u64::MAX)?;
    if index >= layer.len() {
        return Err(outside(&layer, index));
    }
    let board = Board(layer.board(index)).into_pyobject(py)?;
    Ok(board.into_any())
}

fn outside(layer: &LayerIndex, index: impl std::fmt::Display) -> PyErr {
    PyIndexError::new_err(format!(
        "there is no board {index} among the {} boards with {} seeds",
        layer.len(),
        layer.seeds()
    ))
}
