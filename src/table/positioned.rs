//! Reading and writing files by position, on every system.

use std::fs::File;
use std::io;

/// Fills `bytes` from `place` on; an error if the file ends before.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

/// Writes all of `bytes` from `place` on.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

/// Fills `bytes` from `place` on; an error if the file ends before.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, place)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        place += read as u64;
    }
    Ok(())
}

/// Writes all of `bytes` from `place` on.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, place)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        place += written as u64;
    }
    Ok(())
}
