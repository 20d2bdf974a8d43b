//! Where a table's bytes come from: the one interface between reader and files.
//!
//! A file is read by position, or mapped if the caller guarantees that it does not
//! change. A table that is part of a program, or was made in memory, is a slice.
//!
//! Files are read by position with the system's calls on Unix and Windows; elsewhere they
//! cannot be read.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::Mmap;
use crate::positional::read_at;
use crate::ranges::{FileRange, Ranges};
use crate::table::error::Fault;

/// The bytes of a whole table.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(Mmap),
    Memory(Cow<'static, [u8]>),
    File {
        file: File,
        len: u64,
    },
    /// A file on another machine.
    Ranged {
        ranges: Arc<dyn Ranges>,
        file: usize,
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
            Source::Mapped(mapped) => mapped.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { len, .. } | Source::Ranged { len, .. } => *len,
        }
    }

    /// All bytes, if they are in memory.
    #[inline]
    pub fn in_memory(&self) -> Option<&[u8]> {
        match self {
            Source::Mapped(mapped) => Some(mapped),
            Source::Memory(bytes) => Some(bytes),
            Source::File { .. } | Source::Ranged { .. } => None,
        }
    }

    /// Whether the bytes are on another machine.
    pub fn is_remote(&self) -> bool {
        matches!(self, Source::Ranged { .. })
    }

    /// Forgets what was fetched of a file on another machine: see [`Ranges::forget`].
    pub fn forget(&self) -> bool {
        match self {
            Source::Ranged { ranges, file, .. } => ranges.forget(*file),
            Source::Mapped(_) | Source::Memory(_) | Source::File { .. } => false,
        }
    }

    /// The bytes of a range, or those of its start if there are no more.
    ///
    /// # Errors
    /// If they cannot be read; [`Fault::Lacking`] if they have yet to be fetched.
    pub fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, Fault> {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        let within = |bytes: &'_ [u8]| -> Range<usize> {
            // Both are at most the length of a slice.
            let offset = |at: u64| usize::try_from(at).unwrap_or(bytes.len());
            offset(start)..offset(end)
        };
        match self {
            Source::Mapped(bytes) => Ok(Cow::Borrowed(&bytes[within(bytes)])),
            Source::Memory(bytes) => Ok(Cow::Borrowed(&bytes[within(bytes)])),
            Source::File { file, .. } => {
                let too_long = |_| Fault::reading(io::ErrorKind::OutOfMemory.into());
                let mut bytes = vec![0; usize::try_from(end - start).map_err(too_long)?];
                read_at(file, &mut bytes, start).map_err(Fault::reading)?;
                Ok(Cow::Owned(bytes))
            }
            Source::Ranged { .. } if start == end => Ok(Cow::Borrowed(&[])),
            Source::Ranged { ranges, file, .. } => {
                let file = *file;
                let range = FileRange { file, start, end };
                let kept = ranges.kept(range).map(|bytes| Cow::Owned(bytes.to_vec()));
                kept.ok_or_else(|| Fault::Lacking(vec![(ranges.clone(), range)]))
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

/// One contract for every source: the same bytes, and the same refusals.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read::mmap::map_for_tests;

    /// Every kind of source with the same bytes. The folder must outlive them.
    fn all_of(bytes: &[u8], folder: &Path) -> Vec<(&'static str, Source)> {
        let path = folder.join("bytes");
        fs::write(&path, bytes).unwrap();
        let leaked: &'static [u8] = bytes.to_vec().leak();
        vec![
            ("mapped", map_for_tests(&path).unwrap()),
            ("file", Source::open(&path).unwrap()),
            ("owned", Source::Memory(bytes.to_vec().into())),
            ("borrowed", Source::Memory(leaked.into())),
        ]
    }

    #[test]
    fn every_source_returns_the_same_bytes() {
        for length in [0_usize, 1, 7, 4096, 10_000] {
            let bytes: Vec<u8> = (0..length)
                .map(|i| ((i * 37) >> 3).to_le_bytes()[0])
                .collect();
            let folder = tempfile::tempdir().unwrap();
            let sources = all_of(&bytes, folder.path());
            let end = length as u64;
            let mut edges = vec![0, 1, 2, end / 3, end, end + 1, end + 4096];
            edges.extend([end.saturating_sub(1), 1 << 31, 1 << 32, (1 << 32) + 1]);
            edges.extend([i64::MAX as u64, 1 << 63, u64::MAX - 1, u64::MAX]);
            for &start in &edges {
                for &stop in &edges {
                    let inside = |at: u64| usize::try_from(at.min(end)).unwrap();
                    let wanted = match start < stop {
                        true => &bytes[inside(start)..inside(stop)],
                        false => &[],
                    };
                    for (name, source) in &sources {
                        let got = source.read(start..stop).unwrap();
                        assert_eq!(*got, *wanted, "{name}: {start}..{stop} of {length}");
                        assert_eq!(source.len(), end, "{name}");
                    }
                }
            }
        }
    }
}
