//! What probes return: for one board, and for an array of boards.

use krou::tablebase::{ProbeError, ProbeResult as LibraryResult};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::moves::python_number;

/// What a board is worth to the player to move.
#[pyclass(frozen, eq, get_all, module = "krou")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// Net seeds, endless play counting 0.
    value: i8,
    /// Plies to the next conversion; 0 on a terminal position. ``None`` without a table
    /// of distances, and where the value is 0.
    distance: Option<u8>,
    /// The value if endless play counts as the worst for the mover; ``None`` where the
    /// ruleset has no bounds.
    lower: Option<i8>,
    /// The value if endless play counts as the best for the mover.
    upper: Option<i8>,
}

impl From<LibraryResult> for ProbeResult {
    fn from(result: LibraryResult) -> ProbeResult {
        ProbeResult {
            value: result.value,
            distance: result.distance,
            lower: result.bounds.map(|bounds| bounds.lower),
            upper: result.bounds.map(|bounds| bounds.upper),
        }
    }
}

#[pymethods]
impl ProbeResult {
    fn __repr__(&self) -> String {
        format!(
            "ProbeResult(value={}, distance={}, lower={}, upper={})",
            self.value,
            python_number(self.distance),
            python_number(self.lower),
            python_number(self.upper)
        )
    }
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
    /// If a table is damaged. A missing one is not an error.
    pub fn extend(
        &mut self,
        results: Vec<Result<LibraryResult, ProbeError>>,
    ) -> Result<(), ProbeError> {
        for result in results {
            let result = match result {
                Ok(result) => Some(result),
                Err(ProbeError::Missing { .. }) => None,
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
    pub fn into_arrays(self, py: Python<'_>, has_bounds: bool) -> ProbeResults {
        let bounds = |array| has_bounds.then(|| PyArray1::from_vec(py, array).unbind());
        ProbeResults {
            value: PyArray1::from_vec(py, self.value).unbind(),
            known: PyArray1::from_vec(py, self.known).unbind(),
            distance: PyArray1::from_vec(py, self.distance).unbind(),
            lower: bounds(self.lower),
            upper: bounds(self.upper),
        }
    }
}

/// What the boards of an array are worth to the player to move, in arrays of the same
/// order.
#[pyclass(frozen, get_all, module = "krou")]
#[derive(Debug)]
pub struct ProbeResults {
    /// Net seeds: an array of int8, 0 where it is not known.
    value: Py<PyArray1<i8>>,
    /// Whether tables reach the board: an array of bool.
    known: Py<PyArray1<bool>>,
    /// Plies to the next conversion: an array of int16, -1 where it is not known or the
    /// value is 0.
    distance: Py<PyArray1<i16>>,
    /// The lower bounds: an array of int8, 0 where they are not known; ``None`` where the
    /// ruleset has no bounds.
    lower: Option<Py<PyArray1<i8>>>,
    /// The upper bounds, in the same way.
    upper: Option<Py<PyArray1<i8>>>,
}

#[pymethods]
impl ProbeResults {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.value.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let known = self.known.bind(py).readonly();
        let known = known.as_array().iter().filter(|known| **known).count();
        let boards = self.__len__(py)?;
        Ok(format!(
            "<krou.ProbeResults: {known} of {boards} boards known>"
        ))
    }
}
