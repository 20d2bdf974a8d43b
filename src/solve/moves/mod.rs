//! Compiled moves: everything about moves that does not depend on the layer.
//!
//! Write a board as (A, B): the mover's row A and the opponent's row B. Playing pit
//! `i` turns A into A' and sends `x` seeds across. What they do in the opponent's row
//! depends on B, on `x` and on whether the last seed fell there, but not on A. The
//! child, seen by the opponent, is entry B' of line A'. So for one A and one pit, all
//! boards (A, B) read the *same line*, through a map of columns that is shared by
//! every A.
//!
//! - [`RowMove`]: for each A and pit, the line A' and which map applies (`compiled`).
//! - [`ColumnMap`]: the map, as runs of columns that move together (`column_map`).
//! - [`Predecessors`]: the same moves backwards, from a child to its parents.
//!
//! Moves are compiled once for a whole solve. The rules that are compiled here are
//! defined in `rules/oware.rs` and `rules/stores.rs`; `tests` holds every compiled
//! move to them.

mod column_map;
mod compiled;
mod predecessors;
#[cfg(test)]
mod tests;

pub(super) use column_map::{ColumnMap, Run, overlapping, reached};
pub(super) use compiled::{CompiledMoves, RowMove, RowMoves};
pub(super) use predecessors::{Predecessor, Predecessors};
