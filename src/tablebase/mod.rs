//! A ruleset's tables as one object to probe: the tablebase.
//!
//! - [`Tablebase`]: open folders of tables, then [`Tablebase::probe`] boards, rank
//!   their [`Tablebase::moves`], follow a [`Tablebase::best_line`].
//! - [`TablebaseBuilder`]: several sources of tables, and how much memory to use.
//!
//! With the feature `solve` also, for whole layers:
//!
//! - `build` solves layers and writes their tables; an interrupted build resumes. A
//!   `LayerBuilder` does the same in memory.
//! - `repack` changes a folder of tables from one codec to another.
//! - `Tablebase::verify` proves the tables right; a `Tablebase::counter` counts values.
//! - `Tablebase::export` writes layers in the formats of other programs, and
//!   `Tablebase::compare` compares them with the published score database.
//!
//! The small tables inside the library ([`Tablebase::embedded`]) answer where nothing
//! has been built yet.

#[cfg(feature = "solve")]
mod adapters;
mod batch;
mod bound_pairs;
mod budget;
#[cfg(feature = "solve")]
pub(crate) mod build;
mod builder;
mod cache;
mod embedded;
#[cfg(feature = "solve")]
mod exchange;
mod layers;
#[cfg(feature = "solve")]
mod loader;
#[cfg(feature = "mmap")]
mod mapped;
#[cfg(feature = "solve")]
mod memory;
mod principal_variation;
mod probe;
mod prober;
#[cfg(feature = "solve")]
mod repack;
mod resident;
#[cfg(feature = "solve")]
mod resident_loader;
mod result;
mod search;
#[cfg(feature = "solve")]
mod stats;
mod tables;
mod tile_cache;
#[cfg(feature = "solve")]
mod verify;
#[cfg(feature = "solve")]
mod whole_layers;

#[cfg(feature = "solve")]
pub use build::{BuildError, BuildObserver, BuildOptions, LayerBuilder, build, build_on};
pub use builder::{DamagedTables, OpenError, TablebaseBuilder};
pub use embedded::EMBEDDED_SEEDS;
#[cfg(feature = "solve")]
pub use exchange::{Comparison, Difference, ExchangeError, ExportFormat};
#[cfg(feature = "solve")]
pub use loader::{LoadError, Loader};
pub use principal_variation::{PrincipalVariation, VariationEnd};
pub use prober::Prober;
#[cfg(feature = "solve")]
pub use repack::{RepackOptions, Repacked, repack};
pub use result::{ProbeError, ProbeResult, RankedMove};
#[cfg(feature = "solve")]
pub use stats::{CountedBoards, Counter, Counts};
pub use tables::Tablebase;
#[cfg(feature = "solve")]
pub use verify::{Assurance, BoardCheck, Verdict, VerifyError, VerifyOptions, WrongEntry};
