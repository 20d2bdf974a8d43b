//! The engine: which move to play, and its score.
//!
//! - [`Engine`]: searches a game within [`Limits`] and returns a [`SearchReport`] with
//!   a [`Score`].
//! - `aim`: what the engine maximises, and the scale of the scores that follows from it.
//! - `root_probe`: the choice of the move inside the tables, with `conversion` where
//!   there is no distance table.
//! - `deepen`: iterative deepening for one line or several, over `tree`.
//! - `tree`: the principal variation search to one depth, from its `root` to
//!   `quiescence` at the horizon. It uses the moves of packed boards (`rules::packed`), `node`,
//!   `transposition` (the transposition table, with boards packed by `key`),
//!   `settle` (what is known before any move), `move_picker` with `move_order`, `reductions`
//!   and `repetition`, and stops by `clock`.
//! - `bounded_score`, `window`: scores with what is proven about them, and alpha-beta
//!   windows.
//! - `loading`: the layers that an engine holds in memory, on their way there.
//! - `memory`: the transposition tables of a search thread, and `deferred`: moves that another
//!   thread is searching already.
//! - `evaluate`: the estimate at the horizon, in the oware family by the neural `network`.
//! - `minimax`: the plain search that defines the result of `tree`.
//!
//! `docs/engine.md` describes all of it.

mod aim;
mod bounded_score;
mod clock;
mod conversion;
mod deepen;
mod deferred;
mod engine;
mod entry;
mod evaluate;
mod key;
mod limits;
mod loading;
mod memory;
#[cfg(test)]
mod minimax;
mod move_order;
mod move_picker;
pub mod network;
mod node;
mod quiescence;
mod reductions;
mod repetition;
mod report;
mod root;
mod root_probe;
mod score;
mod settle;
#[cfg(test)]
mod tests;
mod transposition;
mod tree;
mod window;

use crate::rules::packed;

pub use aim::Aim;
pub use engine::{Engine, EngineOptions};
pub use evaluate::{FEATURES, evaluate, features};
pub use limits::Limits;
pub use report::{GameResult, SearchLine, SearchReport};
pub use score::Score;
