//! Tables on another machine, of which a probe reads only a few ranges.
//!
//! - `index`: which tables there are, and the table objects of those that a ruleset has;
//! - with the feature `remote`: `host`, a folder of tables on a web host; `requests`, which
//!   fetches what probes lack; `range_cache`, which keeps it on disk; `http`, one request;
//!   `download`, of whole tables; `make_index`, the index of a folder.
//!
//! A program that has other means to fetch bytes, such as a page in a browser, takes an
//! index and inserts ranges itself (`Tablebase::with_ranges`).

mod download;
mod host;
mod http;
mod make_index;
mod range_cache;
mod requests;

pub use host::Host;
