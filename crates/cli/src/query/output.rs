//! The boards of a query as text, CSV, JSON or an array for numpy.

use std::io::{self, BufWriter, StdoutLock, Write};

use clap::ValueEnum;
use krou::rules::{Board, Ruleset};
use krou::tablebase::npy_header;
use serde::Serialize;

use super::fields::{BoardRecord, QueryField};
use crate::boards::signed;

/// How boards are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// A board on each line, then '#' and what the tables say of it
    Text,
    /// Columns p0 to p11 and all fields; those that are not known are empty
    Csv,
    /// An object with the board and all fields on each line
    Json,
    /// Array for numpy with boards and all fields; a distance that is not known is -1
    Npy,
}

/// Prints boards on stdout.
pub struct Output<'a> {
    format: QueryFormat,
    rules: Ruleset,
    /// The fields that the condition compares.
    asked: &'a [QueryField],
    /// The boards of an array, whose header says how many there are.
    records: Vec<u8>,
    boards: u64,
    /// Whether the names of the columns are printed.
    has_header: bool,
    out: BufWriter<StdoutLock<'static>>,
}

/// The object of a board.
#[derive(Serialize)]
struct Object<'a> {
    rules: &'a str,
    #[serde(flatten)]
    record: &'a BoardRecord,
}

impl Output<'_> {
    /// Output in a format; as text, boards have the fields of the condition too.
    pub fn new(format: QueryFormat, rules: Ruleset, asked: &[QueryField]) -> Output<'_> {
        Output {
            format,
            rules,
            asked,
            records: Vec::new(),
            boards: 0,
            has_header: false,
            out: BufWriter::new(io::stdout().lock()),
        }
    }

    /// Prints boards.
    pub fn add(&mut self, found: &[BoardRecord]) -> io::Result<()> {
        if self.format == QueryFormat::Csv && !self.has_header {
            writeln!(self.out, "{}", csv_header())?;
            self.has_header = true;
        }
        self.boards += found.len() as u64;
        let rules = &self.rules.to_string();
        for record in found {
            match self.format {
                QueryFormat::Text => writeln!(self.out, "{}", text(record, self.asked))?,
                QueryFormat::Csv => writeln!(self.out, "{}", csv(record))?,
                QueryFormat::Json => {
                    serde_json::to_writer(&mut self.out, &Object { rules, record })?;
                    writeln!(self.out)?;
                }
                QueryFormat::Npy => put_npy(&mut self.records, self.rules, record),
            }
        }
        self.out.flush()
    }

    /// Prints what is left.
    pub fn finish(mut self) -> io::Result<()> {
        if self.format == QueryFormat::Npy {
            let fields = columns(self.rules).map(|field| (field.name(), npy_type(field)));
            let fields: Vec<_> = fields.collect();
            self.out.write_all(&npy_header(&fields, self.boards))?;
            self.out.write_all(&self.records)?;
        } else {
            // CSV has its names even if no board was found.
            self.add(&[])?;
        }
        self.out.flush()
    }
}

/// The board, and its fields as a comment.
fn text(record: &BoardRecord, asked: &[QueryField]) -> String {
    let shown = |field: &QueryField| match field {
        QueryField::Seeds => None,
        QueryField::Value => Some(format!("value {}", signed(record.value))),
        other if other.is_of_moves() && !asked.contains(other) => None,
        other => {
            let known = record.field(*other)?;
            Some(format!("{} {known}", other.name()))
        }
    };
    let fields: Vec<String> = QueryField::ALL.iter().filter_map(shown).collect();
    let board = Board::new(record.board).expect("a board of a layer");
    format!("{board}  # {}", fields.join(", "))
}

fn csv_header() -> String {
    let pits = (0..12).map(|pit| format!("p{pit}"));
    let fields = QueryField::ALL.map(|field| field.name().to_owned());
    pits.chain(fields).collect::<Vec<_>>().join(",")
}

fn csv(record: &BoardRecord) -> String {
    let pits = record.board.iter().map(u8::to_string);
    let fields = QueryField::ALL.map(|field| record.field(field));
    let fields = fields.map(|known| known.map_or_else(String::new, |known| known.to_string()));
    pits.chain(fields).collect::<Vec<_>>().join(",")
}

/// The fields of an array: bounds only where the ruleset has them.
fn columns(rules: Ruleset) -> impl Iterator<Item = QueryField> {
    let is_there = move |field: &QueryField| {
        rules.has_bounds() || !matches!(field, QueryField::Lower | QueryField::Upper)
    };
    QueryField::ALL.into_iter().filter(is_there)
}

/// The type of a field as numpy writes it.
fn npy_type(field: QueryField) -> &'static str {
    match field {
        QueryField::Value | QueryField::Lower | QueryField::Upper | QueryField::Gap => "|i1",
        QueryField::Distance => "<i2",
        _ => "|u1",
    }
}

fn put_npy(out: &mut Vec<u8>, rules: Ruleset, record: &BoardRecord) {
    out.extend(record.board);
    for field in columns(rules) {
        let bytes = record.field(field).unwrap_or(-1).to_le_bytes();
        let length = if npy_type(field) == "<i2" { 2 } else { 1 };
        out.extend(&bytes[..length]);
    }
}
