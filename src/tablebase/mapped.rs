//! Memory-mapped tables, for programs that can promise that the files stay unchanged.

#![allow(unsafe_code)]

use std::path::Path;

use super::builder::{OpenError, TablebaseBuilder};
use super::tables::Tablebase;
use crate::rules::Ruleset;
use crate::table::Table;

impl TablebaseBuilder {
    /// As [`TablebaseBuilder::open`], but maps the files of folders into memory
    /// instead of reading them tile by tile. With raw tables a probe then takes no more
    /// than finding the entry.
    ///
    /// # Errors
    /// As [`TablebaseBuilder::open`].
    ///
    /// # Safety
    /// As [`Table::open_mapped`]: while the tablebase lives, nobody may write into
    /// the files or truncate them.
    pub unsafe fn open_mapped(self) -> Result<Tablebase, OpenError> {
        // SAFETY: promised by the caller.
        self.open_files_with(&|path| unsafe { Table::open_mapped(path) })
    }
}

impl Tablebase {
    /// As [`Tablebase::open`], but maps the files into memory: see
    /// [`TablebaseBuilder::open_mapped`].
    ///
    /// # Errors
    /// As [`TablebaseBuilder::open`].
    ///
    /// # Safety
    /// As [`TablebaseBuilder::open_mapped`].
    pub unsafe fn open_mapped(
        rules: Ruleset,
        folders: impl IntoIterator<Item: AsRef<Path>>,
    ) -> Result<Tablebase, OpenError> {
        let builder = Tablebase::builder(rules).folders(folders);
        // SAFETY: promised by the caller.
        unsafe { builder.open_mapped() }
    }
}
