//! Whole layers as arrays, in the order of the index.

use std::sync::{Mutex, PoisonError};

use krou::index::LayerIndex;
use krou::rules::{Board, PITS, Ruleset};
use krou::solve::{LayerArray, Value};
use krou::tablebase::LoadError;
use krou::tablebase::{Loader, distance_of};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::load_error;
use crate::results::class;

/// The entries of a layer in memory: one byte a board, two more where there are bounds,
/// one more where there are distances.
#[derive(Debug)]
pub struct Entries {
    rules: Ruleset,
    layer: krou::solve::Layer,
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
        rules: Ruleset,
        mut loader: Loader<'_>,
        seeds: u8,
        load: impl FnOnce(&mut Loader<'_>) -> Result<(), LoadError>,
    ) -> Result<Entries, LoadError> {
        load(&mut loader)?;
        let distances = loader.distances(seeds)?;
        let layer = loader.into_layers().swap_remove(seeds.into());
        Ok(Entries {
            rules,
            layer,
            distances,
        })
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
        let boards: Vec<Board> = self.index().boards_from(start).take(count).collect();
        let read = |array: &LayerArray<Value>| -> Result<Vec<i8>, LoadError> {
            let mut bytes = vec![0; count];
            array.copy_out(start, &mut bytes, |value| value.get().cast_unsigned())?;
            Ok(bytes.into_iter().map(u8::cast_signed).collect())
        };
        let value = read(self.layer.value())?;
        let distance = match &self.distances {
            None => None,
            Some(distances) => {
                let mut plies = vec![0; count];
                distances.copy_out(start, &mut plies, |plies| plies)?;
                let known = boards.iter().zip(&value).zip(&plies);
                let known = known.map(|((board, &value), &plies)| {
                    distance_of(self.rules, board, value, plies).map_or(-1, i16::from)
                });
                Some(known.collect())
            }
        };
        let bounds = match self.layer.bounds() {
            None => None,
            Some(bounds) => Some([read(&bounds.lower)?, read(&bounds.upper)?]),
        };
        Ok(Portion {
            boards: boards.iter().flat_map(Board::pits).collect(),
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
