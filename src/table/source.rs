//! Where a table's bytes are: the one seam between the reader and the world.
//!
//! A file is mapped; a table that is part of a program, or was made in
//! memory, is a slice. The reader sees only `&[u8]`.

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::Path;

use super::error::Fault;
use super::mmap::Mapped;

/// The bytes of a whole table.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(Mapped),
    Memory(Cow<'static, [u8]>),
}

impl Source {
    /// Maps a file. Anything that is not a file is refused before it is
    /// opened: to open a pipe would wait for its other end.
    pub fn open(path: &Path) -> Result<Source, Fault> {
        if !fs::metadata(path).map_err(Fault::reading)?.is_file() {
            return Err(Fault::NotAFile);
        }
        let file = File::open(path).map_err(Fault::reading)?;
        Mapped::new(&file)
            .map(Source::Mapped)
            .map_err(Fault::reading)
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Source::Mapped(mapped) => mapped.bytes(),
            Source::Memory(bytes) => bytes,
        }
    }
}
