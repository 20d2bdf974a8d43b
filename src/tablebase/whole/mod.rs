//! Whole layers: loaded, solved, written, verified, counted and exchanged. All of it takes
//! the feature `solve`.
//!
//! - `error`: why that fails;
//! - `loader`: the next layer imported from its tables;
//! - `entries`, `write`: a layer's tables, packed and published;
//! - `options`, `build`, `in_memory`: building a folder, or tables in memory;
//! - `repack`: a folder of tables changed to another codec;
//! - `residence`: layers loaded into memory for probes;
//! - `stats`: boards counted by value;
//! - `verify`: tables proven right;
//! - `exchange`: layers in the formats of other programs.

mod build;
mod entries;
mod error;
mod exchange;
mod in_memory;
mod loader;
mod options;
mod repack;
mod residence;
mod stats;
mod verify;
mod write;

pub use build::{build, build_on};
pub use error::{BuildError, ExchangeError, LoadError, NotEnoughMemory};
#[doc(hidden)]
pub use exchange::npy_header;
pub use exchange::{Difference, ExportFormat, ScoreComparison};
pub use in_memory::LayerBuilder;
pub use loader::Loader;
pub use options::{BuildObserver, BuildOptions};
pub use repack::{RepackOptions, Repacked, repack};
pub use stats::{CountedBoards, Counter, Counts, RecordBoard};
pub use verify::{Assurance, BoardCheck, Verdict, VerifyOptions, WrongEntry};
pub use write::write_tables;
