//! One writer at a time in a folder.

use std::path::Path;

use super::error::TableError;
use super::partial::Partial;

/// Keeps other holders of such a lock out of a folder for as long as it lives.
/// It is a file there, which goes with it; what a killed holder left behind is
/// no hindrance.
#[derive(Debug)]
#[must_use = "the lock is gone as soon as it is dropped"]
pub struct FolderLock {
    _file: Partial,
}

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    /// [`Fault::Busy`](super::Fault::Busy) if somebody else holds the lock;
    /// another fault if the folder is missing or cannot be written.
    pub fn new(folder: &Path) -> Result<FolderLock, TableError> {
        let path = folder.join(".krou-build.lock");
        let name = path.display().to_string();
        match Partial::create(path) {
            Ok(file) => Ok(FolderLock { _file: file }),
            Err(fault) => Err(fault.of(name)),
        }
    }
}
