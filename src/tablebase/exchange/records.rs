//! Records: the boards of a layer with their fields, in the order of the index. A layout
//! says what a record looks like.

use std::io::{self, Write};

use super::error::ExchangeError;
use super::fields::Field;
use crate::rules::Row;
use crate::solve::Observer;
use crate::tablebase::Tablebase;

/// How boards become bytes.
pub(super) trait Layout {
    /// The bytes before `boards` records with these fields.
    fn header(fields: &[Field], boards: u64) -> Vec<u8>;

    /// Appends the record of a board: the mover's row, the opponent's row, and one byte for
    /// each field.
    fn put(out: &mut Vec<u8>, board: (&Row, &Row), fields: &[Field], known: &[u8]);
}

/// Writes these fields of a layer.
pub(super) fn write<L: Layout>(
    tables: &Tablebase,
    seeds: u8,
    fields: &[Field],
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<(), ExchangeError> {
    let header = L::header(fields, tables.index(seeds).len());
    out.write_all(&header).map_err(ExchangeError::Output)?;
    let mut record = Vec::new();
    let mut known = Vec::new();
    tables.for_each_stretch(seeds, fields, observer, |stretch, planes| {
        let mut write = || -> io::Result<()> {
            for (place, (mover, opponent)) in stretch.boards().enumerate() {
                known.clear();
                known.extend(planes.iter().map(|plane| plane[place]));
                record.clear();
                L::put(&mut record, (&mover, opponent), fields, &known);
                out.write_all(&record)?;
            }
            Ok(())
        };
        write().map_err(ExchangeError::Output)
    })
}
