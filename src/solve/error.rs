//! Why solving stops.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::entry::DistanceKey;
use super::observer::Stopped;
use super::spill::SpillError;
use crate::table::{TableError, reason};

/// Why a layer was not solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A distance does not fit into a table.
    #[error(
        "a board with {seeds} seeds is more than {} plies from its next conversion, \
         more than a distance table can hold",
        DistanceKey::LONGEST
    )]
    DistanceTooLong {
        /// The layer.
        seeds: u8,
    },
    /// Several ranks solve a layer that does not fit into the memory of one of them.
    #[error(
        "several processes cannot solve the layer with {seeds} seeds in files, and it does not \
         fit into the memory of each: allow more memory, or use one process"
    )]
    RanksBeyondMemory {
        /// The layer.
        seeds: u8,
    },
    /// Whoever follows the work has stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A file for memory beyond the limit cannot be made or used.
    #[error(transparent)]
    Spill(#[from] SpillError),
    /// A checkpoint cannot be written. The one before it stays.
    #[error(transparent)]
    WriteCheckpoint(#[from] TableError),
    /// A checkpoint is there, but the system does not let it be read.
    #[error(
        "{} cannot be read ({}): repair that, or remove the file to solve the layer from \
         the beginning",
        path.display(), reason(cause)
    )]
    ReadCheckpoint {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
}
