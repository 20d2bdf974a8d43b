//! Answers by path and parameters: the paths of the server, without its prefix.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use js_sys::{Array, Uint8Array};
use krou::answers::{
    self, Annotations, AnswerError, BoardParameters, Code, ErrorAnswer, GameParameters,
    ImportParameters, LineParameters, ReplyParameters, RulesetsAnswer, SowingsAnswer,
    VersionAnswer,
};
use krou::rules::Ruleset;
use krou::table::{Table, TableError, TableId};
use krou::tablebase::{TableSet, Tablebase, TablebaseBuilder};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{Text, answer, error, to_text};

/// The tables of a worker, and the answers from them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Answers {
    tables: TableSet,
}

#[wasm_bindgen]
impl Answers {
    /// Answers from the tables inside the module.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Answers {
        let tables = TableSet::embedded();
        Answers { tables }
    }

    /// Exchanges the tables of a ruleset for these files, each a `Uint8Array`, and those
    /// inside the module. Files that are not sound tables of the ruleset count as missing;
    /// returns why, a sentence for each.
    pub fn set_tables(&mut self, rules: &str, files: &Array) -> Result<Vec<String>, String> {
        let rules = ruleset(rules).map_err(error)?;
        let (tables, mut damaged) = open_files(rules, files);
        let builder = Tablebase::builder(rules);
        let builder = tables.into_iter().fold(builder, TablebaseBuilder::table);
        match builder.embedded().open() {
            Ok(tables) => self.tables.replace(tables),
            Err(error) => damaged.push(error.to_string()),
        }
        Ok(damaged)
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
                of_ruleset(&tables, what.as_deref(), given, body)
            }
        }
    }
}

impl Answers {
    /// The tables of a ruleset by its name.
    pub fn tables(&self, rules: &str) -> Result<Arc<Tablebase>, AnswerError> {
        Ok(self.tables.tables(ruleset(rules)?))
    }
}

/// A ruleset by any of its names.
pub fn ruleset(name: &str) -> Result<Ruleset, AnswerError> {
    Ok(name.parse()?)
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

/// The name of a ruleset as tables have it, by any of its names; undefined if there is no
/// such ruleset.
#[wasm_bindgen]
pub fn ruleset_name(rules: &str) -> Option<String> {
    ruleset(rules).ok().map(|rules| rules.to_string())
}

/// The answer of an endpoint about a ruleset.
fn of_ruleset(
    tables: &Arc<Tablebase>,
    what: Option<&str>,
    given: &str,
    body: Option<String>,
) -> Text {
    // Nothing can set it: the page ends the worker instead.
    let never = AtomicBool::new(false);
    match what {
        None => answer(given, |q: BoardParameters| {
            answers::board(tables, &q.position(tables.rules())?)
        }),
        Some("probe") => answer(given, |q: BoardParameters| {
            answers::probe(tables, &q.position(tables.rules())?)
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
            q.ogn(tables.rules(), &annotations(body.as_deref())?)
        }),
        Some("reply") => answer(given, |q: ReplyParameters| {
            q.answer(tables.clone(), &never, |_| ())
        }),
        Some(_) => Err(to_text(&ErrorAnswer::new(
            "there is no such endpoint",
            Code::NotFound,
        ))),
    }
}

/// The annotations of an upload; none without one.
fn annotations(body: Option<&str>) -> Result<Annotations, AnswerError> {
    let parsed = body.map_or_else(|| Ok(Annotations::default()), serde_json::from_str);
    parsed.map_err(|why| AnswerError::Parameters(format!("the body cannot be read: {why}")))
}
