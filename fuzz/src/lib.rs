//! The fuzz targets. Each is a module with a function `run` that must not panic,
//! whatever bytes it gets; it asserts what has to hold.
//!
//! `tests/table/fuzz_corpus.rs` includes the same modules and replays the corpora. The targets
//! of the program are in `program.rs`; `crates/cli/tests/cli/fuzz_corpus.rs` includes that.

pub mod block;
pub mod board;
pub mod checkpoint;
pub mod checksums;
pub mod game;
pub mod rank;
pub mod solver;
pub mod table;
