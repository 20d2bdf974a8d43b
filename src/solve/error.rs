//! Why solving stops.

use thiserror::Error;

use super::scratch::SpillError;
use super::solver::Solver;
use crate::table::TableError;

/// Why a layer was not solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A board needs more plies to its next capture than can be told.
    #[error(
        "a board with {seeds} seeds is more than {} plies from its next capture, \
         more than a distance table can hold: its distances cannot be kept",
        Solver::LONGEST_DISTANCE
    )]
    DistanceTooLong {
        /// The layer.
        seeds: u8,
    },
    /// What does not fit into memory cannot be kept on disk either.
    #[error(transparent)]
    Scratch(#[from] SpillError),
    /// A checkpoint cannot be written. The one before it stays.
    #[error(transparent)]
    Checkpoint(#[from] TableError),
}
