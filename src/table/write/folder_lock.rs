//! One writer at a time in a folder.

use std::path::Path;

use super::atomic_file::Partial;
use crate::table::error::TableError;

/// Keeps other holders of such a lock out of a folder as long as it lives. It is a
/// file in the folder and removed with the lock; what a killed holder left does not
/// count.
///
/// On a file system without locks nobody is kept out.
#[derive(Debug)]
#[must_use = "the lock is released as soon as it is dropped"]
pub struct FolderLock {
    _file: Partial,
}

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    /// [`Fault::Busy`](crate::table::Fault::Busy) if another process holds the lock;
    /// another fault if the folder is missing or cannot be written to.
    pub fn new(folder: impl AsRef<Path>) -> Result<FolderLock, TableError> {
        let path = folder.as_ref().join(".krou-build.lock");
        match Partial::create(path.clone()) {
            Ok(file) => Ok(FolderLock { _file: file }),
            Err(fault) => Err(fault.of(path)),
        }
    }
}
