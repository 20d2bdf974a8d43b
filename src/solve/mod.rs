//! Solving layers exactly.
//!
//! - [`Solver`]: the fast one. Compiled column maps
//!   (`columns`, `plan`), a capture pass (`leave`), dense sweeps (`sweep`, `least`) and at last ripples (`ripple`), over tiles
//!   (`tile`) of planes (`plane`) of entries (`entry`), chunk by chunk (`chunk`)
//!   on all threads.
//! - [`mod@reference`]: the plain one, which the fast one must equal.
//! - [`certificate`]: a proof that a layer is right, by the plain rules.
//! - [`Observer`]: how a caller follows the work.
//!
//! `docs/solver.md` teaches the method.

pub mod certificate;
mod chunk;
mod columns;
mod entry;
mod fixed;
mod least;
mod leave;
mod memory;
mod observer;
mod plan;
mod plane;
mod prefetch;
pub mod reference;
mod ripple;
mod solver;
mod sweep;
mod tile;
mod wide;
mod working;

pub use entry::Score;
pub use memory::memory_needed;
pub use observer::{Observer, Phase, Silent};
pub use plane::Plane;
pub use solver::{Bounds, DistanceTooLong, Layer, Solver};
