//! Tables on a web host, whose bytes JavaScript fetches.
//!
//! An answer that lacks bytes fails with their ranges. JavaScript fetches them together, inserts
//! them, and asks for the answer again.

use std::collections::BTreeMap;
use std::sync::Arc;

use krou::ranges::{FileRange, InsertedRanges, Ranges, joined};
use krou::rules::Ruleset;
use krou::table::TableIndex;
use krou::tablebase::Tablebase;
use krou_answers::{AnswerError, Code, ErrorAnswer};
use serde::{Deserialize, Serialize};

use crate::json::{Text, to_text};

/// The hosts of tables, by their rulesets.
#[derive(Debug, Default)]
pub struct Remotes(BTreeMap<String, Remote>);

#[derive(Debug)]
struct Remote {
    index: TableIndex,
    ranges: InsertedRanges,
}

/// A range of a file, which its number in the index stands for.
#[derive(Serialize, Deserialize)]
pub struct Wanted {
    file: usize,
    start: u64,
    end: u64,
}

impl From<FileRange> for Wanted {
    fn from(FileRange { file, start, end }: FileRange) -> Wanted {
        Wanted { file, start, end }
    }
}

/// Those near to each other of ranges in order joined, as JSON.
pub fn join(ranges: &str) -> Text {
    let ranges: Vec<Wanted> = serde_json::from_str(ranges)
        .map_err(|why| to_text(&ErrorAnswer::new(why.to_string(), Code::Parameter)))?;
    let range = |Wanted { file, start, end }| FileRange { file, start, end };
    let joined = joined(ranges.into_iter().map(range)).into_iter();
    let joined: Vec<Wanted> = joined.map(Wanted::from).collect();
    Ok(to_text(&joined))
}

impl Remotes {
    /// Takes the index of a host for a ruleset, as JSON.
    pub fn set(&mut self, rules: Ruleset, index: &str) -> Result<(), String> {
        let index = serde_json::from_str(index).map_err(|why| {
            let why = format!("the index of the tables cannot be read: {why}");
            to_text(&ErrorAnswer::new(why, Code::Table))
        })?;
        let ranges = InsertedRanges::default();
        self.0.insert(rules.to_string(), Remote { index, ranges });
        Ok(())
    }

    /// Completes tables by those of the host.
    pub fn complete(&self, tables: Tablebase) -> Result<Tablebase, AnswerError> {
        match self.of(tables.rules()) {
            Some(remote) => {
                let ranges: Arc<dyn Ranges> = Arc::new(remote.ranges.clone());
                Ok(tables.with_ranges(&remote.index, &ranges)?)
            }
            None => Ok(tables),
        }
    }

    /// Takes the bytes of a range of a file from `start` on.
    pub fn insert(&self, rules: Ruleset, file: usize, start: u64, bytes: &[u8]) {
        if let Some(remote) = self.of(rules) {
            remote.ranges.insert(file, start, bytes);
        }
    }

    fn of(&self, rules: Ruleset) -> Option<&Remote> {
        self.0.get(&rules.to_string())
    }
}
