//! Solving layers exactly.
//!
//! - [`Solver`]: the fast one. Compiled column maps
//!   (`columns`, `plan`), a capture pass (`leave`), dense sweeps (`sweep`) and at last ripples (`ripple`), over tiles
//!   (`tile`) of planes (`plane`) of entries (`entry`), chunk by chunk (`chunk`)
//!   on all threads.
//!   Between sweeps a long layer can be saved (`checkpoint`).
//! - [`mod@reference`]: the plain one, which the fast one must equal.
//! - [`certificate`]: a proof that a layer is right, by the plain rules.
//! - [`Observer`]: how a caller follows the work.
//!
//! `docs/solver.md` teaches the method.

mod bands;
pub mod certificate;
mod checkpoint;
mod chunk;
mod columns;
mod entry;
mod error;
mod fixed;
mod leave;
mod lines;
mod memory;
mod observer;
mod plan;
mod plane;
mod prefetch;
pub mod reference;
mod ripple;
mod scratch;
mod solved;
mod solver;
mod store;
mod sweep;
mod tile;
mod working;

pub use checkpoint::remove_checkpoint;
pub use entry::Score;
pub use error::SolveError;
pub use memory::{memory_needed, memory_wanted};
pub use observer::{Observer, Phase, Silent};
pub use plane::Plane;
pub use scratch::{ScratchError, Stored};
pub use solved::{Bounds, Layer, Solved};
pub use solver::Solver;
pub use store::Store;
