//! Boards as text: a header line, then a line for each board.

use std::io::{self, Write};

use super::error::ExchangeError;
use super::fields::Field;
use crate::rules::PITS;
use crate::tablebase::Tablebase;

/// Writes the boards of a layer.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    fields: &[Field],
    out: &mut dyn Write,
    on_boards: &mut dyn FnMut(u64),
) -> Result<(), ExchangeError> {
    out.write_all(header(fields).as_bytes())
        .map_err(ExchangeError::Output)?;
    let mut line = Vec::new();
    tables.for_each_stretch(seeds, fields, |stretch, planes| {
        let mut write = || -> io::Result<()> {
            for (place, (mover, opponent)) in stretch.boards().enumerate() {
                line.clear();
                for &pit in mover.iter().chain(opponent) {
                    push_number(&mut line, pit);
                    line.push(b',');
                }
                for (&field, plane) in fields.iter().zip(planes) {
                    // Boards of value 0 have no distance; values come first.
                    if field != Field::Distance || planes[0][place] != 0 {
                        push_field(&mut line, field, plane[place]);
                    }
                    line.push(b',');
                }
                // In the stead of the last comma.
                line.pop();
                line.push(b'\n');
                out.write_all(&line)?;
            }
            Ok(())
        };
        write().map_err(ExchangeError::Output)?;
        on_boards(stretch.len() as u64);
        Ok(())
    })
}

fn header(fields: &[Field]) -> String {
    let pits = (0..PITS).map(|pit| format!("p{pit}"));
    let names = fields.iter().map(|field| field.name().to_owned());
    let columns: Vec<String> = pits.chain(names).collect();
    columns.join(",") + "\n"
}

fn push_field(line: &mut Vec<u8>, field: Field, byte: u8) {
    let signed = byte.cast_signed();
    if field.is_signed() && signed < 0 {
        line.push(b'-');
        push_number(line, signed.unsigned_abs());
    } else {
        push_number(line, byte);
    }
}

fn push_number(line: &mut Vec<u8>, number: u8) {
    for place in [100, 10] {
        if number >= place {
            line.push(b'0' + number / place % 10);
        }
    }
    line.push(b'0' + number % 10);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_as_a_number() {
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
