//! Answers by path and parameters: the paths of the server, without its prefix.

use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use js_sys::{Array, Uint8Array};
use krou::rules::Ruleset;
use krou::table::{Table, TableError};
use krou::tablebase::TableSet;
use krou::tablebase::{OpenError, Tablebase};
use krou_answers::{
    Answer, AnswerError, Code, Context, Endpoint, ErrorAnswer, FrontEnd, Given, endpoints,
};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{Text, error, pairs, to_text};
use crate::remote::{Remotes, join};

/// Where the header of a table says how long its file is: see `docs/format.md`.
const FILE_LENGTH: Range<usize> = 40..48;

/// The tables of a worker, and the answers from them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Answers {
    supplied: Supplied,
    tables: TableSet,
    remotes: Remotes,
    endpoints: Vec<Endpoint>,
}

/// The files of the tables that every answer can use, each with its ruleset.
type Supplied = Vec<(Ruleset, Vec<u8>)>;

#[wasm_bindgen]
impl Answers {
    /// Answers from these tables: their files, one after another.
    #[wasm_bindgen(constructor)]
    pub fn new(tables: &[u8]) -> Result<Answers, String> {
        let mut supplied = Supplied::new();
        let mut rest = tables;
        while !rest.is_empty() {
            let (file, after) = first_file(rest);
            let table = open_supplied(file).map_err(failure)?;
            supplied.push((table.id().rules, file.to_vec()));
            rest = after;
        }
        let tables = TableSet::open(|rules| open_with(rules, &supplied, Vec::new()));
        Ok(Answers {
            tables: tables.map_err(failure)?,
            supplied,
            remotes: Remotes::default(),
            endpoints: all_endpoints(),
        })
    }

    /// Exchanges the tables of a ruleset for these files, each a `Uint8Array`, and the
    /// supplied ones; those of a host complete them. Files that are not sound tables of the
    /// ruleset count as missing; returns why, a sentence for each.
    pub fn set_tables(&mut self, rules: &str, files: &Array) -> Result<Vec<String>, String> {
        let rules = ruleset(rules).map_err(error)?;
        let (tables, mut damaged) = open_files(rules, files);
        match open_with(rules, &self.supplied, tables) {
            Ok(tables) => {
                let tables = self.remotes.complete(tables).map_err(error)?;
                self.tables.replace(tables);
            }
            Err(error) => damaged.push(error.to_string()),
        }
        Ok(damaged)
    }

    /// From the next `set_tables` on, the tables of a ruleset are completed by those of a web
    /// host with this index.
    pub fn set_remote(&mut self, rules: &str, index: &str) -> Result<(), String> {
        self.remotes.set(ruleset(rules).map_err(error)?, index)
    }

    /// Takes the bytes of a range of a file of a host, given by its number in the index, from an
    /// offset on.
    pub fn insert(&self, rules: &str, file: usize, start: u64, bytes: &[u8]) -> Result<(), String> {
        let rules = ruleset(rules).map_err(error)?;
        self.remotes.insert(rules, file, start, bytes);
        Ok(())
    }

    /// The answer of an endpoint: `first` is its name, or a ruleset and `what` is asked
    /// about it. `given` is a list of parameters as pairs; `body` is the text of an upload.
    pub fn answer(
        &self,
        first: &str,
        what: Option<String>,
        given: &str,
        body: Option<String>,
    ) -> Text {
        let general = self.endpoint(first).filter(|_| what.is_none());
        let path = what.map_or_else(|| "{rules}".to_owned(), |what| format!("{{rules}}/{what}"));
        let rules = match general {
            Some(_) => None,
            None => Some(ruleset(first).map_err(error)?),
        };
        let endpoint = general.or_else(|| self.endpoint(&path)).ok_or_else(|| {
            let why = "there is no such endpoint";
            to_text(&ErrorAnswer::new(why, Code::NotFound))
        })?;
        let context = Context {
            tables: &self.tables,
            // Nothing can set it: the page ends the worker instead.
            stop: &Arc::default(),
            front_end: &Page,
        };
        let answer = pairs(given).and_then(|parameters| {
            let given = Given {
                rules,
                parameters,
                body,
            };
            endpoint.read(given)?(&context)
        });
        match answer.map_err(error)? {
            Answer::Json(text) => Ok(text),
            Answer::Text(text) => Ok(to_text(&text)),
        }
    }
}

/// Errors are thrown, and no log is kept.
#[derive(Debug)]
struct Page;

impl FrontEnd for Page {}

impl Answers {
    fn endpoint(&self, path: &str) -> Option<&Endpoint> {
        let mut endpoints = self.endpoints.iter();
        endpoints.find(|endpoint| endpoint.description.path == path)
    }

    /// The tables of a ruleset by its name.
    pub fn tables(&self, rules: &str) -> Result<Tablebase, AnswerError> {
        Ok(self.tables.tables(ruleset(rules)?))
    }
}

/// A ruleset by any of its names.
pub fn ruleset(name: &str) -> Result<Ruleset, AnswerError> {
    Ok(name.parse()?)
}

/// Cuts off the first of several files of tables, whose header says how long it is. Damaged
/// bytes are one file, which cannot be opened.
fn first_file(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes
        .get(FILE_LENGTH)
        .and_then(|bytes| bytes.try_into().ok());
    let length = length.map_or(0, u64::from_le_bytes) as usize;
    let cut = bytes.split_at_checked(length);
    cut.filter(|(file, _)| !file.is_empty())
        .unwrap_or((bytes, &[]))
}

/// The tables of a ruleset, completed by the supplied ones.
fn open_with(
    rules: Ruleset,
    supplied: &Supplied,
    tables: Vec<Table>,
) -> Result<Tablebase, OpenError> {
    let files = supplied.iter().filter(|(of, _)| *of == rules);
    let supplied = files.map(|(_, file)| open_supplied(file));
    let supplied = supplied.collect::<Result<Vec<_>, _>>()?;
    Tablebase::from_tables(rules, tables.into_iter().chain(supplied))
}

fn open_supplied(file: &[u8]) -> Result<Table, TableError> {
    Table::from_bytes("a supplied table", file.to_vec())
}

/// Why the tables cannot be opened, as an error in text.
fn failure(why: impl Display) -> String {
    to_text(&ErrorAnswer::new(why.to_string(), Code::Table))
}

/// Opens the files of a ruleset, each a `Uint8Array`; also returns why the others are not
/// sound tables of it, a sentence for each.
pub fn open_files(rules: Ruleset, files: &Array) -> (Vec<Table>, Vec<String>) {
    let mut tables = Vec::new();
    let mut damaged = Vec::new();
    for file in files.iter() {
        match open(rules, &file.unchecked_into()) {
            Ok(table) => tables.push(table),
            Err(error) => damaged.push(error),
        }
    }
    (tables, damaged)
}

/// Opens a table of the ruleset. Its bytes have no name that could be wrong.
fn open(rules: Ruleset, file: &Uint8Array) -> Result<Table, String> {
    let table = Table::from_bytes("a stored table", file.to_vec()).map_err(|e| e.to_string())?;
    match table.id() {
        id if id.rules == rules => Ok(table),
        id => Err(format!(
            "a stored table holds {id}, which is not of {rules}: leave it out"
        )),
    }
}

/// The ranges to ask a host for, given those that are wanted, both as JSON: those near to each
/// other are joined.
#[wasm_bindgen]
pub fn joined_ranges(ranges: &str) -> Text {
    join(ranges)
}

/// The name of a ruleset as tables have it, by any of its names; undefined if there is no
/// such ruleset.
#[wasm_bindgen]
pub fn ruleset_name(rules: &str) -> Option<String> {
    ruleset(rules).ok().map(|rules| rules.to_string())
}

/// What may be asked of this module.
fn all_endpoints() -> Vec<Endpoint> {
    #[cfg_attr(not(feature = "full"), allow(unused_mut))]
    let mut all = endpoints();
    #[cfg(feature = "full")]
    all.extend(krou_answers::search_endpoints());
    all
}
