//! Memory in files: what exceeds the memory limit.
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
use std::ops::{Deref, DerefMut, Range};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

/// An entry that any bytes represent.
///
/// # Safety
/// Every sequence of `size_of::<Self>()` bytes must be a value of the type, which must have
/// no padding, and be aligned to at most a page.
pub unsafe trait Plain: Send + Sync + 'static {}

/// How entries are read for a while.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// Line by line, mostly forwards: the system reads a little ahead.
    Lines,
    /// All of them, in order: the system reads far ahead, and gives up first what has been read.
    InOrder,
    /// One here, one there: reading ahead would be in vain.
    Scattered,
}

/// Entries in a nameless file, which is mapped into memory.
#[derive(Debug)]
pub(super) struct Mapped<E> {
    map: MmapMut,
    entries: PhantomData<E>,
}

impl<E: Plain> Mapped<E> {
    /// This many entries of bytes 0 in a new file, which takes its place in `folder` now.
    pub fn new(folder: &Path, len: usize) -> io::Result<Mapped<E>> {
        let file = tempfile::tempfile_in(folder)?;
        // A file without bytes cannot be mapped.
        let bytes = (len * size_of::<E>()).max(1);
        allocate(&file, bytes as u64)?;
        // SAFETY: the file has no name and no other handle, so nobody else reads, changes or
        // shortens it. All of its bytes exist.
        let map = unsafe { MmapOptions::new().len(bytes).map_mut(&file)? };
        Ok(Mapped {
            map,
            entries: PhantomData,
        })
    }

    /// Says how the entries are read from now on.
    pub fn expect(&self, access: Access) {
        #[cfg(unix)]
        {
            let advice = match access {
                Access::Lines => memmap2::Advice::Normal,
                Access::InOrder => memmap2::Advice::Sequential,
                Access::Scattered => memmap2::Advice::Random,
            };
            // Advice that fails changes nothing.
            let _ = self.map.advise(advice);
        }
        #[cfg(not(unix))]
        let _ = access;
    }

    /// Says that these entries are read soon.
    pub fn will_read(&self, entries: Range<usize>) {
        let (start, len) = (entries.start, entries.len());
        #[cfg(unix)]
        let _ = self.map.advise_range(
            memmap2::Advice::WillNeed,
            start * size_of::<E>(),
            len * size_of::<E>(),
        );
        #[cfg(not(unix))]
        let _ = (start, len);
    }
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

/// Whether the system, or the file system of the folder, has no files that can be mapped.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ENODEV) {
        return true;
    }
    // Elsewhere, such as in browsers, there are no temporary files, whatever their error says.
    cfg!(not(any(unix, windows))) || error.kind() == io::ErrorKind::Unsupported
}

/// Gives a new file its bytes, all 0, and their place on the disk.
#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let bytes = bytes.try_into().map_err(io::Error::other)?;
    // SAFETY: the descriptor is open as long as `file` is borrowed.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(mut file: &File, bytes: u64) -> io::Result<()> {
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
            let mut mapped = Mapped::<u8>::new(folder.path(), len).unwrap();
            let mut plain = vec![0; len];
            assert_eq!(mapped[..len], plain);
            for i in (0..len).step_by(3) {
                (mapped[i], plain[i]) = (i as u8, i as u8);
            }
            mapped.expect(Access::InOrder);
            mapped.expect(Access::Scattered);
            mapped.expect(Access::Lines);
            mapped.will_read(len / 3..len);
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
            assert!(!is_unsupported(&error), "{error}");
        }
    }

    #[test]
    fn a_system_may_have_no_files_that_can_be_mapped() {
        assert!(is_unsupported(&io::ErrorKind::Unsupported.into()));
        #[cfg(unix)]
        assert!(is_unsupported(&io::Error::from_raw_os_error(libc::ENODEV)));
        assert!(!is_unsupported(&io::ErrorKind::StorageFull.into()));
    }
}
