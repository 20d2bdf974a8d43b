//! Whole layers as arrays, in the order of the index, and the index itself.

use std::sync::{Mutex, PoisonError};

use krou::index::LayerIndex;
use krou::internal::solve::{LayerArray, Value};
use krou::internal::tablebase::Loader;
use krou::rules::PITS;
use krou::tablebase::LoadError;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arguments;
use crate::board::{Board, BoardArg};
use crate::errors::load_error;
use crate::results::class;
use crate::ruleset::RulesArg;

/// The entries of a layer in memory: one byte a board, two more where there are bounds,
/// one more where there are distances.
#[derive(Debug)]
pub struct Entries {
    layer: krou::internal::solve::Layer,
    distances: Option<LayerArray<u8>>,
}

/// The entries of some boards.
#[derive(Debug)]
struct Portion {
    boards: Vec<u8>,
    value: Vec<i8>,
    distance: Option<Vec<i16>>,
    bounds: Option<[Vec<i8>; 2]>,
}

impl Entries {
    /// Reads a layer; `load` loads it and those below it.
    pub fn read(
        mut loader: Loader<'_>,
        seeds: u8,
        load: impl FnOnce(&mut Loader<'_>) -> Result<(), LoadError>,
    ) -> Result<Entries, LoadError> {
        load(&mut loader)?;
        let distances = loader.distances(seeds)?;
        let layer = loader.into_layers().swap_remove(seeds.into());
        Ok(Entries { layer, distances })
    }

    fn index(&self) -> &LayerIndex {
        self.layer.index()
    }

    /// The boards of the layer.
    pub fn len(&self) -> u64 {
        self.index().len()
    }

    /// The entries of `count` boards from `start` on.
    fn portion(&self, start: u64, count: usize) -> Result<Portion, LoadError> {
        let boards = self.index().boards_from(start).take(count);
        let boards = boards.flat_map(|board| board.pits()).collect();
        let read = |array: &LayerArray<Value>| -> Result<Vec<i8>, LoadError> {
            let mut bytes = vec![0; count];
            array.copy_out(start, &mut bytes, |value| value.get().cast_unsigned());
            Ok(bytes.into_iter().map(u8::cast_signed).collect())
        };
        let value = read(self.layer.value())?;
        let distance = match &self.distances {
            None => None,
            Some(distances) => {
                let mut plies = vec![0; count];
                distances.copy_out(start, &mut plies, |plies| plies);
                let known = plies.iter().zip(&value);
                // Draws have no distance.
                let known = known.map(|(&plies, &value)| match value {
                    0 => -1,
                    _ => i16::from(plies),
                });
                Some(known.collect())
            }
        };
        let bounds = match self.layer.bounds() {
            None => None,
            Some(bounds) => Some([read(&bounds.lower)?, read(&bounds.upper)?]),
        };
        Ok(Portion {
            boards,
            value,
            distance,
            bounds,
        })
    }

    /// Some boards of the layer as arrays; those that it does not have are left out.
    pub fn arrays<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        count: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = count.min(self.len().saturating_sub(start)) as usize;
        let portion = py
            .detach(|| self.portion(start, count))
            .map_err(|error| load_error(py, &error))?;
        let [lower, upper] = match portion.bounds {
            None => [None, None],
            Some(bounds) => bounds.map(|array| Some(PyArray1::from_vec(py, array))),
        };
        let distance = portion.distance;
        class(py, "Layer")?.call1((
            self.index().seeds(),
            start,
            PyArray1::from_vec(py, portion.boards).reshape([count, PITS])?,
            PyArray1::from_vec(py, portion.value),
            distance.map(|array| PyArray1::from_vec(py, array)),
            lower,
            upper,
        ))
    }
}

/// Iterates over a layer, some boards at a time.
#[pyclass(frozen, module = "krou")]
#[derive(Debug)]
pub struct LayerChunks {
    entries: Entries,
    size: u64,
    next: Mutex<u64>,
}

impl LayerChunks {
    pub fn new(entries: Entries, size: u64) -> LayerChunks {
        LayerChunks {
            entries,
            size,
            next: Mutex::new(0),
        }
    }
}

#[pymethods]
impl LayerChunks {
    fn __iter__(slf: Py<LayerChunks>) -> Py<LayerChunks> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let start = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let start = *next;
            *next = self.entries.len().min(start.saturating_add(self.size));
            start
        };
        if start < self.entries.len() {
            self.entries.arrays(py, start, self.size).map(Some)
        } else {
            Ok(None)
        }
    }
}

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
/// >>> import krou
/// >>> krou.index_of("0 0 0 0 0 1 / 2 0 0 0 0 1")
/// 1203
/// >>> krou.index_of("0 0 0 0 0 0 / 1 1 1 1 1 1") is None
/// True
#[pyfunction]
#[pyo3(signature = (board, rules = None), text_signature = "(board, rules='awari')")]
pub fn index_of(board: BoardArg, rules: Option<RulesArg>) -> Option<u64> {
    let layer = LayerIndex::new(RulesArg::or_default(rules), board.0.seeds());
    layer.index(&board.0)
}

/// The board with an index.
///
/// >>> import krou
/// >>> krou.board_at(4, krou.index_of("0 0 0 0 0 1 / 2 0 0 0 0 1"))
/// Board('0 0 0 0 0 1 / 2 0 0 0 0 1')
#[pyfunction]
#[pyo3(signature = (seeds, index, rules = None), text_signature = "(seeds, index, rules='awari')")]
pub fn board_at(
    seeds: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    rules: Option<RulesArg>,
) -> PyResult<Board> {
    let layer = LayerIndex::new(RulesArg::or_default(rules), arguments::seeds(seeds)?);
    let index = arguments::whole("the index", index, 0..=u64::MAX)?;
    if index < layer.len() {
        return Ok(Board(layer.board(index)));
    }
    Err(PyIndexError::new_err(format!(
        "there is no board {index} among the {} boards with {} seeds",
        layer.len(),
        layer.seeds()
    )))
}
