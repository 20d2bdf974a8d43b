//! Mapping a file into memory: unsafe, since the file must not change meanwhile.
//!
//! It spares a copy of what is read, and raw tables need nothing else: an entry is
//! one load from memory. `docs/format.md`, 'Files that change', has the contract.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::error::TableError;
use super::reader::Table;
use super::source::Source;

impl Table {
    /// As [`Table::open`], but the file is mapped and not read. A raw table's
    /// entries can then be [read in place](Table::entry_in_place).
    ///
    /// # Errors
    /// As [`Table::open`].
    ///
    /// # Safety
    /// As long as the table lives, nobody may write into the file or cut it.
    /// (krou itself never does: it renames new files over old ones, which leaves a
    /// mapped file whole.) Reading what was cut off ends the process with SIGBUS,
    /// and so does a disk that fails to deliver a page.
    pub unsafe fn open_mapped(path: &Path) -> Result<Table, TableError> {
        Table::open_as(path, |path| {
            Source::new(path, |file| {
                // SAFETY: promised by the caller.
                unsafe { Mapped::new(&file) }.map(Source::Mapped)
            })
        })
    }
}

/// A file's bytes, mapped read-only.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    /// Maps the whole of an open file.
    ///
    /// # Safety
    /// As [`Table::open_mapped`].
    pub unsafe fn new(file: &File) -> io::Result<Mapped> {
        // SAFETY: what a mapping asks for is that the bytes behind the slices
        // which it hands out stay where they are and do not change while it
        // lives.
        // - They stay: the mapping owns its pages independently of `file`,
        //   `Mapped` owns the mapping, and `bytes` borrows from `Mapped`, so
        //   no slice outlives it. Renaming or removing the file leaves the
        //   pages as they are.
        // - They do not change through this process: the mapping is read-only
        //   and krou writes tables only under another name, in `partial.rs`,
        //   and no more once they are renamed.
        // - That no other process changes them is what the caller promises, which
        //   no program can enforce. The reader bounds-checks every access to
        //   a directory and a block at the time of reading, so that bytes
        //   which changed after opening lead it nowhere outside the mapping.
        let map = unsafe { Mmap::map(file) }?;
        Ok(Mapped(map))
    }

    /// As a source, of a file that a test has to itself.
    #[cfg(test)]
    pub fn for_tests(path: &Path) -> Result<Source, super::error::Fault> {
        Source::new(path, |file| {
            // SAFETY: nobody but the test knows of the file.
            unsafe { Mapped::new(&file) }.map(Source::Mapped)
        })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
