//! The boards of a query as text, CSV, JSON or an array for numpy.

use std::io::{self, StdoutLock, Write};

use clap::ValueEnum;
use krou::rules::Ruleset;
use krou::tablebase::{Column, NumberType, RecordFormat};
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
    fields: Vec<QueryField>,
    columns: Vec<Column>,
    /// What is not printed yet: all boards of an array, whose header says how many there are.
    bytes: Vec<u8>,
    boards: u64,
    out: StdoutLock<'static>,
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
        let is_there = |field: &QueryField| format != QueryFormat::Npy || field.is_under(rules);
        let fields: Vec<QueryField> = QueryField::ALL.into_iter().filter(is_there).collect();
        let columns: Vec<Column> = fields.iter().map(|field| field.column()).collect();
        let bytes = match format {
            QueryFormat::Csv => RecordFormat::Csv.header(&columns, 0),
            _ => Vec::new(),
        };
        Output {
            format,
            rules,
            asked,
            fields,
            columns,
            bytes,
            boards: 0,
            out: io::stdout().lock(),
        }
    }

    /// Prints boards.
    pub fn add(&mut self, found: &[BoardRecord]) -> io::Result<()> {
        self.boards += found.len() as u64;
        let rules = &self.rules.to_string();
        for record in found {
            match self.format {
                QueryFormat::Text => writeln!(self.bytes, "{}", text(record, self.asked))?,
                QueryFormat::Csv => self.put(RecordFormat::Csv, record),
                QueryFormat::Json => {
                    serde_json::to_writer(&mut self.bytes, &Object { rules, record })?;
                    self.bytes.push(b'\n');
                }
                QueryFormat::Npy => self.put(RecordFormat::Npy, record),
            }
        }
        if self.format == QueryFormat::Npy {
            return Ok(());
        }
        self.print()
    }

    fn put(&mut self, format: RecordFormat, record: &BoardRecord) {
        let numbers = self.fields.iter().map(|&field| record.field(field));
        format.put(&mut self.bytes, &record.board, &self.columns, numbers);
    }

    fn print(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        self.out.flush()
    }

    /// Prints what is left.
    pub fn finish(mut self) -> io::Result<()> {
        if self.format == QueryFormat::Npy {
            let header = RecordFormat::Npy.header(&self.columns, self.boards);
            self.out.write_all(&header)?;
        }
        // CSV has its names even if no board was found.
        self.print()
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
    format!("{}  # {}", record.board, fields.join(", "))
}

impl QueryField {
    /// The field in an array.
    fn column(self) -> Column {
        let number = match self {
            QueryField::Value | QueryField::Lower | QueryField::Upper | QueryField::Gap => {
                NumberType::I8
            }
            QueryField::Distance => NumberType::I16,
            _ => NumberType::U8,
        };
        let name = self.name();
        Column { name, number }
    }

    /// Whether an array has the field: bounds only where the ruleset has them.
    fn is_under(self, rules: Ruleset) -> bool {
        rules.has_bounds() || !matches!(self, QueryField::Lower | QueryField::Upper)
    }
}
