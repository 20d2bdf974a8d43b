//! Mapping a file into memory: unsafe, because the file must not change meanwhile.
//!
//! It saves a copy of what is read, and an entry of a raw table is one load from
//! memory. `docs/format.md`, 'Files that change', has the contract.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use super::source::Source;
use super::{Mmap, Table};
use crate::table::error::TableError;

impl Table {
    /// Like [`Table::open`], but the file is mapped instead of read. The entries of a
    /// raw table can then be read in place.
    ///
    /// # Errors
    /// As [`Table::open`].
    ///
    /// # Safety
    /// As long as the table lives, nobody may write into the file or truncate it.
    /// (krou itself never does: it renames new files over old ones, which leaves a
    /// mapped file whole.) Reading beyond a truncated end kills the process with
    /// SIGBUS, and so does a disk that fails to deliver a page.
    pub unsafe fn open_mapped(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Table::open_as(path.as_ref(), |path| {
            // SAFETY: promised by the caller.
            Source::open_as(path, |file| unsafe { map(&file) })
        })
    }
}

/// Maps the whole of an open file, read-only.
///
/// # Safety
/// As [`Table::open_mapped`].
unsafe fn map(file: &File) -> io::Result<Source> {
    // SAFETY: a mapping requires that the bytes behind the slices which it hands out
    // stay where they are and do not change while it lives.
    // - They stay: the mapping owns its pages independently of `file`, `Source` owns
    //   the mapping, and slices borrow from `Source`, so none outlives it. Renaming or
    //   removing the file leaves the pages as they are.
    // - They do not change through this process: the mapping is read-only, and krou
    //   writes tables only under another name, in `folder.rs`, and no more once
    //   they are renamed.
    // - That no other process changes them is what the caller promises; no program
    //   can enforce it. The reader bounds-checks every access to a directory and a
    //   block when it reads, so bytes that changed after opening cannot lead it
    //   outside the mapping.
    let mapped = unsafe { Mmap::map(file) }?;
    Ok(Source::Mapped(mapped))
}

/// A source for a file that only the test uses.
#[cfg(test)]
pub(super) fn map_for_tests(path: &Path) -> Result<Source, crate::table::error::Fault> {
    // SAFETY: nobody but the test knows the file.
    Source::open_as(path, |file| unsafe { map(&file) })
}
