//! Why an export or a comparison fails.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::rules::Ruleset;
use crate::table::TableError;
use crate::tablebase::{LoadError, ProbeError};

/// Why an export or a comparison did not complete.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The layer is missing, or one of its tables is damaged.
    #[error(transparent)]
    Tables(#[from] LoadError),
    /// The score database only has the indexed boards of the oware family.
    #[error(
        "the format vu is for rules of the oware family, not {rules}: choose such rules, or export npy or csv"
    )]
    Family {
        /// The ruleset of the tables.
        rules: Ruleset,
    },
    /// The score database has no file with that many seeds.
    #[error(
        "the format vu has no file of {seeds} seeds, as a capture takes at least two of the 48: choose 0 to 46 or 48"
    )]
    NeverOccurs {
        /// The requested number of seeds.
        seeds: u8,
    },
    /// Something else, such as a folder or a pipe, is where a file is needed.
    #[error("{} is not a file: name another one", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// The file to compare with cannot be read.
    #[error("{} cannot be read ({cause}): name another file, or copy it again", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// The file to compare with is of another layer, or incomplete.
    #[error(
        "{} has {got} bytes, but the format vu has {expected} for {seeds} seeds: name the file of {seeds} seeds, or copy it again",
        file.display()
    )]
    Length {
        /// The file.
        file: PathBuf,
        /// The requested number of seeds.
        seeds: u8,
        /// The length it must have: one byte for each board.
        expected: u64,
        /// The length it has.
        got: u64,
    },
    /// The file cannot be written or renamed.
    #[error(transparent)]
    Write(TableError),
    /// The writer failed.
    #[error("the boards cannot be written ({0})")]
    Output(#[source] io::Error),
}

impl From<ProbeError> for ExchangeError {
    fn from(error: ProbeError) -> ExchangeError {
        LoadError::from(error).into()
    }
}
