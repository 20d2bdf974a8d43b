//! Errors on two levels: which file, and what is wrong with it.
//!
//! The `Display` of each error is one whole sentence that includes its cause, in the middle,
//! since it ends with advice. So [`Error::source`] returns nothing that the sentence has said
//! already: a program that prints an error and its sources prints each once.
//!
//! [`Error::source`]: std::error::Error::source

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::id::TableId;
use crate::ranges::{FetchError, FileRange, Lacking, MayLack};

/// A table that cannot be read or written.
///
/// ```
/// use krou::table::Table;
///
/// let error = Table::from_bytes("notes.txt", b"Dear diary").unwrap_err();
/// assert_eq!(error.to_string(), "notes.txt: is not a krou table: name another file, or move it away");
/// ```
#[derive(Debug, Error)]
#[error("{}: {}", .0.0.display(), .0.1)]
pub struct TableError(Box<(PathBuf, Fault)>);

impl TableError {
    /// The file's path, or the name given for bytes in memory.
    pub fn file(&self) -> &Path {
        &self.0.0
    }

    /// What is wrong.
    #[doc(hidden)]
    pub fn fault(&self) -> &Fault {
        &self.0.1
    }

    /// What is wrong, without the file.
    #[doc(hidden)]
    pub fn into_fault(self) -> Fault {
        self.0.1
    }
}

/// What is wrong with a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be opened, read or mapped.
    #[error("cannot be read ({}){}", reason(.cause), reading_advice(.cause))]
    Read {
        /// The system's error.
        cause: io::Error,
    },
    /// Ranges of a file on another machine have yet to be fetched.
    #[error("has bytes that have yet to be fetched")]
    Lacking(Lacking),
    /// The work was stopped before a host had sent what it needs.
    #[error("was not read to its end: the work was stopped")]
    Stopped,
    /// As many probes wait for a host as may.
    #[error("was not read: too many wait for its host, try again in a second")]
    Crowded,
    /// The path leads to something other than a file, such as a folder.
    #[error("is not a file")]
    NotAFile,
    /// The first bytes are not those of a table.
    #[error("is not a krou table: name another file, or move it away")]
    NotATable,
    /// The first bytes are those of a table, altered as by a copy in text mode.
    #[error("was altered in transfer, as by a copy in text mode: copy it again as binary")]
    TextModeCopy,
    /// A later version of the format.
    #[error(
        "was written by a newer krou (format {version}); this one reads up to format {newest}: update krou"
    )]
    Newer {
        /// The file's version.
        version: u16,
        /// The newest version that this library reads.
        newest: u16,
    },
    /// The table needs an optional part of krou that was not compiled in.
    #[error(
        "needs krou's feature '{feature}', which is not part of this program: build it with that feature, or repack the table"
    )]
    MissingFeature {
        /// The Cargo feature.
        feature: &'static str,
    },
    /// Bytes are missing at the end.
    #[error(
        "is cut short ({got} bytes instead of {expected}): copy it again, or remove it and build it"
    )]
    Truncated {
        /// The length that the file should have; if even the header is incomplete,
        /// the length of a header.
        expected: u64,
        /// The length that it has.
        got: u64,
    },
    /// The distances that its entries stand for do not fit into a table.
    #[error("its entries stand for impossible distances: remove the file and build it again")]
    Distances,
    /// There are bytes after the end.
    #[error(
        "is too long ({got} bytes instead of {expected}): copy it again, or remove it and build it"
    )]
    TooLong {
        /// The length that the file should have.
        expected: u64,
        /// The length that it has.
        got: u64,
    },
    /// The header's checksum does not match.
    #[error(
        "its header is damaged (its checksum does not match): remove the file and build it again"
    )]
    DamagedHeader,
    /// The header's checksum matches, but a field is not allowed.
    #[error(
        "its header is not valid ({field} is {got}, not {expected}): remove the file and build it again"
    )]
    Field {
        /// The field's name in `docs/format.md`.
        field: &'static str,
        /// The number that it holds.
        got: u64,
        /// The numbers that are allowed.
        expected: Cow<'static, str>,
    },
    /// The directory's checksum does not match.
    #[error(
        "its block directory is damaged (its checksum does not match): remove the file and build it again"
    )]
    DamagedDirectory,
    /// The directory's checksum matches, but a block's position is not possible.
    #[error(
        "its block directory is not valid (block {block} ends at byte {end}): remove the file and build it again"
    )]
    BlockPosition {
        /// The first such block.
        block: u64,
        /// The end of the block according to the directory.
        end: u64,
    },
    /// The models that entries are predicted with are damaged.
    #[error("its models are damaged: copy the file again, or remove it and build it")]
    DamagedModel,
    /// A block cannot be decoded.
    #[error("block {block} is damaged ({fault}): remove the file and build it again")]
    Block {
        /// The block's number.
        block: u64,
        /// What is wrong with it.
        fault: BlockFault,
    },
    /// A sound table, but not the one that was wanted.
    #[error("holds {holds} instead of {wanted}: give the file its own name back")]
    WrongTable {
        /// The table in the file.
        holds: TableId,
        /// The table that was wanted.
        wanted: TableId,
    },
    /// A sound table under a name that is not that of a table.
    #[error("holds {holds}: give it the name {}", .holds.file_name())]
    Misnamed {
        /// The table in the file.
        holds: TableId,
    },
    /// A table of an earlier version under the name of the one that is wanted: its bounds are
    /// those of `open`.
    #[error(
        "is of an earlier version of krou, with other bounds: 'krou build' replaces it, and \
         '--endless open' reads it"
    )]
    Old,
    /// A table on another machine is not the one that its index describes.
    #[error("is not the table that krou-index.json describes: run 'krou index' there again")]
    Changed,
    /// A whole layer is wanted of a table on another machine.
    #[error("is on another machine: download it with 'krou fetch' first")]
    Remote,
    /// The file cannot be written, or not renamed to its final name.
    #[error("cannot be written ({}){}", reason(.cause), writing_advice(.cause))]
    Write {
        /// The system's error.
        cause: io::Error,
    },
    /// The entries to be written cannot be read.
    #[error("was not written, because its entries cannot be read ({})", reason(.cause))]
    Entries {
        /// The source's error.
        cause: io::Error,
    },
    /// A link, a folder or the like has the name of a file to be written.
    #[error("is in the way, because it is not a regular file: move it away")]
    NotARegularFile,
    /// Another writer holds the lock on this file.
    #[error("is being written by another krou: wait for it, or choose another folder")]
    Busy,
    /// An entry was read back as another one.
    #[error(
        "was not written: entry {index} is read back as another one, so do not trust this disk or memory"
    )]
    ReadBackMismatch {
        /// The entry's index in the layer.
        index: u64,
    },
    /// An entry to be written is out of its range.
    #[error("was not written: entry {index} is out of range, which is an error in krou")]
    Entry {
        /// The entry's index in the layer.
        index: u64,
    },
}

/// What is wrong with a block.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The checksum of its stored bytes does not match.
    #[error("its checksum does not match")]
    Checksum,
    /// It cannot be decompressed, or not to the right number of bytes.
    #[error("it does not decompress to {expected} bytes")]
    Content {
        /// The right number of bytes.
        expected: usize,
    },
    /// The lengths of its tiles do not add up.
    #[error("its tiles do not fill it")]
    Tiles,
    /// A tile cannot be decoded.
    #[error("tile {tile} cannot be decoded")]
    Tile {
        /// The tile's number in the layer.
        tile: u64,
    },
    /// An entry is out of its range.
    #[error("entry {index} is out of range")]
    Entry {
        /// The entry's index in the layer.
        index: u64,
    },
}

impl TableError {
    /// Whether it says only that the work was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.fault(), Fault::Stopped)
    }

    /// Whether a table is only of an earlier version.
    pub(crate) fn is_old(&self) -> bool {
        matches!(self.fault(), Fault::Old)
    }

    /// The ranges of files that have yet to be fetched, each once and in order, if that is what is
    /// wrong.
    pub fn lacking_ranges(&self) -> Option<BTreeSet<FileRange>> {
        match self.fault() {
            Fault::Lacking(lacking) => Some(lacking.iter().map(|(_, range)| *range).collect()),
            _ => None,
        }
    }
}

impl MayLack for Fault {
    fn lacking(&mut self) -> Option<&mut Lacking> {
        match self {
            Fault::Lacking(lacking) => Some(lacking),
            _ => None,
        }
    }
}

/// The work was stopped before its end, by whoever follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the work was stopped before its end")]
pub struct Stopped;

impl From<Stopped> for Fault {
    fn from(_: Stopped) -> Fault {
        Fault::Stopped
    }
}

impl From<Stopped> for TableError {
    fn from(stopped: Stopped) -> TableError {
        Fault::from(stopped).of("a table")
    }
}

impl From<FetchError> for TableError {
    fn from(error: FetchError) -> TableError {
        match error {
            FetchError::Failed { file, cause } => Fault::Read { cause }.of(file),
            FetchError::Crowded { file } => Fault::Crowded.of(file),
            FetchError::Stopped { file } => Fault::Stopped.of(file),
        }
    }
}

impl MayLack for TableError {
    fn lacking(&mut self) -> Option<&mut Lacking> {
        self.0.1.lacking()
    }
}

impl Fault {
    /// The error that a file has this fault.
    pub(crate) fn of(self, file: impl Into<PathBuf>) -> TableError {
        TableError(Box::new((file.into(), self)))
    }

    pub(super) fn reading(cause: io::Error) -> Fault {
        Fault::Read { cause }
    }
}

/// For writers, which not every program has.
impl Fault {
    pub(super) fn entries(cause: io::Error) -> Fault {
        Fault::Entries { cause }
    }

    /// Whether the content is damaged: nothing but another file helps. Otherwise the table may be
    /// good.
    pub fn is_damage(&self) -> bool {
        use Fault as F;
        matches!(
            self,
            F::Truncated { .. }
                | F::TooLong { .. }
                | F::DamagedHeader
                | F::Field { .. }
                | F::DamagedDirectory
                | F::BlockPosition { .. }
                | F::DamagedModel
                | F::Block { .. }
                | F::Distances
        )
    }

    pub(crate) fn writing(cause: io::Error) -> Fault {
        Fault::Write { cause }
    }
}

/// An error of the system in words: without its number, and without the name of a temporary file
/// after that.
pub fn reason(error: impl Display) -> String {
    let text = error.to_string();
    let words = text.split(" (os error ").next().unwrap_or_default();
    words.trim_end_matches('.').to_owned()
}

fn reading_advice(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound => ": build the table, or look in another folder",
        io::ErrorKind::PermissionDenied => ": allow yourself to read it",
        _ => "",
    }
}

fn writing_advice(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound => ": make the folder first",
        io::ErrorKind::NotADirectory
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem => ": choose a folder that you can write to",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free some space, or choose another folder"
        }
        io::ErrorKind::IsADirectory => ": move the folder of that name away",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_the_cause_and_no_source_repeats_it() {
        let fault = BlockFault::Tile { tile: 3 };
        let error = Fault::Block { block: 1, fault }.of("it");
        assert!(
            error
                .to_string()
                .starts_with("it: block 1 is damaged (tile 3 ")
        );
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn errors_of_the_system_have_no_numbers() {
        let error = io::Error::from_raw_os_error(2);
        assert!(error.to_string().ends_with("(os error 2)"));
        let words = reason(&error);
        assert!(!words.contains("os error") && error.to_string().starts_with(&words));
        assert_eq!(
            reason(io::Error::other("it is a folder.")),
            "it is a folder"
        );
    }
}
