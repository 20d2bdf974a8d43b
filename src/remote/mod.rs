//! Tables on another machine, of which a probe reads only a few ranges.
//!
//! - `index`: which tables there are, and the table objects of those that a ruleset has;
//! - with the feature `remote`: `http`, requests for ranges; `pieces`, a cache of them on
//!   disk; `host`, which fetches what probes lack; and with `solve` too `download`, of whole
//!   tables.
//!
//! A program that has other means to fetch bytes, such as a page in a browser, takes an
//! index and a store of ranges instead of a host (`Tablebase::with_ranges`).

#[cfg(all(feature = "remote", feature = "solve"))]
mod download;
#[cfg(feature = "remote")]
mod host;
#[cfg(feature = "remote")]
mod http;
mod index;
#[cfg(feature = "remote")]
mod pieces;

#[cfg(feature = "remote")]
pub use host::Host;
#[cfg(feature = "remote")]
pub(crate) use host::Remote;
pub use index::{INDEX_NAME, IndexedTable, TableIndex};
