//! The memory that a tablebase may use: one budget for the cache of decoded units and
//! for whole layers.

#[cfg(feature = "solve")]
use std::path::{Path, PathBuf};

use super::cache::DEFAULT_BYTES;

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

    /// Bytes for decoded units beside `for_layers` bytes for layers.
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
