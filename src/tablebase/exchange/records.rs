//! Records: the boards of a layer one after another, in the order of the index,
//! each with what is known of it. What a record looks like is its layout's.

use std::io::{self, Write};

use super::error::ExchangeError;
use super::fields::Field;
use crate::rules::Row;
use crate::tablebase::Tablebase;

/// How boards are laid out as bytes.
pub(super) trait Layout {
    /// What stands before so many boards of which these fields are known.
    fn header(fields: &[Field], boards: u64) -> Vec<u8>;

    /// Appends the record of a board: the mover's row, the opponent's, and a
    /// byte for each of the fields.
    fn put(out: &mut Vec<u8>, board: (&Row, &Row), fields: &[Field], known: &[u8]);
}

/// Writes a layer of which these fields are at hand.
pub(super) fn write<L: Layout>(
    tables: &Tablebase,
    seeds: u8,
    fields: &[Field],
    out: &mut dyn Write,
    on_boards: &mut dyn FnMut(u64),
) -> Result<(), ExchangeError> {
    let header = L::header(fields, tables.index(seeds).len());
    out.write_all(&header).map_err(ExchangeError::Output)?;
    let mut record = Vec::new();
    let mut known = Vec::new();
    tables.for_each_stretch(seeds, fields, on_boards, |stretch, planes| {
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
