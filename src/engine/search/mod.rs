//! The engine: which move to play, and its score.
//!
//! - [`Engine`]: searches a game within [`Limits`] and returns a [`SearchReport`] with
//!   a [`Score`].
//! - `asking`: asks web hosts beside the search.
//! - `root_probe`: the choice of the move inside the tables, with `conversion` where
//!   there is no distance table.
//! - `deepen`: iterative deepening for one line or several, over `tree`.
//! - `tree`: the principal variation search to one depth, from the `root` to the horizon. It
//!   goes through `node`s in the order of `moves`, stops by the `clock`, and knows
//!   `repetition`s.
//! - `transposition`: the transposition table, whose slots hold an `entry` each; `threads`: what
//!   the threads of a search remember, and how they divide the work.
//! - `evaluate`: the estimate at the horizon, in the oware family by the neural `network`.
//! - [`SlicedSearch`]: a search that gives way to others in between.
//! - `score`: the scores of all of these, and what is proven about them.
//! - `minimax`: the plain search that defines the result of `tree`.
//!
//! `docs/engine.md` describes all of it.

mod asking;
mod clock;
mod conversion;
mod deepen;
mod engine;
mod entry;
mod evaluate;
mod limits;
#[cfg(test)]
mod minimax;
mod moves;
pub mod network;
mod node;
mod repetition;
mod report;
mod root;
mod root_probe;
mod score;
mod slices;
#[cfg(test)]
mod tests;
mod threads;
mod transposition;
mod tree;

use crate::rules::packed;

pub use engine::{Engine, EngineOptions};
pub use evaluate::evaluate;
pub use limits::Limits;
pub use report::{GameResult, SearchLine, SearchReport};
pub use score::{Aim, Score};
pub use slices::SlicedSearch;
