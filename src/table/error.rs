//! Errors in two levels: which file, and what is wrong with it.
//!
//! The display of each is one whole sentence that ends with what to do, so
//! there is no chain to print: causes are part of the sentence.

use std::borrow::Cow;
use std::io;

use thiserror::Error;

use super::format::NEWEST;
use super::id::TableId;

/// A table that cannot be read or written.
///
/// ```
/// use krou::table::Table;
///
/// let error = Table::from_bytes("notes.txt", b"Dear diary").err().unwrap();
/// assert_eq!(error.to_string(), "notes.txt: is not a krou table");
/// ```
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct TableError {
    /// The file's path, or the name under which bytes were given.
    pub file: String,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be opened or mapped.
    #[error("cannot be read ({cause}){}", reading_advice(.cause))]
    Read {
        /// What the system says.
        cause: io::Error,
    },
    /// There is something else of that name, such as a folder.
    #[error("is not a file")]
    NotAFile,
    /// The first bytes are not those of a table.
    #[error("is not a krou table")]
    Foreign,
    /// The first bytes are those of a table, but altered.
    #[error("was altered on its way here, as by a copy in text mode: copy it again as binary")]
    Mangled,
    /// A later version of the format.
    #[error(
        "was written by a newer krou (format {version}); this one reads up to format {NEWEST}: update krou"
    )]
    Newer {
        /// The version that the file states.
        version: u16,
    },
    /// Bytes are missing at the end.
    #[error(
        "is cut short ({got} bytes where there must be {expected}): copy it again, or remove it and build it"
    )]
    Truncated {
        /// Bytes there must be; if the header itself is cut short, those of a
        /// header.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
    /// There are bytes after the end.
    #[error(
        "is too long ({got} bytes where there must be {expected}): copy it again, or remove it and build it"
    )]
    TooLong {
        /// Bytes there must be.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
    /// The header's checksum does not match.
    #[error(
        "its header is damaged (its checksum does not match): remove the file and build it again"
    )]
    DamagedHeader,
    /// The header's checksum matches, but a field makes no sense.
    #[error(
        "its header is not valid ({field} is {got}, not {expected}): remove the file and build it again"
    )]
    Field {
        /// The field's name in `docs/format.md`.
        field: &'static str,
        /// What it holds.
        got: u64,
        /// What it might hold.
        expected: Cow<'static, str>,
    },
    /// The directory's checksum does not match.
    #[error(
        "its block directory is damaged (its checksum does not match): remove the file and build it again"
    )]
    DamagedDirectory,
    /// The directory's checksum matches, but a block's place makes no sense.
    #[error(
        "its block directory is not valid (block {block} ends at byte {end}): remove the file and build it again"
    )]
    Place {
        /// The first such block.
        block: u64,
        /// The end of the block as the directory states it.
        end: u64,
    },
    /// The models that entries are predicted with are damaged.
    #[error("its models are damaged: copy the file again, or remove it and build it")]
    DamagedModel,
    /// A block cannot be decoded.
    #[error("block {block} is damaged ({fault}): remove the file and build it again")]
    Block {
        /// Which block.
        block: u64,
        /// What is wrong with it.
        fault: BlockFault,
    },
    /// A good table, but another one than was wanted.
    #[error("holds {holds} where {wanted} was wanted: give the file its own name back")]
    Another {
        /// The table in the file.
        holds: TableId,
        /// The table asked for.
        wanted: TableId,
    },
    /// The file cannot be written or put in its place.
    #[error("cannot be written ({cause}){}", writing_advice(.cause))]
    Write {
        /// What the system says.
        cause: io::Error,
    },
    /// The entries that were to be written cannot be read.
    #[error("was not written, as its entries cannot be read ({cause})")]
    Entries {
        /// What the system says.
        cause: io::Error,
    },
    /// There is something else of that name where a file was to be written.
    #[error("is in the way, as it is no ordinary file: move it away")]
    InTheWay,
    /// Another writer is at work on the same table.
    #[error("is being written by another krou: wait for it, or choose another folder")]
    Busy,
    /// What was written is read back as something else.
    #[error(
        "was not written: entry {index} is read back as another one, so do not trust this disk or memory"
    )]
    Unfaithful {
        /// The entry's index in the layer.
        index: u64,
    },
    /// An entry that was to be written is out of its range.
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
        /// Bytes there must be.
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

impl Fault {
    /// The error that this fault is in a file.
    pub(crate) fn of(self, file: impl Into<String>) -> TableError {
        TableError {
            file: file.into(),
            fault: self,
        }
    }

    pub(super) fn entries(cause: io::Error) -> Fault {
        Fault::Entries { cause }
    }

    pub(super) fn reading(cause: io::Error) -> Fault {
        Fault::Read { cause }
    }

    pub(crate) fn writing(cause: io::Error) -> Fault {
        Fault::Write { cause }
    }
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

    /// Whoever writes is told what to do where he can do something.
    #[test]
    fn advice_for_writing() {
        let said = |kind: io::ErrorKind| Fault::writing(kind.into()).of("it").to_string();
        for (kind, advice) in [
            (
                io::ErrorKind::StorageFull,
                "free some space, or choose another folder",
            ),
            (
                io::ErrorKind::QuotaExceeded,
                "free some space, or choose another folder",
            ),
            (io::ErrorKind::NotFound, "make the folder first"),
            (
                io::ErrorKind::IsADirectory,
                "move the folder of that name away",
            ),
        ] {
            let said = said(kind);
            assert!(said.starts_with("it: cannot be written ("), "{said}");
            assert!(said.ends_with(&format!("): {advice}")), "{said}");
        }
    }
}
