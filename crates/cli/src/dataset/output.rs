//! The boards of a data set as a file.

use clap::ValueEnum;
use krou::rules::{PITS, ROW};
use krou::tablebase::{Column, NumberType, RecordFormat};

use super::facts::BoardFacts;
use super::npz::{Array, npz};

/// What stands for the worth of a pit that may not be played.
pub const ILLEGAL: i8 = i8::MIN;

/// A format of a data set.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DatasetFormat {
    /// Arrays of numpy
    Npz,
    /// Text with a line for each board; what is not known is empty
    Csv,
}

/// Which columns there are.
#[derive(Clone, Copy)]
pub struct Columns {
    /// Whether boards have bounds.
    pub has_bounds: bool,
    /// Whether a distance is known.
    pub has_distances: bool,
}

impl DatasetFormat {
    /// The end of the names of files.
    pub fn extension(self) -> &'static str {
        match self {
            DatasetFormat::Npz => "npz",
            DatasetFormat::Csv => "csv",
        }
    }

    /// The bytes of a file with these boards.
    pub fn file(self, columns: Columns, boards: &[BoardFacts]) -> Vec<u8> {
        match self {
            DatasetFormat::Npz => arrays(columns, boards),
            DatasetFormat::Csv => lines(columns, boards),
        }
    }
}

fn arrays(columns: Columns, boards: &[BoardFacts]) -> Vec<u8> {
    let mut arrays = Vec::new();
    let mut add = |name, descr, row: Option<usize>, bytes| {
        let count = boards.len();
        let shape = row.map_or(format!("({count},)"), |row| format!("({count}, {row})"));
        arrays.push(Array {
            name,
            descr,
            shape,
            bytes,
        });
    };
    let bytes_of = |number: &dyn Fn(&BoardFacts) -> i8| -> Vec<u8> {
        boards
            .iter()
            .map(|facts| number(facts).cast_unsigned())
            .collect()
    };
    let pits = boards.iter().flat_map(|facts| facts.board.pits()).collect();
    add("boards", "'|u1'", Some(PITS), pits);
    add("value", "'|i1'", None, bytes_of(&|facts| facts.value));
    if columns.has_bounds {
        add(
            "lower",
            "'|i1'",
            None,
            bytes_of(&|facts| facts.lower.unwrap_or(facts.value)),
        );
        add(
            "upper",
            "'|i1'",
            None,
            bytes_of(&|facts| facts.upper.unwrap_or(facts.value)),
        );
    }
    if columns.has_distances {
        let distance = |facts: &BoardFacts| facts.distance.map_or(-1, i16::from).to_le_bytes();
        add(
            "distance",
            "'<i2'",
            None,
            boards.iter().flat_map(distance).collect(),
        );
    }
    let moves = boards.iter().flat_map(|facts| facts.moves);
    let moves = moves.map(|worth| worth.unwrap_or(ILLEGAL).cast_unsigned());
    add("moves", "'|i1'", Some(ROW), moves.collect());
    add(
        "game",
        "'|b1'",
        None,
        bytes_of(&|facts| facts.is_from_game.into()),
    );
    npz(&arrays)
}

fn lines(columns: Columns, boards: &[BoardFacts]) -> Vec<u8> {
    const MOVES: [&str; ROW] = ["m0", "m1", "m2", "m3", "m4", "m5"];
    let bounds: &[&'static str] = if columns.has_bounds {
        &["lower", "upper"]
    } else {
        &[]
    };
    let distance: &[&'static str] = if columns.has_distances {
        &["distance"]
    } else {
        &[]
    };
    let names = [&["value"], bounds, distance, &MOVES, &["game"]].concat();
    let columns: Vec<Column> = names
        .iter()
        .map(|name| Column {
            name,
            number: NumberType::I16,
        })
        .collect();
    let mut text = RecordFormat::Csv.header(&columns, boards.len() as u64);
    for facts in boards {
        let numbers = names.iter().map(|&name| match name {
            "value" => Some(facts.value.into()),
            "lower" => facts.lower.map(i16::from),
            "upper" => facts.upper.map(i16::from),
            "distance" => facts.distance.map(i16::from),
            "game" => Some(facts.is_from_game.into()),
            name => {
                let pit = MOVES.iter().position(|of_move| *of_move == name);
                facts.moves[pit.expect("a column")].map(i16::from)
            }
        });
        RecordFormat::Csv.put(&mut text, &facts.board, &columns, numbers);
    }
    text
}
