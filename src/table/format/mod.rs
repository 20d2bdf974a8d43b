//! The layout of a file: header, directory, and where blocks begin.
//!
//! `docs/format.md` is the normative text; tests here hold the code to it.

mod directory;
mod header;
mod ids;
mod layout;

pub(super) use directory::{Record, RecordCheck};
pub(super) use header::Header;
#[cfg(feature = "solve")]
pub(crate) use ids::id_to_bytes;
#[cfg(feature = "solve")]
pub(super) use layout::Layout;
pub(super) use layout::{HEADER_LEN, RECORD_LEN};
