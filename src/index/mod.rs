//! The index: from boards to numbers and back, in a few dozen steps without a search.
//!
//! - `row`: the seeds in one row, and its rank.
//! - [`LayerIndex`]: a layer as a stack of matrices, one line for each
//!   opponent's row and one entry for each mover's row.
//! - `lexicographic`: the same boards in the order of a published database.
//!
//! `docs/internals/index.md` explains it with examples.

#![warn(clippy::cast_possible_truncation)]

mod binomial;
pub(crate) mod layer;
pub(crate) mod lexicographic;
mod packed_rank;
pub(crate) mod row;

pub use layer::{LayerIndex, board_count, open_board_count};
pub(crate) use layer::{Location, OpponentRows};
pub(crate) use packed_rank::rank_of_row;
