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
//! - [`Layer`]: what the boards of a solved layer are worth, in [`LayerArray`]s: in memory or,
//!   beyond the memory limit (`memory`), in files (`spill`).
//! - `chunk` and `panel`: how sections are divided for threads and caches.
//! - `reference`: the plain solver, which the fast one must equal.
//! - [`Ranks`]: processes that solve a layer together.
//! - `certificate`: a proof that a layer is right, by the plain rules.
//! - [`Observer`]: how a caller follows the work and ends it early; a [`Meter`] turns that into
//!   a share of the whole.
//! - [`default_memory_limit`], [`parse_memory`]: how much memory to use.
//!
//! `docs/internals/solver.md` teaches the method.

pub(crate) mod array;
pub(crate) mod certificate;
pub(crate) mod checkpoint;
mod chunk;
mod conversions;
mod distances;
pub(crate) mod entry;
mod error;
pub(crate) mod import;
pub(crate) mod layer;
mod loops;
pub(crate) mod memory;
mod moves;
pub(crate) mod observer;
mod panel;
mod propagate;
pub(crate) mod ranks;
pub(crate) mod reference;
mod sections;
pub(crate) mod solver;
mod spill;

pub use array::{LayerArray, Reader};
pub use certificate::Certificate;
pub use checkpoint::remove_checkpoint;
pub use entry::{ArrayEntry, Value};
pub use error::SolveError;
pub(crate) use import::Coverage;
pub use layer::{Layer, LayerBounds};
pub(crate) use memory::Memory;
pub use memory::{
    ParseMemoryError, default_memory_limit, less_in_control_group, memory_needed, memory_wanted,
    parse_memory, spill_needed, system_bytes,
};
pub use observer::{Meter, Observer, Phase, Silent, Stopped};
pub use ranks::{Alone, Ranks};
#[cfg(feature = "mpi")]
pub use ranks::{Mpi, MpiError};
pub use solver::Solver;
pub(crate) use spill::Buffer;
pub use spill::SpillError;
