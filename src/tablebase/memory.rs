//! Memory for whole layers: how much reading them takes.
//!
//! Counting, exporting, comparing and verifying layers check it before they begin,
//! since reading may take hours.

use std::path::Path;

use super::loader::LoadError;
use super::tables::Tablebase;
use crate::solve::memory_needed;

/// Bytes for the program itself, and for blocks that are being decoded.
pub(super) const PROGRAM: u64 = 24 << 20;

impl Tablebase {
    /// Limits the memory for reading whole layers, with a [`Tablebase::loader`] or a
    /// [`Tablebase::counter`], or to [`Tablebase::export`] or [`Tablebase::compare`]
    /// one. Anything that does not fit is spilled to nameless files in the folder
    /// `scratch`. The cache of decoded units is part of the limit: unless its size was
    /// set, it takes a sixteenth, but at most 64 MiB.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64, scratch: impl AsRef<Path>) -> Tablebase {
        self.budget.set_memory(bytes, scratch.as_ref());
        self.resize_cache();
        self
    }

    /// Boards in all layers up to one. All of them are read to load that layer.
    pub fn boards_up_to(&self, seeds: u8) -> u64 {
        (0..=seeds).map(|n| self.index(n).len()).sum()
    }

    /// Checks that the layers up to `seeds` can be read within the limit.
    pub(super) fn check_limit(&self, seeds: u8) -> Result<(), LoadError> {
        let Some((allowed, _)) = self.budget.for_layers() else {
            return Ok(());
        };
        let layer = |n| memory_needed(self.rules(), n, &self.tables(n).kinds());
        let for_layers = (0..=seeds).map(layer).max().unwrap_or(0);
        match for_layers > allowed {
            true => Err(LoadError::Memory {
                seeds,
                needed: for_layers + self.budget.cache_beside(for_layers),
                allowed: allowed + self.budget.for_cache(),
            }),
            false => Ok(()),
        }
    }
}
