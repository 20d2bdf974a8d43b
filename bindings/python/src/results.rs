//! Answers of the library as objects of the Python module `krou._results`.

use krou::tablebase::{ProbeError, ProbeResult};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::pythonize;
use serde::Serialize;

/// A class or a function of `krou._results`.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("krou._results")?.getattr(name)
}

/// Calls a class or a function of `krou._results` with the fields of an answer.
pub fn make<'py>(
    py: Python<'py>,
    name: &str,
    answer: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = pythonize(py, answer)?;
    class(py, name)?.call((), Some(fields.cast::<PyDict>()?))
}

/// As `make`, for several answers.
pub fn make_all<'py>(
    py: Python<'py>,
    name: &str,
    answers: impl IntoIterator<Item: Serialize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let answers = answers.into_iter();
    answers.map(|answer| make(py, name, &answer)).collect()
}

/// Entries of many boards, before they are arrays.
#[derive(Debug, Default)]
pub struct Columns {
    value: Vec<i8>,
    known: Vec<bool>,
    distance: Vec<i16>,
    lower: Vec<i8>,
    upper: Vec<i8>,
}

impl Columns {
    /// Appends the results of some boards.
    ///
    /// # Errors
    /// If a table cannot be read. One that is missing or could not be opened is not an error.
    pub fn extend(
        &mut self,
        results: Vec<Result<ProbeResult, ProbeError>>,
    ) -> Result<(), ProbeError> {
        for result in results {
            let result = match result {
                Ok(result) => Some(result),
                Err(ProbeError::Missing(_) | ProbeError::Damaged { .. }) => None,
                Err(error) => return Err(error),
            };
            let bounds = result.and_then(|result| result.bounds);
            let distance = result.and_then(|result| result.distance);
            self.value.push(result.map_or(0, |result| result.value));
            self.known.push(result.is_some());
            self.distance.push(distance.map_or(-1, i16::from));
            self.lower.push(bounds.map_or(0, |bounds| bounds.lower));
            self.upper.push(bounds.map_or(0, |bounds| bounds.upper));
        }
        Ok(())
    }

    /// The arrays; those of bounds only if the ruleset has them.
    pub fn into_arrays(self, py: Python<'_>, has_bounds: bool) -> PyResult<Bound<'_, PyAny>> {
        let bounds = |array| has_bounds.then(|| PyArray1::from_vec(py, array));
        let arrays = (
            PyArray1::from_vec(py, self.value),
            PyArray1::from_vec(py, self.known),
            PyArray1::from_vec(py, self.distance),
            bounds(self.lower),
            bounds(self.upper),
        );
        class(py, "ProbeResults")?.call1(arrays)
    }
}
