//! Why whole layers cannot be read, built or exchanged.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::rules::Ruleset;
use crate::solve::{SolveError, SpillError, Stopped};
use crate::table::{TableError, reason};
use crate::tablebase::result::{MissingTable, ProbeError};

/// Whole layers need more memory than may be used. Checked before any work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the layers up to {seeds} seeds need {} MiB of memory, but only {} MiB may be used{}: \
     allow more memory",
    needed.div_ceil(1 << 20), allowed >> 20, enough_for(*fits)
)]
#[non_exhaustive]
pub struct NotEnoughMemory {
    /// The highest layer.
    pub seeds: u8,
    /// Bytes needed at the least.
    pub needed: u64,
    /// Bytes that may be used.
    pub allowed: u64,
    /// The highest layer for which that is enough, if there is one.
    pub fits: Option<u8>,
}

impl NotEnoughMemory {
    /// Checks that the layers up to `seeds` seeds, which need `needed(seeds)` bytes, do not
    /// need more than is allowed.
    pub(super) fn check(
        seeds: u8,
        allowed: Option<u64>,
        needed: impl Fn(u8) -> u64,
    ) -> Result<(), NotEnoughMemory> {
        match allowed {
            Some(allowed) if needed(seeds) > allowed => Err(NotEnoughMemory {
                seeds,
                needed: needed(seeds),
                allowed,
                fits: (0..seeds).rev().find(|&fewer| needed(fewer) <= allowed),
            }),
            _ => Ok(()),
        }
    }
}

fn enough_for(fits: Option<u8>) -> String {
    match fits {
        Some(fits) => format!(", enough for at most {fits} seeds"),
        None => String::new(),
    }
}

/// Why whole layers cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Whoever follows the work has stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Entries that tables omit cannot be reconstructed.
    #[error(transparent)]
    Solve(SolveError),
    /// Too little memory is allowed.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
}

/// Why a build or a repacking stopped. Layers that were finished stay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Whoever follows the work has stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The folder cannot be created or written.
    #[error("{} cannot be used as a folder of tables ({}): name another one", folder.display(), reason(cause))]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// Another build or repacking is running in the folder.
    #[error("another krou is at work in {}: wait for it, or name another folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The layer to leave out is needed.
    #[error("layer {skipped} cannot be left out: moves lead there from layer {above}")]
    Needed {
        /// The layer to leave out.
        skipped: u8,
        /// A layer above it that is to be built.
        above: u8,
    },
    /// A layer cannot be read, solved or written.
    #[error(transparent)]
    Layer(LoadError),
}

// Wherever the work was stopped, that is the error.

impl From<SolveError> for LoadError {
    fn from(error: SolveError) -> LoadError {
        match error {
            SolveError::Stopped(stopped) => LoadError::Stopped(stopped),
            error => LoadError::Solve(error),
        }
    }
}

impl From<TableError> for LoadError {
    fn from(error: TableError) -> LoadError {
        match error.is_stopped() {
            true => LoadError::Stopped(Stopped),
            false => LoadError::Probe(error.into()),
        }
    }
}

impl From<LoadError> for BuildError {
    fn from(error: LoadError) -> BuildError {
        match error {
            LoadError::Stopped(stopped) => BuildError::Stopped(stopped),
            error => BuildError::Layer(error),
        }
    }
}

/// Errors that are part of another error, through one between them.
macro_rules! nested {
    ($($inner:ty => $between:ty => $outer:ty;)*) => {
        $(impl From<$inner> for $outer {
            fn from(error: $inner) -> $outer {
                <$between>::from(error).into()
            }
        })*
    };
}

nested! {
    MissingTable => ProbeError => LoadError;
    SpillError => SolveError => LoadError;
    MissingTable => LoadError => BuildError;
    TableError => LoadError => BuildError;
    SpillError => LoadError => BuildError;
    SolveError => LoadError => BuildError;
    NotEnoughMemory => LoadError => BuildError;
}

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
    #[error("{} cannot be read ({}): name another file, or copy it again", file.display(), reason(cause))]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
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
    #[error("the boards cannot be written")]
    Output(#[source] io::Error),
}
