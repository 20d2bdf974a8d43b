//! Memory for whole layers: how much reading them takes, and what becomes of those
//! that do not fit.
//!
//! Whoever reads layers, to count, export, compare or verify them, is told here
//! before it begins, since reading may take hours.

use std::path::PathBuf;

use super::cache::{DEFAULT_BYTES, PieceCache};
use super::loader::LoadError;
use super::probe::Tablebase;
use crate::solve::{memory_needed, memory_to_import};
use crate::table::{Codec, Kind, Table};

/// Bytes for the program itself, and for the blocks that are being decoded.
pub(super) const PROGRAM: u64 = 24 << 20;

/// How much memory whole layers may take, and where the rest goes.
#[derive(Debug)]
pub(super) struct Limit {
    bytes: u64,
    /// What of them is for decoded pieces.
    cache: u64,
    pub scratch: PathBuf,
}

impl Limit {
    /// Bytes for layers.
    pub fn for_layers(&self) -> u64 {
        self.bytes - self.cache
    }
}

impl Tablebase {
    /// Bounds the memory that the program takes while it reads whole layers, with a
    /// [`Tablebase::loader`] or a [`Tablebase::counter`], or to
    /// [`Tablebase::export`] or [`Tablebase::compare`] one. What does not fit goes
    /// into scratch files without a name in the folder `scratch`. A sixteenth of it,
    /// but at most 64 MiB, is for decoded pieces.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64, scratch: impl Into<PathBuf>) -> Tablebase {
        let cache = DEFAULT_BYTES.min(bytes / 16);
        self.cache = PieceCache::new(cache);
        self.limit = Some(Limit {
            bytes,
            cache,
            scratch: scratch.into(),
        });
        self
    }

    /// How many boards there are in all layers up to one: so many are read before
    /// it can be told what its boards are worth.
    pub fn boards_up_to(&self, seeds: u8) -> u64 {
        (0..=seeds).map(|n| self.index(n).len()).sum()
    }

    /// Whether the layers up to `seeds` can be read within the limit.
    pub(super) fn check_limit(&self, seeds: u8) -> Result<(), LoadError> {
        let Some(limit) = &self.limit else {
            return Ok(());
        };
        let distance = |n| self.table(n, Kind::Distance).is_some();
        let layer = |n| memory_needed(self.rules(), n, distance(n));
        let for_layers = (0..=seeds).map(layer).max().unwrap_or(0);
        match for_layers > limit.for_layers() {
            true => Err(LoadError::Memory {
                seeds,
                // So that all but a sixteenth is as much.
                needed: for_layers + DEFAULT_BYTES.min(for_layers / 15 + 1),
                allowed: limit.bytes,
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
