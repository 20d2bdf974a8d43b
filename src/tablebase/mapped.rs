//! Mapped tables: for engines with memory to spare, which answer for the files.

#![allow(unsafe_code)]

use std::path::Path;

use super::folder::{self, OpenError};
use super::probe::Tablebase;
use crate::rules::Ruleset;
use crate::table::Table;

impl Tablebase {
    /// As [`Tablebase::open`], but files are mapped into memory and not read piece
    /// by piece. With raw tables a probe then takes no more than finding the entry.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    ///
    /// # Safety
    /// As [`Table::open_mapped`]: nobody may write into the files or cut them.
    pub unsafe fn open_mapped<P: AsRef<Path>>(
        rules: Ruleset,
        folders: &[P],
    ) -> Result<Tablebase, OpenError> {
        let folders: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
        // SAFETY: promised by the caller.
        let layers = folder::open(rules, &folders, |path| unsafe { Table::open_mapped(path) })?;
        Ok(Tablebase::new(rules, layers))
    }
}
