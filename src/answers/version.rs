//! The version of the program, and which tables it has.

use serde::Serialize;

use crate::rules::MAX_SEEDS;
use crate::table::{Kind, Table};
use crate::tablebase::Tablebase;

/// The program and its tables.
#[derive(Debug, Serialize)]
pub struct VersionAnswer {
    version: &'static str,
    tables: Vec<TablesAnswer>,
}

#[derive(Debug, Serialize)]
struct TablesAnswer {
    rules: String,
    highest: Option<u8>,
    layers: Vec<TableAnswer>,
}

#[derive(Debug, Serialize)]
struct TableAnswer {
    seeds: u8,
    kind: &'static str,
    codec: &'static str,
    /// Equal for equal files.
    hash: String,
}

impl VersionAnswer {
    /// The tables of these rulesets; those without tables are left out.
    pub fn new<'t>(listed: impl Iterator<Item = &'t Tablebase>) -> VersionAnswer {
        let tables = listed.map(|tables| TablesAnswer {
            rules: tables.rules().to_string(),
            highest: tables.highest_layer(),
            layers: (0..=MAX_SEEDS)
                .flat_map(|seeds| Kind::ALL.map(|kind| tables.table(seeds, kind)))
                .flatten()
                .map(TableAnswer::new)
                .collect(),
        });
        VersionAnswer {
            version: env!("CARGO_PKG_VERSION"),
            tables: tables.filter(|tables| !tables.layers.is_empty()).collect(),
        }
    }
}

impl TableAnswer {
    fn new(table: &Table) -> TableAnswer {
        let id = table.id();
        TableAnswer {
            seeds: id.seeds,
            kind: id.kind.word(),
            codec: table.codec().word(),
            hash: format!("{:016x}", table.content_hash()),
        }
    }
}
