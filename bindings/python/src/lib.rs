//! The native half of the Python package `krou`. Objects that do something are classes of
//! this half; those that only have fields are classes of the Python module `krou._results`.
//!
//! From the ground up; each module depends only on those before it.
//!
//! - `errors`: the library's errors as exceptions of `krou.errors`.
//! - `interrupt`: long work that Ctrl-C and exceptions in callbacks can stop.
//! - `pool`: the threads that answer arrays of boards.
//! - `arguments`: numbers within their range, and sizes of memory.
//! - `drawing`: the picture of a board.
//! - `ruleset`, `board`: the classes `Ruleset` and `Board`, and arguments that stand for
//!   them.
//! - `boards`: arrays of boards.
//! - `results`: answers as objects of the Python module `krou._results`.
//! - `moves`: legal moves, and playing one.
//! - `many`: the rules for arrays of boards.
//! - `index`: indexes of boards.
//! - `layer`: whole layers as arrays.
//! - `paths`: folders and web hosts that have tables.
//! - `tablebase`: the class `Tablebase`.
//! - `build`: building tables.
//! - `game`: the class `Game`.
//! - `engine`: the class `Engine`.
//! - `review`: reviews of games.

// Functions take arguments as Python passes them.
#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_self
)]
// Documentation is for Python, where quotes are no links.
#![allow(clippy::doc_link_with_quotes)]

mod arguments;
mod board;
mod boards;
mod build;
mod drawing;
mod engine;
mod errors;
mod game;
mod index;
mod interrupt;
mod layer;
mod many;
mod moves;
mod paths;
mod pool;
mod results;
mod review;
mod ruleset;
mod tablebase;

/// The native part of krou; import `krou` instead. Its classes are frozen, and what changes in them
/// is behind locks: an interpreter without its own lock need not take it for krou.
#[pyo3::pymodule(gil_used = false)]
mod _krou {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::build::build;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::index::{board_at, index_of, layer_size};
    #[pymodule_export]
    use crate::layer::LayerChunks;
    #[pymodule_export]
    use crate::many::{legal_mask, play_many};
    #[pymodule_export]
    use crate::moves::{legal_moves, play};
    #[pymodule_export]
    use crate::review::review;
    #[pymodule_export]
    use crate::ruleset::Ruleset;
    #[pymodule_export]
    use crate::tablebase::Tablebase;
}
