//! Solving layers exactly.
//!
//! - [`Solver`]: the fast one. Moves are compiled (`plan`, `columns`); what leaves
//!   the layer is found in one pass (`leave`); dense sweeps (`sweep`, `pass`,
//!   `least`) and at last ripples (`ripple`) settle the rest, over tiles (`tile`),
//!   chunk by chunk (`chunk`) on all threads. What does not fit into memory lies
//!   on disk (`store`, `scratch`, `lines`, `bands`); between sweeps the layer at
//!   work can be saved (`checkpoint`).
//! - [`mod@reference`]: the plain one, which the fast one must equal.
//! - [`certificate`]: a proof that a layer is right, by the plain rules.
//! - [`Store`]: what the solver keeps of a layer; [`Plane`]: a layer in memory.
//! - [`Observer`]: how a caller follows the work.
//!
//! `docs/solver.md` teaches the method.

mod adopt;
mod bands;
pub mod certificate;
mod checkpoint;
mod chunk;
mod columns;
mod entry;
mod error;
mod fixed;
mod least;
mod leave;
mod lines;
mod memory;
mod observer;
mod pass;
mod plan;
mod plane;
mod prefetch;
pub mod reference;
mod ripple;
mod room;
mod scratch;
mod solved;
mod solver;
mod store;
mod sweep;
mod tile;
mod wide;
mod working;

pub use adopt::Coverage;
pub use checkpoint::remove_checkpoint;
pub use entry::Score;
pub use error::SolveError;
pub use memory::{memory_needed, memory_to_import, memory_wanted};
pub use observer::{Observer, Phase, Silent};
pub use plane::Plane;
pub use scratch::{SpillError, Stored};
pub use solved::{Bounds, Layer, Quantity, Solved, Worths};
pub use solver::Solver;
pub use store::Store;
