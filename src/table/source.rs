//! Where a table's bytes are: the one seam between the reader and the world.
//!
//! A file is read piece by piece, or mapped where the caller answers for it.
//! A table that is part of a program, or was made in memory, is a slice. The
//! reader asks for ranges of bytes.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
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
/// would wait for its other end. And after: something else may have taken the
/// name meanwhile.
fn open(path: &Path) -> Result<File, Fault> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bytes behind every implementation. The folder must outlive them.
    fn all_of(bytes: &[u8], folder: &Path) -> Vec<(&'static str, Source)> {
        let path = folder.join("bytes");
        fs::write(&path, bytes).unwrap();
        let leaked: &'static [u8] = bytes.to_vec().leak();
        vec![
            ("mapped", Mapped::for_tests(&path).unwrap()),
            ("file", Source::read(&path).unwrap()),
            ("owned", Source::Memory(bytes.to_vec().into())),
            ("borrowed", Source::Memory(leaked.into())),
        ]
    }

    /// Whatever is asked for, all implementations give the same bytes: those of
    /// the range that there are.
    #[test]
    fn every_implementation_gives_the_same_bytes() {
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
                        let got = source.bytes(start..stop).unwrap();
                        assert_eq!(*got, *wanted, "{name}: {start}..{stop} of {length}");
                        assert_eq!(source.len(), end, "{name}");
                    }
                }
            }
        }
    }

    /// What is no file is refused by every implementation that opens one.
    #[test]
    fn folders_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        for open in [Mapped::for_tests, Source::read] {
            assert!(matches!(open(folder.path()), Err(Fault::NotAFile)));
            let missing = open(&folder.path().join("missing"));
            assert!(matches!(missing, Err(Fault::Read { .. })));
        }
    }
}
