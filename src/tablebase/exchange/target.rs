//! The output file of an export: it appears only when it is complete.
//!
//! It is written under another name in the same folder, synced, and renamed. A file that
//! already has its name stays until then.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::ExchangeError;
use crate::table::{Fault, Partial};

/// An unfinished export. Dropping it removes the file.
pub(super) struct Target {
    partial: Partial,
    path: PathBuf,
}

impl Target {
    /// An empty file that will be renamed to this path.
    pub fn create(path: &Path) -> Result<Target, ExchangeError> {
        let not_a_file = |path: &Path| ExchangeError::NotAFile {
            file: path.to_path_buf(),
        };
        // Checked before the work rather than after it.
        let is_free = match fs::metadata(path) {
            Ok(found) => found.is_file(),
            Err(_) => !ends_as_a_folder(path),
        };
        let name = path.file_name().filter(|_| is_free);
        let name = name.ok_or_else(|| not_a_file(path))?;
        let mut partial_name = OsString::from(name);
        partial_name.push(".krou-partial");
        let partial_path = path.with_file_name(partial_name);
        // Neither wait for the other end of a pipe, nor write through a link.
        match fs::symlink_metadata(&partial_path) {
            Ok(found) if !found.is_file() => return Err(not_a_file(&partial_path)),
            _ => {}
        }
        match Partial::create(partial_path) {
            Ok(partial) => Ok(Target {
                partial,
                path: path.to_path_buf(),
            }),
            Err(fault) => Err(unwritable(path, fault)),
        }
    }

    pub fn file(&self) -> &File {
        self.partial.file()
    }

    /// The error for a failure to write this file.
    pub fn unwritable(&self, cause: io::Error) -> ExchangeError {
        unwritable(&self.path, Fault::writing(cause))
    }

    /// Adds the file's name to a write error.
    pub fn named(&self, error: ExchangeError) -> ExchangeError {
        match error {
            ExchangeError::Output(cause) => self.unwritable(cause),
            error => error,
        }
    }

    /// Renames the complete file, and returns its length in bytes.
    pub fn publish(self) -> Result<u64, ExchangeError> {
        let path = self.path;
        let file = self.partial.file();
        let synced = file.sync_all().and_then(|()| file.metadata());
        let published = synced.and_then(|found| {
            self.partial.publish(&path)?;
            Ok(found.len())
        });
        published.map_err(|cause| unwritable(&path, Fault::writing(cause)))
    }
}

fn unwritable(path: &Path, fault: Fault) -> ExchangeError {
    ExchangeError::Write(fault.of(path.display().to_string()))
}

/// Whether the path ends in a separator, so that it can only name a folder.
fn ends_as_a_folder(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.ends_with(std::path::is_separator)
}
