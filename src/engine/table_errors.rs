//! A log of the tables that failed during play.
//!
//! The engine keeps playing when a table is damaged or cannot be read: it treats the
//! board as unknown and searches instead. Play gets weaker then, so whoever runs the
//! engine must be able to learn of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::table::TableError;
use crate::tablebase::ProbeError;

/// How many probes failed because a table is damaged or cannot be read, and the first
/// of these errors of all and of each file. A missing table is not an error.
#[derive(Debug, Default)]
pub struct TableErrors {
    count: AtomicU64,
    first: OnceLock<TableError>,
    of_files: Mutex<BTreeMap<PathBuf, String>>,
}

impl TableErrors {
    /// The number of failed probes.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The first error; `None` if all tables could be read so far.
    pub fn first(&self) -> Option<&TableError> {
        self.first.get()
    }

    /// A sentence for each file that could not be read so far: its first error.
    pub fn of_files(&self) -> Vec<String> {
        let of_files = self.of_files.lock();
        let of_files = of_files.unwrap_or_else(PoisonError::into_inner);
        of_files.values().cloned().collect()
    }

    /// Logs the error of a probe; `None` in its place.
    pub(super) fn log<T>(&self, result: Result<T, impl Into<ProbeError>>) -> Option<T> {
        match result.map_err(Into::into) {
            Ok(answer) => Some(answer),
            // That nobody waited for a host is no error.
            Err(ProbeError::Table(error)) if !error.is_stopped() => {
                self.count.fetch_add(1, Ordering::Relaxed);
                let of_files = self.of_files.lock();
                let mut of_files = of_files.unwrap_or_else(PoisonError::into_inner);
                if !of_files.contains_key(error.file()) {
                    of_files.insert(error.file().to_owned(), error.to_string());
                }
                drop(of_files);
                // Only the first one is kept.
                let _ = self.first.set(error);
                None
            }
            Err(_) => None,
        }
    }
}
