//! Folders of tables on web hosts.
//!
//! - `host`: a folder, and the index of its tables;
//! - `requests`: fetches what probes lack; `range_cache` keeps it on disk; `http`: one request;
//! - `download`: fetches whole tables;
//! - `make_index`: the index of a folder on this machine.
//!
//! A program that has other means to fetch bytes, such as a page in a browser, does without:
//! `Tablebase::with_ranges`.

mod download;
mod host;
mod http;
mod make_index;
mod range_cache;
mod requests;

pub use download::Downloaded;
pub use host::Host;
