//! Why boards cannot be exchanged.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::rules::Ruleset;
use crate::table::TableError;
use crate::tablebase::{LoadError, ProbeError};

/// An export or a comparison that came to no end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The layer is not at hand, or one of its tables is damaged.
    #[error(transparent)]
    Tables(#[from] LoadError),
    /// The score database has only the boards of the oware family's index.
    #[error(
        "the format vu is for rules of the oware family, not {rules}: choose such rules, or export npy or csv"
    )]
    Family {
        /// The ruleset of the tables.
        rules: Ruleset,
    },
    /// The score database has no file with so many seeds.
    #[error(
        "the format vu has no file of {seeds} seeds, as a capture takes at least two of the 48: choose 0 to 46 or 48"
    )]
    NeverOccurs {
        /// The seeds asked for.
        seeds: u8,
    },
    /// A folder, a pipe or the like is where a file is needed.
    #[error("{} is not a file: name another one", file.display())]
    NotAFile {
        /// The path that was named.
        file: PathBuf,
    },
    /// The file to compare with cannot be read.
    #[error("{} cannot be read ({cause}): name another file, or copy it again", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The file to compare with is of another layer, or not whole.
    #[error(
        "{} has {got} bytes, but the format vu has {expected} for {seeds} seeds: name the file of {seeds} seeds, or copy it again",
        file.display()
    )]
    Length {
        /// The file.
        file: PathBuf,
        /// The seeds asked for.
        seeds: u8,
        /// Bytes there must be: one for each board.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
    /// The file cannot be written or put in its place.
    #[error(transparent)]
    Write(TableError),
    /// What was given to write to takes no more.
    #[error("the boards cannot be written ({0})")]
    Output(io::Error),
}

impl From<ProbeError> for ExchangeError {
    fn from(error: ProbeError) -> ExchangeError {
        LoadError::from(error).into()
    }
}
