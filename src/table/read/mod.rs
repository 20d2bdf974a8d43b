//! Reading: from a file's bytes to entries.
//!
//! - [`positioned`]: reading files by position, on every system;
//! - [`source`]: where a table's bytes come from;
//! - [`directory`]: where its blocks are;
//! - [`table`]: an open table, and its units decoded;
//! - [`bulk`], [`in_place`], [`mmap`]: other ways to read one.

mod bitmap;
mod bulk;
mod directory;
mod in_place;
#[cfg(feature = "mmap")]
mod mmap;
mod parallel;
mod positioned;
mod source;
#[cfg(test)]
mod source_tests;
mod table;

#[cfg(feature = "solve")]
pub(crate) use positioned::{read_at, write_at};
pub use table::{Table, Unit};
