//! Exchange: exports in the formats of other programs, and comparison with their files.
//! `docs/exchange.md` describes the formats.
//!
//! - `boards`: the boards of a layer, with what its tables say of them;
//! - `records`: boards with numbers as arrays for numpy and as text;
//! - `vu`: files of the score database;
//! - here: exports, which appear under their name only when complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

mod boards;
mod records;
mod vu;

pub use self::boards::{LayerBoards, TabledBoard};
pub use self::records::{Column, NumberType, RecordFormat, npy_header};
pub use self::vu::{Difference, ScoreComparison};
use super::error::ExchangeError;
use crate::solve::Observer;
use crate::table::Fault;
use crate::table::folder::Partial;
use crate::tablebase::tables::Tablebase;
use crate::words::words;

words! {
    /// A format for the boards of a layer.
    "format": pub enum ExportFormat {
        /// A file of the score database of the Vrije Universiteit: one signed byte
        /// for each board, in lexicographic order. Only the oware family's boards
        /// are in it, and no layer of 47 seeds.
        Vu = "vu",
        /// An array for numpy, in the order of the index: boards, values, and distances and
        /// bounds where there are tables of them.
        Npy = "npy",
        /// The same as text, a line for each board.
        Csv = "csv",
    }
}

impl Tablebase {
    /// Writes the indexed boards of a layer to a file, replacing an older one, and returns
    /// its length in bytes. The observer hears of the boards that have been read, of this layer
    /// and those below it ([`Tablebase::boards_up_to`]), and again of those written.
    ///
    /// The file is written as `{file}.krou-partial`, and renamed once it is complete and
    /// synced. The layers take as much memory as with any [`Loader`](super::Loader).
    ///
    /// # Errors
    /// If the layer is missing or not part of the format, a table is damaged, or the file
    /// cannot be written; a file that had its name then stays unchanged.
    pub fn export(
        &self,
        seeds: u8,
        format: ExportFormat,
        file: impl AsRef<Path>,
        observer: &dyn Observer,
    ) -> Result<u64, ExchangeError> {
        if format == ExportFormat::Vu {
            vu::check(self.rules(), seeds)?;
        }
        self.check_loadable(seeds, None)?;
        let target = OutputFile::create(file.as_ref())?;
        let mut out = BufWriter::with_capacity(1 << 20, target.file());
        let written = match format {
            ExportFormat::Vu => vu::write(self, seeds, target.file(), observer),
            ExportFormat::Npy => records::write(self, seeds, RecordFormat::Npy, &mut out, observer),
            ExportFormat::Csv => records::write(self, seeds, RecordFormat::Csv, &mut out, observer),
        };
        written.map_err(|error| target.named(error))?;
        out.flush().map_err(|cause| target.unwritable(cause))?;
        drop(out);
        target.publish()
    }

    /// Writes the indexed boards of a layer as [`ExportFormat::Csv`] to any writer, and
    /// flushes it.
    ///
    /// # Errors
    /// If the layer is missing, a table is damaged, or writing fails.
    pub fn write_csv(
        &self,
        seeds: u8,
        out: &mut dyn Write,
        observer: &dyn Observer,
    ) -> Result<(), ExchangeError> {
        self.check_loadable(seeds, None)?;
        records::write(self, seeds, RecordFormat::Csv, out, observer)?;
        out.flush().map_err(ExchangeError::Output)
    }
}

/// An unfinished export: written under another name in the same folder, synced, and renamed.
/// Dropping it removes the file.
struct OutputFile {
    partial: Partial,
    path: PathBuf,
}

impl OutputFile {
    /// An empty file that will be renamed to this path.
    fn create(path: &Path) -> Result<OutputFile, ExchangeError> {
        let not_a_file = |path: &Path| ExchangeError::NotAFile {
            file: path.to_path_buf(),
        };
        // Checked before the work rather than after it.
        let is_free = match fs::metadata(path) {
            Ok(found) => found.is_file(),
            Err(_) => !ends_as_a_folder(path),
        };
        let name = path.file_name().filter(|_| is_free);
        let name = name.ok_or_else(|| not_a_file(path))?;
        let mut partial_name = OsString::from(name);
        partial_name.push(".krou-partial");
        let partial_path = path.with_file_name(partial_name);
        // Neither wait for the other end of a pipe, nor write through a link.
        match fs::symlink_metadata(&partial_path) {
            Ok(found) if !found.is_file() => return Err(not_a_file(&partial_path)),
            _ => {}
        }
        match Partial::create(partial_path) {
            Ok(partial) => Ok(OutputFile {
                partial,
                path: path.to_path_buf(),
            }),
            Err(fault) => Err(unwritable(path, fault)),
        }
    }

    fn file(&self) -> &File {
        self.partial.file()
    }

    /// The error for a failure to write this file.
    fn unwritable(&self, cause: io::Error) -> ExchangeError {
        unwritable(&self.path, Fault::writing(cause))
    }

    /// Adds the file's name to a write error.
    fn named(&self, error: ExchangeError) -> ExchangeError {
        match error {
            ExchangeError::Output(cause) => self.unwritable(cause),
            error => error,
        }
    }

    /// Renames the complete file, and returns its length in bytes.
    fn publish(self) -> Result<u64, ExchangeError> {
        let path = self.path;
        let file = self.partial.file();
        let synced = file.sync_all().and_then(|()| file.metadata());
        let published = synced.and_then(|found| {
            self.partial.publish(&path)?;
            Ok(found.len())
        });
        published.map_err(|cause| unwritable(&path, Fault::writing(cause)))
    }
}

fn unwritable(path: &Path, fault: Fault) -> ExchangeError {
    ExchangeError::Write(fault.of(path.display().to_string()))
}

/// Whether the path ends in a separator, so that it can only name a folder.
fn ends_as_a_folder(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.ends_with(std::path::is_separator)
}
