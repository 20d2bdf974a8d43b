//! Arrays for numpy: the `.npy` format, version 1.0, with one record for each board.
//!
//! The header is a Python dictionary as text. Every field is one byte, so there is no byte
//! order.

use super::fields::Field;
use super::records::Layout;
use crate::rules::Row;

/// Bytes before the text of the header: magic number, version, length of the text.
const BEFORE: usize = 10;

/// Records start at a multiple of this.
const ALIGNMENT: usize = 64;

/// A structured array.
pub(super) struct Npy;

impl Layout for Npy {
    fn header(fields: &[Field], boards: u64) -> Vec<u8> {
        let mut types = "('board', '|u1', (12,))".to_owned();
        for field in fields {
            let byte = if field.is_signed() { "i1" } else { "u1" };
            types += &format!(", ('{}', '|{byte}')", field.name());
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

    fn put(out: &mut Vec<u8>, (mover, opponent): (&Row, &Row), _: &[Field], known: &[u8]) {
        out.extend(mover);
        out.extend(opponent);
        out.extend(known);
    }
}
