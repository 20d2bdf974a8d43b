//! A file of whole pages.
//!
//! It is read and written past the page cache where the file system allows that: the cache would
//! hold everything twice, and give up first what is needed next.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file of whole pages.
#[derive(Debug)]
pub(super) struct PageFile {
    /// Past the page cache, if that is possible.
    file: File,
}

impl PageFile {
    /// A file of this length without a name: it lasts as long as it is open. It has its place on
    /// the disk from the beginning, or as far as it is written.
    pub fn nameless(folder: &Path, bytes: u64, is_allocated: bool) -> io::Result<PageFile> {
        let named = tempfile::NamedTempFile::new_in(folder)?;
        let file = match is_allocated {
            true => PageFile::allocated(named.path(), bytes)?,
            false => {
                named.as_file().set_len(bytes)?;
                PageFile::open(named.path())?
            }
        };
        // The name goes.
        named.close()?;
        Ok(file)
    }

    /// The empty file at this path, which gets its bytes, all 0, and their place on the disk. So a
    /// full disk is an error before the work begins.
    pub fn allocated(path: &Path, bytes: u64) -> io::Result<PageFile> {
        allocate(&File::options().write(true).open(path)?, bytes)?;
        PageFile::open(path)
    }

    /// The file at this path, of a page at the least.
    pub fn open(path: &Path) -> io::Result<PageFile> {
        let file = match open_direct(path) {
            Some(direct) => direct,
            None => File::options().read(true).write(true).open(path)?,
        };
        Ok(PageFile { file })
    }

    /// Reads some pages.
    pub fn read(&self, pages: &mut [u8], offset: u64) -> io::Result<()> {
        read_at(&self.file, pages, offset)
    }

    /// Writes some pages.
    pub fn write(&self, pages: &[u8], offset: u64) -> io::Result<()> {
        write_at(&self.file, pages, offset)
    }

    /// Waits until the disk has what was written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Gives a new file its bytes.
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

/// Opens a file past the page cache, if its file system can read it so.
#[cfg(target_os = "linux")]
fn open_direct(path: &Path) -> Option<File> {
    use super::buffer::{Buffer, PAGE};
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    let options = options.read(true).write(true);
    let direct = options.custom_flags(libc::O_DIRECT).open(path).ok()?;
    // Some take the flag and then refuse pages of this size.
    let mut page = Buffer::new(PAGE).ok()?;
    read_at(&direct, page.bytes_mut(), 0).ok()?;
    Some(direct)
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
