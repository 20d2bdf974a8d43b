//! Boards as text: a header line, then a line for each board.

use super::fields::Field;
use super::records::Layout;
use crate::rules::{PITS, Row};

/// The fields of a board, separated by commas.
pub(super) struct Csv;

impl Layout for Csv {
    fn header(fields: &[Field], _: u64) -> Vec<u8> {
        let pits = (0..PITS).map(|pit| format!("p{pit}"));
        let names = fields.iter().map(|field| field.name().to_owned());
        let columns: Vec<String> = pits.chain(names).collect();
        (columns.join(",") + "\n").into_bytes()
    }

    fn put(out: &mut Vec<u8>, board: (&Row, &Row), fields: &[Field], known: &[u8]) {
        let (mover, opponent) = board;
        for &pit in mover.iter().chain(opponent) {
            push_number(out, pit);
            out.push(b',');
        }
        for (&field, &byte) in fields.iter().zip(known) {
            // Boards of value 0 have no distance; the value is the first field.
            if field != Field::Distance || known[0] != 0 {
                push_field(out, field, byte);
            }
            out.push(b',');
        }
        // The last comma.
        out.pop();
        out.push(b'\n');
    }
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
