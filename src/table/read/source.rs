//! Where a table's bytes come from: the one interface between reader and files.
//!
//! A file is read by position, or mapped if the caller guarantees that it does not
//! change. A table that is part of a program, or was made in memory, is a slice.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Range;
use std::path::Path;

use super::positioned::read_at;
use crate::table::error::Fault;

/// The bytes of a whole table.
#[derive(Debug)]
pub(super) enum Source {
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
    Memory(Cow<'static, [u8]>),
    File {
        file: File,
        len: u64,
    },
}

impl Source {
    /// Opens a file to be read by position.
    pub fn open(path: &Path) -> Result<Source, Fault> {
        Source::open_as(path, |file| {
            Ok(Source::File {
                len: file.metadata()?.len(),
                file,
            })
        })
    }

    /// Opens a file and makes a source of it.
    pub fn open_as(
        path: &Path,
        make: impl FnOnce(File) -> io::Result<Source>,
    ) -> Result<Source, Fault> {
        let file = open_file(path)?;
        make(file).map_err(Fault::reading)
    }

    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        match self {
            #[cfg(feature = "mmap")]
            Source::Mapped(mapped) => mapped.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { len, .. } => *len,
        }
    }

    /// The bytes of a range, or those of its start if there are no more.
    pub fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        let within = |bytes: &'_ [u8]| -> Range<usize> {
            // Both are at most the length of a slice.
            let offset = |at: u64| usize::try_from(at).unwrap_or(bytes.len());
            offset(start)..offset(end)
        };
        match self {
            #[cfg(feature = "mmap")]
            Source::Mapped(bytes) => Ok(Cow::Borrowed(&bytes[within(bytes)])),
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

/// Opens a file. Anything else is refused before it is opened, because opening a pipe
/// would wait for its other end; and again afterwards, because something else may
/// have taken the name meanwhile.
fn open_file(path: &Path) -> Result<File, Fault> {
    let must_be_file = |found: io::Result<Metadata>| match found {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Fault::NotAFile),
        Err(cause) => Err(Fault::reading(cause)),
    };
    must_be_file(fs::metadata(path))?;
    let file = File::open(path).map_err(Fault::reading)?;
    must_be_file(file.metadata())?;
    Ok(file)
}
