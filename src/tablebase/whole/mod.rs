//! Whole layers: loaded, solved, written, verified, counted and exchanged. All of it takes
//! the feature `solve`.
//!
//! - `error`: why that fails;
//! - `loader`: the next layer imported from its tables;
//! - `entries`, `write`: a layer's tables, packed and published;
//! - `options`, `build`, `in_memory`: building a folder, or tables in memory;
//! - `repack`: a folder of tables changed to another codec;
//! - `residence`: the entries of a loaded layer as probes find them in memory;
//! - `stats`: boards counted by value;
//! - `verify`: tables proven right;
//! - `exchange`: layers in the formats of other programs.

pub(crate) mod build;
mod entries;
pub(crate) mod error;
pub(crate) mod exchange;
mod in_memory;
pub(crate) mod loader;
mod options;
pub(crate) mod repack;
mod residence;
pub(crate) mod stats;
pub(crate) mod verify;
pub(crate) mod write;

pub use build::{build, build_on};
pub use error::{BuildError, ExchangeError, LoadError, NotEnoughMemory};
pub use exchange::{
    Column, Difference, ExportFormat, LayerBoards, NumberType, RecordFormat, ScoreComparison,
    TabledBoard, npy_header,
};
pub use in_memory::LayerBuilder;
pub use loader::Loader;
pub use options::BuildOptions;
pub use repack::{RepackOptions, Repacked, repack};
pub use stats::{BoundsCounts, CountedBoards, Counter, Counts, RecordBoard};
pub use verify::{Assurance, BoardCheck, Verdict, VerifyOptions, WrongEntry};
pub use write::write_tables;
