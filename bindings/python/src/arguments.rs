//! Arguments that are numbers within a range, arrays of numbers, durations, or sizes of
//! memory.

use std::ops::RangeInclusive;
use std::time::Duration;

use krou::rules::MAX_SEEDS;
use krou::solve::parse_memory;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString};

/// The most threads of a build or a search.
pub const MAX_THREADS: u64 = 1024;

/// A whole number within a range. Floats are refused even if they are whole.
pub fn whole(what: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let out_of_range = || {
        PyValueError::new_err(format!(
            "{what} must be a whole number from {} to {}, not {value}",
            range.start(),
            range.end()
        ))
    };
    match value.extract::<i128>() {
        Ok(number) => match u64::try_from(number) {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(out_of_range()),
        },
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Err(out_of_range()),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{what} must be an int, not {}",
            value.get_type().name()?
        ))),
    }
}

/// An array of integers of any type, or a sequence of ints, with one axis.
pub fn integers<'py>(
    what: &str,
    array: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let py = array.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let array = numpy.call_method1(intern!(py, "asarray"), (array,))?;
    let axes: usize = array.getattr(intern!(py, "ndim"))?.extract()?;
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
    if axes != 1 || !matches!(kind.as_str(), "i" | "u") {
        return Err(PyTypeError::new_err(format!(
            "{what} must be an array of integers with one axis, not one of {dtype} with {axes}"
        )));
    }
    let in_order = [("order", "C")].into_py_dict(py)?;
    in_order.set_item("copy", false)?;
    let numbers = array.call_method(intern!(py, "astype"), ("int64",), Some(&in_order))?;
    numbers.extract()
}

/// A number of seeds on the board.
pub fn seeds(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    let seeds = whole("the number of seeds", value, 0..=MAX_SEEDS.into())?;
    Ok(seeds as u8)
}

/// A number of threads; `None` stays `None`.
pub fn threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let threads = |value| whole("the number of threads", value, 1..=MAX_THREADS);
    value
        .map(threads)
        .transpose()
        .map(|n| n.map(|n| n as usize))
}

/// A size of memory: an int, in bytes, or text such as `2G`.
pub fn memory(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    match value.cast::<PyString>() {
        Ok(text) => parse_memory(&text.to_cow()?)
            .map_err(|error| PyValueError::new_err(format!("{value:?} is not a size: {error}"))),
        Err(_) => whole("the size of memory", value, 0..=u64::MAX),
    }
}

/// A time in seconds; `None` if it is infinite.
pub fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let seconds: f64 = value.extract()?;
    if seconds == f64::INFINITY {
        return Ok(None);
    }
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        PyValueError::new_err(format!(
            "a time must be a number of seconds, at least 0, not {value}"
        ))
    })
}
