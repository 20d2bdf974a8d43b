//! Memory for whole layers: how much reading them takes, and what becomes of those
//! that do not fit.
//!
//! Whoever reads layers, to count, export, compare or verify them, is told here
//! before it begins, since reading may take hours.

#[cfg(feature = "solve")]
use std::path::{Path, PathBuf};

use super::cache::{DEFAULT_BYTES, UnitCache};
use super::loader::LoadError;
use super::probe::Tablebase;
use crate::solve::{memory_needed, memory_to_import};
use crate::table::{Codec, Kind, Table};

/// Bytes for the program itself, and for the blocks that are being decoded.
pub(super) const PROGRAM: u64 = 24 << 20;

/// How much memory a tablebase may use. The cache and the layers share it, so that it
/// does not matter in which order they are set.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget {
    /// Bytes for decoded units, if set.
    pub cache_bytes: Option<u64>,
    /// The limit for whole layers, if there is one.
    #[cfg(feature = "solve")]
    limit: Option<Limit>,
}

/// The limit for reading whole layers, decoded units included.
#[cfg(feature = "solve")]
#[derive(Clone, Debug)]
struct Limit {
    bytes: u64,
    scratch: PathBuf,
}

impl Budget {
    /// Bytes for decoded units: unless set, 64 MiB, or a sixteenth of the limit if
    /// that is less.
    pub fn for_cache(&self) -> u64 {
        #[cfg(feature = "solve")]
        let most = self
            .limit
            .as_ref()
            .map_or(u64::MAX, |limit| limit.bytes / 16);
        #[cfg(not(feature = "solve"))]
        let most = u64::MAX;
        self.cache_bytes.unwrap_or(DEFAULT_BYTES.min(most))
    }
}

#[cfg(feature = "solve")]
impl Budget {
    /// Limits the memory for whole layers, with spill files in the folder `scratch`.
    pub fn set_memory(&mut self, bytes: u64, scratch: &Path) {
        self.limit = Some(Limit {
            bytes,
            scratch: scratch.to_path_buf(),
        });
    }

    /// Bytes for decoded units beside so many bytes for layers.
    pub fn cache_beside(&self, for_layers: u64) -> u64 {
        // A sixteenth of the whole is a fifteenth of the rest.
        let share = DEFAULT_BYTES.min(for_layers / 15 + 1);
        self.cache_bytes.unwrap_or(share)
    }

    /// Bytes for whole layers and the folder of spill files, if there is a limit.
    pub fn for_layers(&self) -> Option<(u64, &Path)> {
        let limit = self.limit.as_ref()?;
        let bytes = limit.bytes.saturating_sub(self.for_cache());
        Some((bytes, &limit.scratch))
    }
}

impl Tablebase {
    /// Limits the memory for reading whole layers, with a [`Tablebase::loader`] or a
    /// [`Tablebase::counter`], or to [`Tablebase::export`] or [`Tablebase::compare`]
    /// one. Anything that does not fit is spilled to nameless files in the folder
    /// `scratch`. The cache of decoded units is part of the limit: unless its size was
    /// set, it takes a sixteenth, but at most 64 MiB.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64, scratch: impl AsRef<Path>) -> Tablebase {
        self.budget.set_memory(bytes, scratch.as_ref());
        self.cache = UnitCache::new(self.budget.for_cache());
        self
    }

    /// How many boards there are in all layers up to one: so many are read before
    /// it can be told what its boards are worth.
    pub fn boards_up_to(&self, seeds: u8) -> u64 {
        (0..=seeds).map(|n| self.index(n).len()).sum()
    }

    /// Whether the layers up to `seeds` can be read within the limit.
    pub(super) fn check_limit(&self, seeds: u8) -> Result<(), LoadError> {
        let Some((allowed, _)) = self.budget.for_layers() else {
            return Ok(());
        };
        let distance = |n| self.table(n, Kind::Distance).is_some();
        let layer = |n| memory_needed(self.rules(), n, distance(n));
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

    /// Bytes of memory that it takes to read the layers up to `highest`, if all of
    /// them are held in memory.
    pub(super) fn memory_to_load(&self, highest: u8) -> u64 {
        let rules = self.rules();
        let planes = if rules.has_bounds() { 3 } else { 1 };
        let layer = |seeds: u8| {
            let distance = self.table(seeds, Kind::Distance).is_some();
            let mut tables = self.tables(seeds).all().map(Table::codec);
            match tables.all(Codec::is_exact) {
                true => {
                    let distances = u64::from(distance) * self.index(seeds).len();
                    PROGRAM + planes * self.boards_up_to(seeds) + distances
                }
                false => memory_to_import(rules, seeds, distance),
            }
        };
        (0..=highest).map(layer).max().unwrap_or(PROGRAM)
    }
}
