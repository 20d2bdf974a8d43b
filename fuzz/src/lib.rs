//! The fuzz targets. Each is a module with a function `run` that must not panic,
//! whatever bytes it gets; it asserts what has to hold.
//!
//! `tests/table/fuzz_corpus.rs` includes the same modules and replays the corpora.

pub mod block;
pub mod board;
pub mod checksums;
pub mod rank;
pub mod table;
