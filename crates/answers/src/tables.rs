//! What there is: the rulesets, their tables, and the version of the program.

use serde::Serialize;

use krou::rules::{MAX_SEEDS, Ruleset};
use krou::table::Kind;
use krou::tablebase::Tablebase;

/// A ruleset and its choices, which only those of the oware family have.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesetFields {
    pub name: String,
    pub family: &'static str,
    pub grand_slam: Option<&'static str>,
    pub feeding: Option<&'static str>,
    pub leftovers: Option<&'static str>,
    pub endless: Option<&'static str>,
    pub bounds: bool,
}

impl RulesetFields {
    /// The fields of a ruleset.
    pub fn new(rules: Ruleset) -> RulesetFields {
        let choices = rules.oware();
        RulesetFields {
            name: rules.to_string(),
            family: if choices.is_some() { "oware" } else { "stores" },
            grand_slam: choices.map(|c| c.grand_slam.as_str()),
            feeding: choices.map(|c| c.feeding.as_str()),
            leftovers: choices.map(|c| c.leftovers.as_str()),
            endless: choices.map(|c| c.endless.as_str()),
            bounds: rules.has_bounds(),
        }
    }
}

/// The rulesets and their tables.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesetsAnswer {
    rulesets: Vec<RulesetAnswer>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RulesetAnswer {
    #[serde(flatten)]
    rules: RulesetFields,
    /// The highest layer with values.
    highest: Option<u8>,
    layers: Vec<LayerAnswer>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LayerAnswer {
    seeds: u8,
    tables: Vec<&'static str>,
}

impl RulesetsAnswer {
    /// The rulesets of these tablebases.
    pub fn new<'t>(listed: impl Iterator<Item = &'t Tablebase>) -> RulesetsAnswer {
        let words = |tables: &Tablebase, seeds| {
            let kinds = Kind::ALL.iter().copied();
            let kinds = kinds.filter(|kind| tables.table(seeds, *kind).is_some());
            kinds.map(Kind::as_str).collect()
        };
        let answer = |tables: &Tablebase| RulesetAnswer {
            rules: RulesetFields::new(tables.rules()),
            highest: tables.highest_layer(),
            layers: (0..=MAX_SEEDS)
                .map(|seeds| LayerAnswer {
                    seeds,
                    tables: words(tables, seeds),
                })
                .filter(|layer| !layer.tables.is_empty())
                .collect(),
        };
        RulesetsAnswer {
            rulesets: listed.map(answer).collect(),
        }
    }
}

/// The program and its tables.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VersionAnswer {
    version: &'static str,
    tables: Vec<TablesAnswer>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TablesAnswer {
    rules: String,
    highest: Option<u8>,
    layers: Vec<TableAnswer>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
                .flat_map(|seeds| Kind::ALL.iter().map(move |&kind| tables.table(seeds, kind)))
                .flatten()
                .map(|table| TableAnswer {
                    seeds: table.id().seeds,
                    kind: table.id().kind.as_str(),
                    codec: table.codec().as_str(),
                    hash: format!("{:016x}", table.content_hash()),
                })
                .collect(),
        });
        VersionAnswer {
            version: env!("CARGO_PKG_VERSION"),
            tables: tables.filter(|tables| !tables.layers.is_empty()).collect(),
        }
    }
}
