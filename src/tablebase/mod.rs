//! A ruleset's tables as one thing to ask: the tablebase.
//!
//! - [`Tablebase`]: open folders of tables, then [`Tablebase::probe`] boards,
//!   rank their [`Tablebase::moves`], follow a [`Tablebase::best_line`].
//! - [`build()`]: solve layers and write their tables, resuming by itself.
//! - [`Tablebase::verify`] proves the tables right, and
//!   [`Tablebase::count_values`] counts.
//!
//! The small tables inside the library ([`Tablebase::embedded`]) answer where
//! nothing has been built yet.

mod build;
mod cache;
mod embedded;
mod folder;
mod line;
mod memory;
mod probe;
mod stats;
mod verify;

pub use build::{BuildError, BuildObserver, BuildOptions, build};
pub use embedded::EMBEDDED_SEEDS;
pub use folder::OpenError;
pub use line::{Line, LineEnd};
pub use probe::{ProbeError, RankedMove, Tablebase, Worth};
pub use stats::Counts;
pub use verify::{Boards, Shown, Verdict, VerifyError, VerifyOptions, WrongEntry};
