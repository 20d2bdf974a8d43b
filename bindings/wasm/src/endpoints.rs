//! Answers by path and parameters: the paths of the server, without its prefix.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use js_sys::{Array, Uint8Array};
use krou::answers::{
    self, AnswerError, BoardParameters, GameParameters, ImportParameters, LineParameters,
    NoParameters, ReplyParameters, RulesetsAnswer, TableSet, VersionAnswer,
};
use krou::rules::Ruleset;
use krou::table::{Table, TableError};
use krou::tablebase::Tablebase;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{Text, error, parameters, text};

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
        let mut builder = Tablebase::builder(rules);
        let mut damaged = Vec::new();
        for file in files.iter() {
            match open(rules, &file.unchecked_into()) {
                Ok(table) => builder = builder.table(table),
                Err(error) => damaged.push(error.to_string()),
            }
        }
        match builder.embedded().open() {
            Ok(tables) => self.tables.replace(tables),
            Err(error) => damaged.push(error.to_string()),
        }
        Ok(damaged)
    }

    /// The answer of an endpoint. `parameters` is a list of pairs; `body` is the text of
    /// an upload.
    pub fn answer(&self, path: &str, given: &str, body: Option<String>) -> Text {
        match path.split_once('/') {
            None if path == "rulesets" => {
                let answer = |NoParameters| RulesetsAnswer::new(self.tables.listed());
                text(parameters(given).map(answer))
            }
            None if path == "version" => {
                let answer = |NoParameters| VersionAnswer::new(self.tables.listed());
                text(parameters(given).map(answer))
            }
            None if path == "ogn" => {
                let body = body.unwrap_or_default();
                let read = |query: ImportParameters| answers::import_ogn(&body, query.rules);
                text(parameters(given).and_then(read))
            }
            None => {
                let query = parameters(given);
                let tables = self.tables(path).map_err(error)?;
                text(query.and_then(|q: BoardParameters| answers::board(&tables, &q.position)))
            }
            Some((rules, what)) => {
                let tables = self.tables(rules).map_err(error)?;
                of_ruleset(&tables, what, given)
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

fn ruleset(name: &str) -> Result<Ruleset, AnswerError> {
    Ok(name.parse()?)
}

/// Opens a table, whose name for errors is that of its layer.
fn open(rules: Ruleset, file: &Uint8Array) -> Result<Table, TableError> {
    let table = Table::from_bytes("a stored table", file.to_vec())?;
    let id = table.id();
    table.require(krou::table::TableId { rules, ..id })
}

/// The answer of an endpoint below a ruleset.
fn of_ruleset(tables: &Arc<Tablebase>, what: &str, given: &str) -> Text {
    // Nothing can set it: the page ends the worker instead.
    let never = AtomicBool::new(false);
    let rules = tables.rules();
    match what {
        "probe" => text(
            parameters(given)
                .and_then(|q: BoardParameters| answers::probe_moves(tables, &q.position)),
        ),
        "mainline" => text(
            parameters(given)
                .and_then(|q: LineParameters| answers::best_line(tables, &q.position, q.plies)),
        ),
        "game" => text(
            parameters(given).and_then(|q: GameParameters| q.game(rules).answer(tables, &never)),
        ),
        "ogn" => text(
            parameters(given).and_then(|q: GameParameters| answers::export_ogn(&q.game(rules))),
        ),
        "reply" => text(parameters(given).and_then(|q: ReplyParameters| {
            let game = q.game.game(rules);
            q.opponent.reply(&game, tables.clone(), &never, |_| ())
        })),
        _ => Err(error(AnswerError::Parameters(
            "there is no such endpoint".to_owned(),
        ))),
    }
}
