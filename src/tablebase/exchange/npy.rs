//! Arrays for numpy: the `.npy` format, version 1.0, with one record for each
//! board.
//!
//! The header is the text of a Python dictionary. Fields have a byte each, so
//! there is no byte order to speak of.

use std::io::{self, Write};

use super::error::ExchangeError;
use super::fields::Field;
use crate::tablebase::Tablebase;

/// Bytes before the text of the header: magic, version, length of the text.
const BEFORE: usize = 10;

/// Records begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// Writes the boards of a layer.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    fields: &[Field],
    out: &mut dyn Write,
    on_boards: &mut dyn FnMut(u64),
) -> Result<(), ExchangeError> {
    let header = header(fields, tables.index(seeds).len());
    out.write_all(&header).map_err(ExchangeError::Output)?;
    let mut record = Vec::new();
    tables.for_each_stretch(seeds, fields, |stretch, planes| {
        let mut write = || -> io::Result<()> {
            for (place, (mover, opponent)) in stretch.boards().enumerate() {
                record.clear();
                record.extend(mover);
                record.extend(opponent);
                record.extend(planes.iter().map(|plane| plane[place]));
                out.write_all(&record)?;
            }
            Ok(())
        };
        write().map_err(ExchangeError::Output)?;
        on_boards(stretch.len() as u64);
        Ok(())
    })
}

/// Everything before the first record.
fn header(fields: &[Field], boards: u64) -> Vec<u8> {
    let mut types = "('board', '|u1', (12,))".to_owned();
    for field in fields {
        let byte = if field.is_signed() { "i1" } else { "u1" };
        types += &format!(", ('{}', '|{byte}')", field.name());
    }
    let mut text =
        format!("{{'descr': [{types}], 'fortran_order': False, 'shape': ({boards},), }}");
    // Spaces up to the line feed that ends the header.
    let end = (BEFORE + text.len() + 1).next_multiple_of(ALIGNMENT);
    text += &" ".repeat(end - BEFORE - text.len() - 1);
    text += "\n";
    let length = u16::try_from(text.len()).expect("a header of a few hundred bytes");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend(length.to_le_bytes());
    header.extend(text.into_bytes());
    header
}
