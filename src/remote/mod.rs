//! Tables on another machine, of which a probe reads only a few ranges.
//!
//! - `index`: which tables there are, and the table objects of those that a ruleset has;
//! - with the feature `remote`: `host`, a folder of tables on a web host; `requests`, which
//!   fetches what probes lack; `range_cache`, which keeps it on disk; `http`, one request; and
//!   with `solve` too `download`, of whole tables.
//!
//! A program that has other means to fetch bytes, such as a page in a browser, takes an
//! index and inserts ranges itself (`Tablebase::with_ranges`).

#[cfg(all(feature = "remote", feature = "solve"))]
mod download;
#[cfg(feature = "remote")]
mod host;
#[cfg(feature = "remote")]
mod http;
mod index;
#[cfg(feature = "remote")]
mod range_cache;
#[cfg(feature = "remote")]
mod requests;

#[cfg(feature = "remote")]
pub use host::Host;
pub use index::{INDEX_NAME, IndexedTable, TableIndex};
