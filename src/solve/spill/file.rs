//! A spill file: the pieces of one array, each with a checksum.
//!
//! The file has no name, so the system removes it when the program ends, however it ends. It is
//! allocated in full when it is made, so that a full disk is an error before the work begins.
//! Pieces are read and written past the page cache where the file system allows that:
//! the cache would hold everything twice, and give up first what is needed next.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::buffer::{Buffer, PAGE};
use super::{SpillError, is_unsupported};

/// The pieces of one array.
#[derive(Debug)]
pub(in crate::solve) struct SpillFile {
    folder: PathBuf,
    /// Past the page cache, if that is possible.
    direct: File,
    /// Through the page cache: for reads here and there.
    cached: File,
    pieces: Vec<Piece>,
    /// The bytes of an entry that has not been written yet.
    initial: Vec<u8>,
}

/// A piece of the file.
#[derive(Debug)]
struct Piece {
    /// Where it begins: at a page.
    offset: u64,
    bytes: usize,
    /// The checksum of its bytes; 0 before it is written.
    sum: AtomicU64,
}

impl SpillFile {
    /// A file in `folder` for pieces of these lengths in bytes, all of whose entries are
    /// `initial`; `None` where the system has no files.
    pub fn new(
        folder: &Path,
        lengths: impl Iterator<Item = usize>,
        initial: Vec<u8>,
    ) -> Result<Option<SpillFile>, SpillError> {
        let mut end = 0;
        let pieces = lengths.map(|bytes| {
            let offset = end;
            end += bytes.next_multiple_of(PAGE) as u64;
            Piece {
                offset,
                bytes,
                sum: AtomicU64::new(0),
            }
        });
        let pieces: Vec<Piece> = pieces.collect();
        match make(folder, end) {
            Ok([direct, cached]) => Ok(Some(SpillFile {
                folder: folder.to_path_buf(),
                direct,
                cached,
                pieces,
                initial,
            })),
            Err(error) if is_unsupported(&error) => Ok(None),
            Err(cause) => Err(SpillError::Make {
                folder: folder.to_path_buf(),
                bytes: end,
                cause: Arc::new(cause),
            }),
        }
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Bytes of the longest piece, in whole pages: buffers of this size fit all.
    pub fn longest(&self) -> usize {
        let pieces = self.pieces.iter().map(|piece| piece.bytes);
        pieces.max().unwrap_or(0).next_multiple_of(PAGE)
    }

    /// A buffer of this many bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, SpillError> {
        Buffer::new(bytes).map_err(|cause| self.fails(cause))
    }

    /// Reads a piece into a buffer.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    ///
    /// # Panics
    /// If the buffer is too short.
    pub fn read(&self, piece: usize, buffer: &mut Buffer) -> Result<(), SpillError> {
        let Piece { offset, bytes, sum } = &self.pieces[piece];
        let pages = &mut buffer.bytes_mut()[..bytes.next_multiple_of(PAGE)];
        let sum = sum.load(Ordering::Acquire);
        if sum == 0 {
            for entry in pages.chunks_exact_mut(self.initial.len()) {
                entry.copy_from_slice(&self.initial);
            }
            return Ok(());
        }
        read_at(&self.direct, pages, *offset).map_err(|cause| self.fails(cause))?;
        match checksum(&pages[..*bytes]) == sum {
            true => Ok(()),
            false => Err(self.fails(io::Error::other("it has lost what was written to it"))),
        }
    }

    /// Writes a piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, piece: usize, buffer: &Buffer) -> Result<(), SpillError> {
        let Piece { offset, bytes, sum } = &self.pieces[piece];
        let pages = &buffer.bytes()[..bytes.next_multiple_of(PAGE)];
        write_at(&self.direct, pages, *offset).map_err(|cause| self.fails(cause))?;
        sum.store(checksum(&pages[..*bytes]), Ordering::Release);
        Ok(())
    }

    /// Reads some bytes of a piece, from `start` on, through the page cache.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_some(&self, piece: usize, start: usize, out: &mut [u8]) -> Result<(), SpillError> {
        let Piece { offset, sum, .. } = &self.pieces[piece];
        if sum.load(Ordering::Acquire) == 0 {
            for (i, byte) in out.iter_mut().enumerate() {
                *byte = self.initial[(start + i) % self.initial.len()];
            }
            return Ok(());
        }
        let read = read_at(&self.cached, out, offset + start as u64);
        read.map_err(|cause| self.fails(cause))
    }

    /// The error for a failure of the disk, or of the threads that use it.
    pub fn fails(&self, cause: io::Error) -> SpillError {
        SpillError::Use {
            folder: self.folder.clone(),
            cause: Arc::new(cause),
        }
    }
}

/// A checksum that is not 0.
fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes).max(1)
}

/// Makes a nameless file of this length, and opens it twice.
fn make(folder: &Path, bytes: u64) -> io::Result<[File; 2]> {
    let named = tempfile::NamedTempFile::new_in(folder)?;
    let cached = named.reopen()?;
    allocate(&cached, bytes)?;
    let direct = match open_direct(named.path()) {
        Some(direct) => direct,
        None => named.reopen()?,
    };
    // The name goes; the file stays as long as it is open.
    named.close()?;
    Ok([direct, cached])
}

/// Gives a new file its bytes, all 0, and their place on the disk.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
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

/// Opens a file past the page cache, if its file system can read and write it so.
#[cfg(target_os = "linux")]
fn open_direct(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    let options = options.read(true).write(true);
    let direct = options.custom_flags(libc::O_DIRECT).open(path).ok()?;
    // Some take the flag and then refuse pages of this size. An empty file has nothing to read.
    let mut page = Buffer::new(PAGE).ok()?;
    let length = direct.metadata().ok()?.len();
    let can_read = length == 0 || read_at(&direct, page.bytes_mut(), 0).is_ok();
    (can_read && (length == 0 || write_at(&direct, page.bytes(), 0).is_ok())).then_some(direct)
}

#[cfg(not(target_os = "linux"))]
fn open_direct(_: &Path) -> Option<File> {
    None
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, offset) = (&mut bytes[read..], offset + read as u64);
    }
    Ok(())
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        (bytes, offset) = (&bytes[written..], offset + written as u64);
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(unix, windows)))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path) -> SpillFile {
        let lengths = [5, PAGE, 3 * PAGE + 1].into_iter();
        SpillFile::new(folder, lengths, vec![7, 9])
            .unwrap()
            .unwrap()
    }

    #[test]
    fn pieces_are_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        // It has no name.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        for piece in [0, 2, 1] {
            let mut buffer = file.buffer(file.longest()).unwrap();
            file.read(piece, &mut buffer).unwrap();
            assert_eq!(buffer.bytes()[..4], [7, 9, 7, 9]);
            let mut some = [0; 3];
            file.read_some(piece, 1, &mut some).unwrap();
            assert_eq!(some, [9, 7, 9]);
            for (i, byte) in buffer.bytes_mut().iter_mut().enumerate() {
                *byte = (i * (piece + 3)) as u8;
            }
            file.write(piece, &buffer).unwrap();
            let mut again = file.buffer(file.longest()).unwrap();
            file.read(piece, &mut again).unwrap();
            let len = file.pieces[piece].bytes;
            assert!(again.bytes()[..len] == buffer.bytes()[..len]);
            file.read_some(piece, 2, &mut some).unwrap();
            assert_eq!(some, buffer.bytes()[2..5]);
        }
    }

    #[test]
    fn a_lost_write_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        file.write(1, &file.buffer(PAGE).unwrap()).unwrap();
        let mut other = file.buffer(PAGE).unwrap();
        other.bytes_mut()[17] = 1;
        write_at(&file.direct, other.bytes(), file.pieces[1].offset).unwrap();
        let Err(error) = file.read(1, &mut other) else {
            panic!("the piece is not what was written");
        };
        assert!(
            error.to_string().contains("has lost what was written"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        // No disk is as large as the second.
        for (folder, bytes) in [
            (folder.path().join("gone"), 5),
            (folder.path().into(), 1 << 60),
        ] {
            let error = SpillFile::new(&folder, [bytes].into_iter(), vec![0]).unwrap_err();
            assert!(matches!(error, SpillError::Make { .. }), "{error}");
        }
    }
}
