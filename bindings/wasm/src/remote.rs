//! Tables on a web host, whose bytes JavaScript fetches.
//!
//! An answer that lacks bytes fails. JavaScript then asks which ranges are wanted, fetches
//! them together, inserts them, and asks for the answer again.

use std::collections::BTreeMap;

use krou::internal::ranges::{FileRange, RangeStore};
use krou::internal::remote::TableIndex;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;
use krou_answers::{AnswerError, Code, ErrorAnswer};
use serde::Serialize;

use crate::json::to_text;

/// The hosts of tables, by their rulesets.
#[derive(Debug, Default)]
pub struct Remotes(BTreeMap<String, Remote>);

#[derive(Debug)]
struct Remote {
    index: TableIndex,
    store: RangeStore,
}

/// A range that an answer lacks.
#[derive(Serialize)]
struct Wanted<'a> {
    /// The number of the file in the index.
    file: usize,
    /// Its name, its length and its SHA-256 sum.
    name: &'a str,
    bytes: u64,
    sha256: &'a str,
    start: u64,
    end: u64,
}

impl Remotes {
    /// Takes the index of a host for a ruleset, as JSON.
    pub fn set(&mut self, rules: Ruleset, index: &str) -> Result<(), String> {
        let index = serde_json::from_str(index).map_err(|why| {
            let why = format!("the index of the tables cannot be read: {why}");
            to_text(&ErrorAnswer::new(why, Code::Table))
        })?;
        let store = RangeStore::default();
        self.0.insert(rules.to_string(), Remote { index, store });
        Ok(())
    }

    /// Completes tables by those of the host.
    pub fn complete(&self, tables: Tablebase) -> Result<Tablebase, AnswerError> {
        match self.of(tables.rules()) {
            Some(remote) => Ok(tables.with_ranges(&remote.index, &remote.store)?),
            None => Ok(tables),
        }
    }

    /// The ranges that are wanted of a ruleset's tables, as JSON.
    pub fn wanted(&self, rules: Ruleset) -> String {
        let ranges = self.of(rules).map_or_else(Vec::new, |remote| {
            let ranges = remote.store.wanted().into_iter();
            ranges.map(|range| remote.wanted(range)).collect()
        });
        to_text(&ranges)
    }

    /// Takes the bytes of a file from `start` on.
    pub fn insert(&self, rules: Ruleset, file: usize, start: u64, bytes: &[u8]) {
        if let Some(remote) = self.of(rules) {
            remote.store.insert(file, start, bytes);
        }
    }

    /// Forgets what is wanted.
    pub fn give_up(&self, rules: Ruleset) {
        if let Some(remote) = self.of(rules) {
            remote.store.give_up();
        }
    }

    fn of(&self, rules: Ruleset) -> Option<&Remote> {
        self.0.get(&rules.to_string())
    }
}

impl Remote {
    fn wanted(&self, range: FileRange) -> Wanted<'_> {
        let table = &self.index.tables[range.file];
        Wanted {
            file: range.file,
            name: &table.name,
            bytes: table.bytes,
            sha256: &table.sha256,
            start: range.start,
            end: range.end,
        }
    }
}
