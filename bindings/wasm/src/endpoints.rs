//! Answers by path and parameters: the paths of the server, without its prefix.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use js_sys::{Array, Uint8Array};
use krou::internal::tablebase::TableSet;
use krou::rules::{Position, Ruleset};
use krou::table::{Table, TableError, TableId};
use krou::tablebase::{OpenError, Tablebase};
use krou_answers::{
    self as answers, Annotations, AnswerError, BoardParameters, Code, ErrorAnswer, GameParameters,
    ImportParameters, LineParameters, MovesAnswer, ResultFields, RulesetsAnswer, SowingsAnswer,
    VersionAnswer,
};
use serde::Serialize;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{Text, answer, error, to_text};
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
        match (first, what) {
            ("rulesets", None) => {
                let listed = |()| Ok(RulesetsAnswer::new(self.tables.listed()));
                answer(given, listed)
            }
            ("version", None) => {
                let listed = |()| Ok(VersionAnswer::new(self.tables.listed()));
                answer(given, listed)
            }
            ("ogn", None) => {
                let body = body.unwrap_or_default();
                answer(given, |query: ImportParameters| query.read(&body))
            }
            (rules, what) => {
                let tables = self.tables(rules).map_err(error)?;
                of_ruleset(&tables, what.as_deref(), given, body.as_deref())
            }
        }
    }
}

impl Answers {
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
            Err(error) => damaged.push(error.to_string()),
        }
    }
    (tables, damaged)
}

/// Opens a table, whose name for errors is that of its layer.
fn open(rules: Ruleset, file: &Uint8Array) -> Result<Table, TableError> {
    let table = Table::from_bytes("a stored table", file.to_vec())?;
    let id = table.id();
    table.require(TableId { rules, ..id })
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

/// The answer of an endpoint about a ruleset.
fn of_ruleset(tables: &Tablebase, what: Option<&str>, given: &str, body: Option<&str>) -> Text {
    // Nothing can set it: the page ends the worker instead.
    let never = AtomicBool::new(false);
    match what {
        None => answer(given, |q: BoardParameters| {
            answers::board(tables, &q.position(tables.rules())?)
        }),
        Some("probe") => answer(given, |q: BoardParameters| {
            answers::probe(tables, &q.position(tables.rules())?)
        }),
        Some("value") => answer(given, |q: BoardParameters| {
            value(tables, &q.position(tables.rules())?)
        }),
        Some("moves") => answer(given, |q: BoardParameters| {
            let rules = tables.rules();
            Ok(PitsAnswer::new(rules, &q.position(rules)?))
        }),
        Some("mainline") => answer(given, |q: LineParameters| {
            answers::best_line(tables, &q.board.position(tables.rules())?, q.plies)
        }),
        Some("sowings") => answer(given, |q: BoardParameters| {
            let rules = tables.rules();
            Ok(SowingsAnswer::new(rules, &q.position(rules)?))
        }),
        Some("game") => answer(given, |q: GameParameters| q.answer(tables, &never)),
        Some("ogn") => answer(given, |q: GameParameters| {
            q.ogn(tables.rules(), &annotations(body)?)
        }),
        #[cfg(feature = "full")]
        Some("reply") => answer(given, |q: answers::ReplyParameters| {
            q.answer(tables.clone(), &never, |_| ())
        }),
        Some(_) => Err(to_text(&ErrorAnswer::new(
            "there is no such endpoint",
            Code::NotFound,
        ))),
    }
}

/// The result of a board whose layer must have a table, without its moves.
fn value(tables: &Tablebase, position: &Position) -> Result<ResultFields, AnswerError> {
    match answers::known(tables.probe(&position.board))? {
        Ok(result) => Ok(Some(result).into()),
        Err(seeds) => Err(AnswerError::Missing {
            rules: tables.rules(),
            seeds,
            board: Box::new(answers::probe(tables, position)?),
        }),
    }
}

/// The legal moves of a board, and why each of the other pits may not be played.
#[derive(Debug, Serialize)]
struct PitsAnswer {
    #[serde(flatten)]
    legal: MovesAnswer,
    illegal: BTreeMap<u8, String>,
}

impl PitsAnswer {
    fn new(rules: Ruleset, position: &Position) -> PitsAnswer {
        let moves = rules.moves(&position.board);
        let reasons = (0..).zip(moves.by_pit());
        let reasons = reasons.filter_map(|(pit, step)| Some((pit, step.as_ref().err()?)));
        PitsAnswer {
            legal: MovesAnswer::new(position, &moves),
            illegal: reasons
                .map(|(pit, why)| (pit, why.named(|pit| pit)))
                .collect(),
        }
    }
}

/// The annotations of an upload; none without one.
fn annotations(body: Option<&str>) -> Result<Annotations, AnswerError> {
    let parsed = body.map_or_else(|| Ok(Annotations::default()), serde_json::from_str);
    parsed.map_err(|why| AnswerError::Parameters(format!("the body cannot be read: {why}")))
}
