//! Records: the boards of a layer with their fields, in the order of the index, as an array
//! for numpy or as text.
//!
//! An array is a `.npy` file, version 1.0, with one record for each board. Its header is a
//! Python dictionary as text; every field is one byte, so there is no byte order. Text is a
//! header line, then a line for each board.

use std::io::{self, Write};

use super::batches::Field;
use crate::rules::{Board, PITS, Row, Ruleset};
use crate::solve::Observer;
use crate::tablebase::result::distance_of;
use crate::tablebase::tables::Tablebase;
use crate::tablebase::whole::error::ExchangeError;

/// How boards become bytes.
#[derive(Clone, Copy)]
pub(super) enum RecordLayout {
    Npy,
    Csv,
}

/// Writes all fields of a layer.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    layout: RecordLayout,
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<(), ExchangeError> {
    let fields = &tables.fields(seeds);
    let mut header = match layout {
        RecordLayout::Npy => {
            let byte = |field: &Field| if field.is_signed() { "|i1" } else { "|u1" };
            let fields: Vec<_> = fields.iter().map(|f| (f.name(), byte(f))).collect();
            npy_header(&fields, tables.index(seeds).len())
        }
        RecordLayout::Csv => csv_header(fields),
    };
    let mut record = Vec::new();
    let mut known = Vec::new();
    tables.for_each_batch(seeds, fields, observer, |batch, planes| {
        let mut write = || -> io::Result<()> {
            // Before the first batch: the layer has been read by then.
            out.write_all(&header)?;
            header.clear();
            for (place, (mover, opponent)) in batch.boards().enumerate() {
                known.clear();
                known.extend(planes.iter().map(|plane| plane[place]));
                record.clear();
                match layout {
                    RecordLayout::Npy => put_npy(&mut record, &mover, opponent, &known),
                    RecordLayout::Csv => {
                        let board = Board::trusted_rows(mover, *opponent);
                        put_csv(&mut record, tables.rules(), &board, fields, &known);
                    }
                }
                out.write_all(&record)?;
            }
            Ok(())
        };
        write().map_err(ExchangeError::Output)
    })
}

/// Bytes before the text of the header: magic number, version, length of the text.
const BEFORE: usize = 10;

/// Records start at a multiple of this.
const ALIGNMENT: usize = 64;

/// The bytes before `boards` records, each a board and these fields: their names, and their
/// types as numpy writes them.
///
/// # Panics
/// If there are hundreds of fields.
pub fn npy_header(fields: &[(&str, &str)], boards: u64) -> Vec<u8> {
    let mut types = "('board', '|u1', (12,))".to_owned();
    for (name, kind) in fields {
        types += &format!(", ('{name}', '{kind}')");
    }
    let mut text =
        format!("{{'descr': [{types}], 'fortran_order': False, 'shape': ({boards},), }}");
    // Padding before the line feed that ends the header.
    let end = (BEFORE + text.len() + 1).next_multiple_of(ALIGNMENT);
    text += &" ".repeat(end - BEFORE - text.len() - 1);
    text += "\n";
    let length = u16::try_from(text.len()).expect("a header of a few hundred bytes");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend(length.to_le_bytes());
    header.extend(text.into_bytes());
    header
}

/// Appends the record of a board: the mover's row, the opponent's row, and one byte for each
/// field.
fn put_npy(out: &mut Vec<u8>, mover: &Row, opponent: &Row, known: &[u8]) {
    out.extend(mover);
    out.extend(opponent);
    out.extend(known);
}

/// The line of column names.
fn csv_header(fields: &[Field]) -> Vec<u8> {
    let pits = (0..PITS).map(|pit| format!("p{pit}"));
    let names = fields.iter().map(|field| field.name().to_owned());
    let columns: Vec<String> = pits.chain(names).collect();
    (columns.join(",") + "\n").into_bytes()
}

/// Appends the line of a board with one byte for each field.
fn put_csv(out: &mut Vec<u8>, rules: Ruleset, board: &Board, fields: &[Field], known: &[u8]) {
    for pit in board.pits() {
        push_number(out, pit);
        out.push(b',');
    }
    // The first field.
    let value = known[0].cast_signed();
    for (&field, &byte) in fields.iter().zip(known) {
        if field != Field::Distance || distance_of(rules, board, value, byte).is_some() {
            push_field(out, field, byte);
        }
        out.push(b',');
    }
    // The last comma.
    out.pop();
    out.push(b'\n');
}

fn push_field(out: &mut Vec<u8>, field: Field, byte: u8) {
    let signed = byte.cast_signed();
    if field.is_signed() && signed < 0 {
        out.push(b'-');
        push_number(out, signed.unsigned_abs());
    } else {
        push_number(out, byte);
    }
}

fn push_number(out: &mut Vec<u8>, number: u8) {
    for place in [100, 10] {
        if number >= place {
            out.push(b'0' + number / place % 10);
        }
    }
    out.push(b'0' + number % 10);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_written_as_a_number() {
        for byte in 0..=255_u8 {
            let text = |field| {
                let mut line = Vec::new();
                push_field(&mut line, field, byte);
                String::from_utf8(line).unwrap()
            };
            assert_eq!(text(Field::Distance), byte.to_string());
            assert_eq!(text(Field::Value), byte.cast_signed().to_string());
        }
    }
}
