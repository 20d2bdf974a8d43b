//! Records: boards with numbers, as an array for numpy or as text.
//!
//! An array is a `.npy` file, version 1.0, with one record for each board. Its header is a
//! Python dictionary as text. Text is a header line, then a line for each board.

use std::io::Write;

use super::boards::{LayerBoards, TabledBoard};
use crate::rules::{Board, PITS};
use crate::solve::Observer;
use crate::table::Kind;
use crate::tablebase::tables::Tablebase;
use crate::tablebase::whole::error::{ExchangeError, LoadError};

/// How boards with numbers become bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordFormat {
    /// An array for numpy.
    Npy,
    /// Text with a line for each board; a number that is not known is empty.
    Csv,
}

/// A number that each record has after its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it is in an array.
    pub number: NumberType,
}

/// A number in an array. One that is not known is −1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberType {
    /// One byte in two's complement.
    I8,
    /// One byte.
    U8,
    /// Two bytes in two's complement, the lower one first.
    I16,
}

impl RecordFormat {
    /// The bytes before this many records.
    ///
    /// # Panics
    /// If there are hundreds of columns.
    pub fn header(self, columns: &[Column], boards: u64) -> Vec<u8> {
        match self {
            RecordFormat::Npy => npy_record_header(columns, boards),
            RecordFormat::Csv => {
                let pits = (0..PITS).map(|pit| format!("p{pit}"));
                let names = columns.iter().map(|column| column.name.to_owned());
                let columns: Vec<String> = pits.chain(names).collect();
                (columns.join(",") + "\n").into_bytes()
            }
        }
    }

    /// Appends the record of a board with a number for each column.
    #[inline]
    pub fn put(
        self,
        out: &mut Vec<u8>,
        board: &Board,
        columns: &[Column],
        numbers: impl Iterator<Item = Option<i16>>,
    ) {
        let pits = board.pits();
        match self {
            RecordFormat::Npy => {
                out.extend(pits);
                for (column, number) in columns.iter().zip(numbers) {
                    let [low, high] = number.unwrap_or(-1).to_le_bytes();
                    out.push(low);
                    if column.number == NumberType::I16 {
                        out.push(high);
                    }
                }
            }
            RecordFormat::Csv => {
                for pit in pits {
                    push_number(out, pit.into());
                    out.push(b',');
                }
                for number in numbers {
                    if let Some(number) = number {
                        push_number(out, number);
                    }
                    out.push(b',');
                }
                // Instead of the last comma.
                out.pop();
                out.push(b'\n');
            }
        }
    }
}

fn npy_record_header(columns: &[Column], boards: u64) -> Vec<u8> {
    let mut types = "('board', '|u1', (12,))".to_owned();
    for Column { name, number } in columns {
        let number = match number {
            NumberType::I8 => "|i1",
            NumberType::U8 => "|u1",
            NumberType::I16 => "<i2",
        };
        types += &format!(", ('{name}', '{number}')");
    }
    npy_header(&format!("[{types}]"), &format!("({boards},)"))
}

/// The bytes of a `.npy` file before its numbers: `descr` is their type and `shape` the number of
/// them along each axis, both as numpy writes them, such as `'|u1'` and `(100, 12)`.
///
/// # Panics
/// If both together have tens of thousands of characters.
pub fn npy_header(descr: &str, shape: &str) -> Vec<u8> {
    /// Bytes before the text: magic number, version, length of the text.
    const BEFORE: usize = 10;
    /// Numbers start at a multiple of this.
    const ALIGNMENT: usize = 64;
    let mut text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
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

fn push_number(out: &mut Vec<u8>, number: i16) {
    if number < 0 {
        out.push(b'-');
    }
    let number = number.unsigned_abs();
    // Most numbers are pits with few seeds.
    if number >= 10 {
        let places = [10_000, 1000, 100, 10].into_iter();
        let digits = places.filter(|&place| number >= place);
        out.extend(digits.map(|place| b'0' + (number / place % 10) as u8));
    }
    out.push(b'0' + (number % 10) as u8);
}

/// A number that an export has of each board.
#[derive(Clone, Copy)]
enum Field {
    Value,
    Distance,
    Lower,
    Upper,
}

impl Field {
    const ALL: [Field; 4] = [Field::Value, Field::Distance, Field::Lower, Field::Upper];

    /// Its column, and the kind of table that has it.
    fn column(self) -> (Column, Kind) {
        let (name, number, kind) = match self {
            Field::Value => ("value", NumberType::I8, Kind::Value),
            Field::Distance => ("distance", NumberType::U8, Kind::Distance),
            Field::Lower => ("lower", NumberType::I8, Kind::Bounds),
            Field::Upper => ("upper", NumberType::I8, Kind::Bounds),
        };
        (Column { name, number }, kind)
    }
}

/// Writes a layer: the values, and the distances and bounds that there are tables of.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    format: RecordFormat,
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<(), ExchangeError> {
    let rules = tables.rules();
    let at_hand = |field: &Field| tables.table(seeds, field.column().1).is_some();
    let fields: Vec<Field> = Field::ALL.into_iter().filter(at_hand).collect();
    let columns: Vec<Column> = fields.iter().map(|field| field.column().0).collect();
    let mut loader = tables.loader();
    loader.load_observed(seeds, observer)?;
    let distances = loader.distances(seeds)?;
    let boards = LayerBoards::new(loader.load(seeds)?, distances.as_ref());
    let number = |field: Field, tabled: &TabledBoard| match field {
        Field::Value => Some(tabled.value.into()),
        Field::Lower => tabled.lower.map(i16::from),
        Field::Upper => tabled.upper.map(i16::from),
        Field::Distance => match format {
            // One byte cannot be −1: a distance that is not known is 0 as in the table.
            RecordFormat::Npy => tabled.distance_entry,
            RecordFormat::Csv => tabled.distance(rules),
        }
        .map(i16::from),
    };
    let mut bytes = format.header(&columns, tables.index(seeds).len());
    for batch in boards.batches() {
        for tabled in boards.boards(batch.clone()).map_err(LoadError::from)? {
            let numbers = fields.iter().map(|&field| number(field, &tabled));
            format.put(&mut bytes, &tabled.board, &columns, numbers);
        }
        out.write_all(&bytes).map_err(ExchangeError::Output)?;
        bytes.clear();
        let done = observer.advance(batch.end - batch.start);
        done.map_err(LoadError::from)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_all_digits() {
        for number in (-300..=300).chain([i16::MIN, -10_000, 9_999, i16::MAX]) {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }
}
