//! The index: numbers the boards of a layer, and converts boards to numbers and back
//! in a few dozen steps without a search.
//!
//! - [`row`]: the ways to place seeds in one row, and the rank of each.
//! - [`LayerIndex`]: a layer as a stack of matrices, with a line for each
//!   opponent's row and an entry for each mover's row.
//! - [`lexicographic`]: the same boards in the order of the published database.
//!
//! `docs/index.md` explains it.

#![warn(clippy::cast_possible_truncation)]

mod binomial;
mod layer;
pub mod lexicographic;
pub mod row;

pub use layer::{LayerIndex, Location, OpponentRows, board_count, open_board_count};
