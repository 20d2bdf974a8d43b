//! The rulesets, their choices and their tables.

use serde::Serialize;

use crate::rules::{Endless, Feeding, GrandSlam, Leftovers, MAX_SEEDS, Ruleset};
use crate::table::Kind;
use crate::tablebase::Tablebase;

/// A ruleset and its choices, which only those of the oware family have.
#[derive(Debug, Serialize)]
pub struct RulesetFields {
    /// Its name.
    pub name: String,
    /// `oware` or `stores`.
    pub family: &'static str,
    /// The effect of a grand slam.
    pub grand_slam: Option<&'static str>,
    /// The effect of a move that leaves the opponent no seeds without capturing.
    pub feeding: Option<&'static str>,
    /// Who takes the seeds left when the mover has no legal move.
    pub leftovers: Option<&'static str>,
    /// How endless play is settled.
    pub endless: Option<&'static str>,
    /// Whether boards have bounds.
    pub bounds: bool,
}

impl RulesetFields {
    /// The fields of a ruleset.
    pub fn new(rules: Ruleset) -> RulesetFields {
        let choices = rules.oware();
        RulesetFields {
            name: rules.to_string(),
            family: if choices.is_some() { "oware" } else { "stores" },
            grand_slam: choices.map(|c| c.grand_slam.word()),
            feeding: choices.map(|c| c.feeding.word()),
            leftovers: choices.map(|c| c.leftovers.word()),
            endless: choices.map(|c| c.endless.word()),
            bounds: rules.has_bounds(),
        }
    }
}

/// The named rulesets, and the words for every choice: the object of `krou rules --json`.
#[derive(Debug, Serialize)]
pub struct RulesetsListing {
    /// The named rulesets.
    pub rulesets: Vec<RulesetFields>,
    choices: Choices,
}

#[derive(Debug, Serialize)]
struct Choices {
    grand_slam: Vec<&'static str>,
    feeding: Vec<&'static str>,
    leftovers: Vec<&'static str>,
    endless: Vec<&'static str>,
}

impl Default for RulesetsListing {
    fn default() -> RulesetsListing {
        RulesetsListing {
            rulesets: Ruleset::NAMED
                .map(|(_, rules)| RulesetFields::new(rules))
                .into(),
            choices: Choices {
                grand_slam: GrandSlam::ALL.map(GrandSlam::word).into(),
                feeding: Feeding::ALL.map(Feeding::word).into(),
                leftovers: Leftovers::ALL.map(Leftovers::word).into(),
                endless: Endless::ALL.map(Endless::word).into(),
            },
        }
    }
}

/// The rulesets and their tables.
#[derive(Debug, Serialize)]
pub struct RulesetsAnswer {
    rulesets: Vec<RulesetAnswer>,
}

#[derive(Debug, Serialize)]
struct RulesetAnswer {
    #[serde(flatten)]
    rules: RulesetFields,
    /// The highest layer with values.
    highest: Option<u8>,
    layers: Vec<LayerAnswer>,
}

#[derive(Debug, Serialize)]
struct LayerAnswer {
    seeds: u8,
    tables: Vec<&'static str>,
}

impl RulesetsAnswer {
    /// The rulesets of these tablebases.
    pub fn new<'t>(listed: impl Iterator<Item = &'t Tablebase>) -> RulesetsAnswer {
        let answer = |tables: &Tablebase| RulesetAnswer {
            rules: RulesetFields::new(tables.rules()),
            highest: tables.highest_layer(),
            layers: (0..=MAX_SEEDS)
                .map(|seeds| layer(tables, seeds))
                .filter(|layer| !layer.tables.is_empty())
                .collect(),
        };
        RulesetsAnswer {
            rulesets: listed.map(answer).collect(),
        }
    }
}

fn layer(tables: &Tablebase, seeds: u8) -> LayerAnswer {
    let has_table = |kind: &Kind| tables.table(seeds, *kind).is_some();
    let kinds = Kind::ALL.into_iter().filter(has_table);
    LayerAnswer {
        seeds,
        tables: kinds.map(Kind::word).collect(),
    }
}
