//! The index: from boards to numbers and back, in a few dozen
//! steps and without a search.
//!
//! - [`row`]: how the seeds lie in one row, and the rank of such a row.
//! - [`LayerIndex`]: a layer as a stack of matrices, one line for each
//!   opponent's row and one entry for each mover's row.
//! - [`lexicographic`]: the same boards in the order of a published database.
//!
//! `docs/index.md` teaches it.

#![warn(clippy::cast_possible_truncation)]

mod binomial;
mod layer;
pub mod lexicographic;
pub mod row;

pub use layer::{LayerIndex, Location, OpponentRows, board_count, open_board_count};
