//! Exchange: exports in the formats of other programs, and comparison with their files.
//! `docs/exchange.md` describes the formats.
//!
//! - [`fields`]: what tables say about a board, and the one place that reads it.
//! - [`stretches`]: a layer in the order of the index, a batch of lines at a time.
//! - [`scores`]: values in the order of the score database.
//! - [`records`]: boards with all their fields, laid out as [`npy`] or [`csv`].
//! - [`compare`]: where a file of the score database differs.
//! - [`target`]: an output file that appears only when complete.

use std::io::{BufWriter, Write};
use std::path::Path;

mod compare;
mod csv;
mod error;
mod fields;
mod npy;
mod records;
mod scores;
mod stretches;
mod target;

pub use compare::{Comparison, Difference};
pub use error::ExchangeError;

use super::tables::Tablebase;
use crate::rules::words;
use crate::solve::Observer;
use csv::Csv;
use npy::Npy;
use target::Target;

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
            scores::check(self.rules(), seeds)?;
        }
        let fields = self.fields(seeds)?;
        let target = Target::create(file.as_ref())?;
        let mut out = BufWriter::with_capacity(1 << 20, target.file());
        let written = match format {
            ExportFormat::Vu => scores::write(self, seeds, target.file(), observer),
            ExportFormat::Npy => records::write::<Npy>(self, seeds, &fields, &mut out, observer),
            ExportFormat::Csv => records::write::<Csv>(self, seeds, &fields, &mut out, observer),
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
        let fields = self.fields(seeds)?;
        records::write::<Csv>(self, seeds, &fields, out, observer)?;
        out.flush().map_err(ExchangeError::Output)
    }
}
