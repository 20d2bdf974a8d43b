//! The library's errors as exceptions of `krou.errors`. Their messages are the library's.

use krou::solve::SolveError;
use krou::table::TableError;
use krou::tablebase::{BuildError, LoadError, OpenError, ProbeError};
use krou_answers::AnswerError;
use pyo3::prelude::*;

use crate::interrupt;

/// The exception classes of `krou.errors`, under other names than the library's errors.
mod classes {
    #![allow(missing_docs, missing_debug_implementations)]

    pyo3::import_exception!(krou.errors, BoardError);
    pyo3::import_exception!(krou.errors, FolderBusyError);
    pyo3::import_exception!(krou.errors, FolderError);
    pyo3::import_exception!(krou.errors, GameError);
    pyo3::import_exception!(krou.errors, IllegalMove);
    pyo3::import_exception!(krou.errors, KrouError);
    pyo3::import_exception!(krou.errors, MemoryLimitError);
    pyo3::import_exception!(krou.errors, MissingFolder);
    pyo3::import_exception!(krou.errors, MissingTable);
    pyo3::import_exception!(krou.errors, RulesetError);
    pyo3::import_exception!(krou.errors, SolveError);
    pyo3::import_exception!(krou.errors, TableError);
}

pub use classes::{BoardError, GameError, IllegalMove, RulesetError};

/// Sets an attribute of an exception.
fn with_attribute<'py>(
    py: Python<'py>,
    error: PyErr,
    name: &str,
    value: impl IntoPyObject<'py>,
) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(worse) => worse,
    }
}

/// A table that is damaged or cannot be read or written.
pub fn table_error(py: Python<'_>, error: &TableError) -> PyErr {
    let raised = classes::TableError::new_err(error.to_string());
    with_attribute(py, raised, "file", error.file().as_os_str())
}

/// A probe that failed.
pub fn probe_error(py: Python<'_>, error: &ProbeError) -> PyErr {
    let message = error.to_string();
    match error {
        ProbeError::Table(error) => table_error(py, error),
        ProbeError::Damaged { error, .. } => table_error(py, error),
        ProbeError::Missing(missing) => {
            let raised = classes::MissingTable::new_err(message);
            let raised = with_attribute(py, raised, "rules", missing.rules.to_string());
            let raised = with_attribute(py, raised, "seeds", missing.seeds);
            with_attribute(py, raised, "kind", missing.kind.as_str())
        }
        _ => classes::KrouError::new_err(message),
    }
}

/// An answer from tables that failed.
pub fn answer_error(py: Python<'_>, error: &AnswerError) -> PyErr {
    match error {
        AnswerError::Probe(error) => probe_error(py, error),
        _ => classes::KrouError::new_err(error.to_string()),
    }
}

/// A tablebase that cannot be opened.
pub fn open_error(py: Python<'_>, error: &OpenError) -> PyErr {
    match error {
        OpenError::Table(error) => table_error(py, error),
        OpenError::NoFolder { .. } | OpenError::Folder { .. } => {
            classes::MissingFolder::new_err(error.to_string())
        }
        _ => classes::KrouError::new_err(error.to_string()),
    }
}

/// Layers that cannot be read.
pub fn load_error(py: Python<'_>, error: &LoadError) -> PyErr {
    match error {
        LoadError::Stopped(stopped) => interrupt::stopped(*stopped),
        LoadError::Probe(error) => probe_error(py, error),
        LoadError::Solve(error) => solve_error(py, error),
        LoadError::Memory(_) => classes::MemoryLimitError::new_err(error.to_string()),
        _ => classes::KrouError::new_err(error.to_string()),
    }
}

/// A build that failed.
pub fn build_error(py: Python<'_>, error: &BuildError) -> PyErr {
    let message = error.to_string();
    match error {
        BuildError::Stopped(stopped) => interrupt::stopped(*stopped),
        BuildError::Folder { .. } => classes::FolderError::new_err(message),
        BuildError::Busy { .. } => classes::FolderBusyError::new_err(message),
        BuildError::Layer(error) => load_error(py, error),
        _ => classes::KrouError::new_err(message),
    }
}

fn solve_error(py: Python<'_>, error: &SolveError) -> PyErr {
    match error {
        SolveError::WriteCheckpoint(error) => table_error(py, error),
        _ => classes::SolveError::new_err(error.to_string()),
    }
}
