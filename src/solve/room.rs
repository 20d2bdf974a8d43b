//! Room: how much memory a stage of the work may still take.

use std::path::Path;
use std::sync::Arc;

/// Memory that may still be taken, and where what does not fit goes.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// Bytes; `None` if there is no limit.
    left: Option<u64>,
    folder: Arc<Path>,
}

impl Room {
    /// Memory without a limit.
    pub fn unlimited() -> Room {
        Room {
            left: None,
            folder: Path::new(".").into(),
        }
    }

    /// So many bytes; what does not fit goes into scratch files in `folder`.
    pub fn limited(bytes: u64, folder: Arc<Path>) -> Room {
        Room {
            left: Some(bytes),
            folder,
        }
    }

    /// Takes memory if there is enough.
    pub fn take(&mut self, bytes: u64) -> bool {
        match &mut self.left {
            None => true,
            Some(left) if *left >= bytes => {
                *left -= bytes;
                true
            }
            Some(_) => false,
        }
    }

    /// Gives memory back.
    pub fn give(&mut self, bytes: u64) {
        if let Some(left) = &mut self.left {
            *left += bytes;
        }
    }

    /// The folder of scratch files.
    pub fn folder(&self) -> Arc<Path> {
        self.folder.clone()
    }

    /// Bytes that may still be taken; `None` if there is no limit.
    pub fn left(&self) -> Option<u64> {
        self.left
    }
}
