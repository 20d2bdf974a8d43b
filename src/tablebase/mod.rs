//! A ruleset's tables as one object to probe: the tablebase.
//!
//! - [`Tablebase`]: open folders of tables, then [`Tablebase::probe`] boards, rank
//!   their [`Tablebase::moves`], follow a [`Tablebase::best_line`].
//! - [`TablebaseBuilder`]: several sources of tables, and how much memory to use.
//!
//! An entry is read in one of three ways: in place, from raw tables in memory (`table`);
//! decoded, through a cache that all threads share (`cache`); or from layers in memory
//! (`resident`, loaded by `residence`). A board takes few entries, found by a search (`search`).
//!
//! With the feature `solve` also, for whole layers (`whole`):
//!
//! - `build` solves layers and writes their tables; an interrupted build resumes. A
//!   `LayerBuilder` does the same in memory.
//! - `repack` changes a folder of tables from one codec to another.
//! - `Tablebase::verify` proves the tables right; a `Tablebase::counter` counts values.
//! - `Tablebase::export` writes layers in the formats of other programs, and
//!   `Tablebase::compare` compares them with the published score database.
//!
//! The small tables inside the library ([`Tablebase::embedded`]) answer where nothing
//! has been built yet. A table that cannot be opened closes no other one
//! ([`Tablebase::damaged_tables`]).

mod batch;
mod builder;
mod cache;
mod embedded;
mod fetching;
#[cfg(feature = "remote")]
mod hosts;
#[cfg(not(feature = "remote"))]
#[path = "no_hosts.rs"]
mod hosts;
mod layers;
#[cfg(feature = "mmap")]
mod mapped;
#[cfg(feature = "remote")]
mod on_hosts;
mod principal_variation;
#[cfg(feature = "serde")]
mod ranged;
mod residence;
mod resident;
pub(crate) mod result;
mod search;
pub(crate) mod set;
mod tables;
#[cfg(feature = "solve")]
pub(crate) mod whole;

#[cfg(feature = "remote")]
pub use crate::remote::{Downloaded, Host};
pub use builder::{OpenError, TablebaseBuilder};
pub use embedded::EMBEDDED_SEEDS;
pub use layers::LayerSet;
pub use principal_variation::{PrincipalVariation, VariationEnd};
pub use result::{MissingTable, ProbeError, ProbeResult, RankedMove, distance_of};
pub use set::TableSet;
pub use tables::Tablebase;
#[cfg(feature = "solve")]
pub use whole::*;
