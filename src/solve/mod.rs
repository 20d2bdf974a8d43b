//! Solving layers exactly, by retrograde analysis.
//!
//! The steps of the work, and where they are:
//!
//! ```text
//! for each layer, from few seeds to many                          solver
//!     compile the moves that the layer needs                      moves
//!     for each board, find the best conversion                    conversions
//!     repeat: sweep all boards, then the worklist of changes      propagate
//!     save a checkpoint now and then                              checkpoint
//! ```
//!
//! - [`Solver`]: solves layers in turn, or imports them from tables (`import`).
//! - [`Layer`]: what the boards of a solved layer are worth, in [`LayerArray`]s whose
//!   sections are in memory or, beyond the memory budget, compact or in spill files
//!   (`storage`).
//! - `panels` divides sections for threads and caches and reads their children.
//! - [`mod@reference`]: the plain solver, which the fast one must equal.
//! - [`Ranks`]: processes that solve a layer together, each a part of it; `holding`: what each
//!   of them has of a layer.
//! - [`certificate`]: a proof that a layer is right, by the plain rules.
//! - [`Observer`]: how a caller follows the work; a [`Meter`] turns that into a share of
//!   the whole, and a [`Stoppable`] observer ends the work early.
//! - [`default_memory_limit`], [`parse_memory`]: how much memory to use.
//!
//! `docs/solver.md` teaches the method.

pub mod certificate;
pub(crate) mod checkpoint;
mod conversions;
mod distances;
mod error;
mod holding;
mod import;
mod layer;
pub(crate) mod memory_limit;
mod meter;
mod moves;
mod observer;
mod panels;
mod propagate;
mod ranks;
pub mod reference;
mod solver;
mod stoppable;
mod storage;
mod unindexed;

pub use error::SolveError;
pub use import::Coverage;
pub use layer::{Layer, LayerBounds};
pub use memory_limit::{ParseMemoryError, default_memory_limit, parse_memory};
pub use meter::Meter;
pub use observer::{Observer, Phase, Silent};
pub use ranks::{Alone, Message, Ranks, ThreadRanks, Traffic};
#[cfg(feature = "mpi")]
pub use ranks::{Mpi, MpiError};
pub use solver::Solver;
pub use stoppable::{Stoppable, Stopped};
pub(crate) use storage::remove_shared_files;
pub use storage::{
    LayerArray, SpillEntry, SpillError, Value, memory_needed, memory_to_import, memory_wanted,
};
