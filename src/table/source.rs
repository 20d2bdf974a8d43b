//! Where a table's bytes are: the one seam between the reader and the world.
//!
//! A file is read piece by piece, or mapped where the caller answers for it.
//! A table that is part of a program, or was made in memory, is a slice. The
//! reader asks for ranges of bytes.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;

use super::error::Fault;
use super::mmap::Mapped;
use super::positioned::read_at;

/// The bytes of a whole table.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(Mapped),
    Memory(Cow<'static, [u8]>),
    File { file: File, len: u64 },
}

impl Source {
    /// Opens a file to be read piece by piece.
    pub fn read(path: &Path) -> Result<Source, Fault> {
        Source::new(path, |file| {
            Ok(Source::File {
                len: file.metadata()?.len(),
                file,
            })
        })
    }

    /// Opens a file and makes a source of it.
    pub fn new(
        path: &Path,
        make: impl FnOnce(File) -> io::Result<Source>,
    ) -> Result<Source, Fault> {
        let file = open(path)?;
        make(file).map_err(Fault::reading)
    }

    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        match self {
            Source::Mapped(mapped) => mapped.bytes().len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { len, .. } => *len,
        }
    }

    /// The bytes of a range, as far as there are any.
    pub fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        let within = |bytes: &'_ [u8]| -> Range<usize> {
            // Both are at most the length of a slice.
            let place = |at: u64| usize::try_from(at).unwrap_or(bytes.len());
            place(start)..place(end)
        };
        match self {
            Source::Mapped(mapped) => {
                let bytes = mapped.bytes();
                Ok(Cow::Borrowed(&bytes[within(bytes)]))
            }
            Source::Memory(bytes) => Ok(Cow::Borrowed(&bytes[within(bytes)])),
            Source::File { file, .. } => {
                let too_long = |_| io::Error::from(io::ErrorKind::OutOfMemory);
                let mut bytes = vec![0; usize::try_from(end - start).map_err(too_long)?];
                read_at(file, &mut bytes, start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

/// Anything that is not a file is refused before it is opened: to open a pipe
/// would wait for its other end.
fn open(path: &Path) -> Result<File, Fault> {
    if !fs::metadata(path).map_err(Fault::reading)?.is_file() {
        return Err(Fault::NotAFile);
    }
    File::open(path).map_err(Fault::reading)
}
