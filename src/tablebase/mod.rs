//! A ruleset's tables as one thing to ask: the tablebase.
//!
//! - [`Tablebase`]: open folders of tables, then [`Tablebase::probe`] boards,
//!   rank their [`Tablebase::moves`], follow a [`Tablebase::best_line`].
//! - [`build()`]: solve layers and write their tables, resuming by itself.
//! - [`repack()`]: change a folder of tables from one codec to another.
//! - [`Tablebase::verify`] proves the tables right, and a
//!   [`Tablebase::counter`] counts.
//! - [`Tablebase::export`] writes layers in the formats of other programs, and
//!   [`Tablebase::compare`] compares them with the published score database.
//!
//! The small tables inside the library ([`Tablebase::embedded`]) answer where
//! nothing has been built yet.

mod batch;
mod build;
mod builder;
mod cache;
mod content;
mod embedded;
mod exchange;
mod layers;
mod line;
mod loader;
mod mapped;
mod memory;
mod probe;
mod prober;
mod repack;
mod resolve;
mod stats;
mod verify;

pub use build::{BuildError, BuildObserver, BuildOptions, build, write_tables};
pub use builder::{DamagedTables, OpenError, TablebaseBuilder};
pub use embedded::EMBEDDED_SEEDS;
pub use exchange::{Comparison, Difference, ExchangeError, ExportFormat};
pub use line::{Line, LineEnd};
pub use loader::{LoadError, Loader};
pub use probe::{ProbeError, ProbeResult, RankedMove, Tablebase};
pub use prober::Prober;
pub use repack::{RepackOptions, Repacked, repack};
pub use stats::{Counter, Counts};
pub use verify::{Boards, Shown, Verdict, VerifyError, VerifyOptions, WrongEntry};
