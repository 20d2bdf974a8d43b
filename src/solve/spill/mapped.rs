//! Mapped files: memory beyond the limit that is read here and there, by `certificate`.
//!
//! A file is created without a name, allocated in full and mapped, so it is a slice like any
//! other memory, and the operating system decides which of its pages are in memory. A full
//! disk is an error when the file is made. If the disk fails later, the system ends the
//! program with a signal (`SIGBUS`): finished layers stay, and the next build resumes. Where
//! files cannot be made or mapped at all, arrays stay in anonymous memory.

#![allow(unsafe_code)] // mapped files, with the contract of each call beside it

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;

use memmap2::{MmapMut, MmapOptions};

use super::{SpillError, is_unsupported};

/// An entry that any bytes represent.
///
/// # Safety
/// Every sequence of `size_of::<Self>()` bytes must be a value of the type, which must have
/// no padding, and be aligned to at most a page.
pub unsafe trait Plain: Send + Sync + 'static {}

/// Entries in a nameless file, which is mapped into memory.
#[derive(Debug)]
pub(in crate::solve) struct Mapped<E> {
    map: MmapMut,
    entries: PhantomData<E>,
}

impl<E: Plain> Mapped<E> {
    /// This many entries of bytes 0 in a new file, which takes its place in `folder` now; `None`
    /// where the system cannot map files.
    pub fn new(folder: &Path, len: usize) -> Result<Option<Mapped<E>>, SpillError> {
        // A file without bytes cannot be mapped.
        let bytes = (len * size_of::<E>()).max(1);
        match map(folder, bytes) {
            Ok(map) => Ok(Some(Mapped {
                map,
                entries: PhantomData,
            })),
            Err(error) if is_unsupported(&error) => Ok(None),
            Err(cause) => Err(SpillError::Make {
                folder: folder.to_path_buf(),
                bytes: bytes as u64,
                cause: Arc::new(cause),
            }),
        }
    }
}

/// Maps a new file of this length.
fn map(folder: &Path, bytes: usize) -> io::Result<MmapMut> {
    let file = tempfile::tempfile_in(folder)?;
    allocate(&file, bytes as u64)?;
    // SAFETY: the file has no name and no other handle, so nobody else reads, changes or
    // shortens it. All of its bytes exist.
    unsafe { MmapOptions::new().len(bytes).map_mut(&file) }
}

impl<E: Plain> Deref for Mapped<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        let len = self.map.len() / size_of::<E>();
        // SAFETY: the map has so many entries, from the beginning of a page on, and any bytes
        // are entries (`Plain`). It is borrowed as long as they are.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), len) }
    }
}

impl<E: Plain> DerefMut for Mapped<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        let len = self.map.len() / size_of::<E>();
        // SAFETY: as above, borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), len) }
    }
}

/// Gives a new file its bytes, all 0, and their place on the disk.
#[cfg(target_os = "linux")]
pub(super) fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let bytes = bytes.try_into().map_err(io::Error::other)?;
    // SAFETY: the descriptor is open as long as `file` is borrowed.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allocate(mut file: &File, bytes: u64) -> io::Result<()> {
    use std::io::Write;
    let zeros = vec![0; 1 << 20];
    let mut left = bytes;
    while left > 0 {
        let now = left.min(zeros.len() as u64);
        file.write_all(&zeros[..now as usize])?;
        left -= now;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_file_is_memory() {
        let folder = tempfile::tempdir().unwrap();
        for len in [0, 1, 5000, 100_000] {
            let mut mapped = Mapped::<u8>::new(folder.path(), len).unwrap().unwrap();
            let mut plain = vec![0; len];
            assert_eq!(mapped[..len], plain);
            for i in (0..len).step_by(3) {
                (mapped[i], plain[i]) = (i as u8, i as u8);
            }
            assert_eq!(mapped[..len], plain);
            // It has no name.
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_file_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        // No disk is as large as the second.
        for (folder, len) in [
            (folder.path().join("gone"), 5),
            (folder.path().into(), 1 << 60),
        ] {
            let error = Mapped::<u8>::new(&folder, len).unwrap_err();
            assert!(matches!(error, SpillError::Make { .. }), "{error}");
        }
    }
}
