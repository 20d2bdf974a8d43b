//! Arrays beyond memory: where their entries are, and which of them are in memory.
//!
//! - `pieces`: how an array is cut into pieces of neighbouring lines.
//! - `pages`: a file of whole pages, past the page cache.
//! - `compression`: entries in few bits.
//! - `file`: the pieces of arrays in such a file, compressed, each with a checksum.
//! - `schedule`: which pieces the steps of some work need.
//! - `pool`: the pieces in memory while work goes on in known steps: the next ones are read
//!   ahead, and those that are wanted last make room.

mod buffer;
mod compression;
mod file;
mod pages;
mod pieces;
mod pool;
mod schedule;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

pub(super) use buffer::atomic_bytes;
pub(crate) use buffer::{Buffer, Plain};
pub(super) use file::{SpillFile, SpillLayout, Writes};
pub(super) use pieces::{Pieces, most_entries};
pub(super) use pool::Pool;
pub(super) use schedule::{PoolFiles, Schedule};

use crate::table::reason;

/// A spill file, for memory beyond the limit, cannot be made or used.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum SpillError {
    /// It cannot be made.
    #[error(
        "cannot make a spill file of {} MiB in {} ({}): free space there, choose another folder, \
         or allow more memory",
        bytes.div_ceil(1 << 20), folder.display(), reason(cause)
    )]
    Make {
        /// The folder.
        folder: PathBuf,
        /// The length of the file.
        bytes: u64,
        /// The system's error.
        cause: Arc<io::Error>,
    },
    /// What it holds cannot be written or read again.
    #[error(
        "a spill file in {} fails ({}): check the disk, choose another folder, or allow more \
         memory",
        folder.display(), reason(cause)
    )]
    Use {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        cause: Arc<io::Error>,
    },
}

impl SpillError {
    /// The system's error.
    pub(super) fn cause(&self) -> io::Error {
        let (Self::Make { cause, .. } | Self::Use { cause, .. }) = self;
        io::Error::new(cause.kind(), cause.to_string())
    }
}

/// Whether the system, or the file system of the folder, has no files for memory.
fn is_unsupported(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ENODEV) {
        return true;
    }
    // Elsewhere, such as in browsers, there are no temporary files, whatever their error says.
    cfg!(not(any(unix, windows))) || error.kind() == io::ErrorKind::Unsupported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_may_have_no_files_for_memory() {
        assert!(is_unsupported(&io::ErrorKind::Unsupported.into()));
        #[cfg(unix)]
        assert!(is_unsupported(&io::Error::from_raw_os_error(libc::ENODEV)));
        assert!(!is_unsupported(&io::ErrorKind::StorageFull.into()));
    }
}
