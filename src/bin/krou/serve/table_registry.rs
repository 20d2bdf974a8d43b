//! The tables of every ruleset, opened once and shared by all requests.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use anyhow::Result;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use crate::folder_args::FolderArgs;
use crate::messages::{print_message, with_causes};

/// A tablebase for every ruleset; most have no layers.
pub struct TableRegistry(HashMap<Ruleset, Arc<Tablebase>>);

impl TableRegistry {
    /// Opens the tables of all rulesets. Damaged ones are reported and count as missing.
    pub fn open(tables: &FolderArgs) -> Result<TableRegistry> {
        let open = |rules| {
            let opened = tables.open_despite_damage(rules)?;
            for error in opened.damaged_tables() {
                print_message(&format!(
                    "warning: {} is not served: check the folder with 'krou verify'",
                    with_causes(error)
                ));
            }
            let opened = match opened.highest_layer() {
                Some(_) => opened,
                // There is nothing to cache.
                None => opened.with_cache_bytes(0),
            };
            Ok((rules, Arc::new(opened)))
        };
        Ok(TableRegistry(
            Ruleset::all().map(open).collect::<Result<_>>()?,
        ))
    }

    /// The tables of a ruleset.
    pub fn tables(&self, rules: Ruleset) -> Arc<Tablebase> {
        self.0[&rules].clone()
    }

    /// The named rulesets in order, then others that have tables.
    pub fn listed(&self) -> impl Iterator<Item = &Tablebase> {
        let named = Ruleset::NAMED.into_iter().map(|(_, rules)| rules);
        let others = Ruleset::all().filter(|rules| rules.name().is_none());
        let others = others.filter(|rules| self.0[rules].highest_layer().is_some());
        named.chain(others).map(|rules| &*self.0[&rules])
    }
}

impl fmt::Display for TableRegistry {
    /// A summary of the tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.listed().filter_map(|tables| {
            let seeds = tables.highest_layer()?;
            Some(format!("{} up to {seeds} seeds", tables.rules()))
        });
        let tables: Vec<String> = tables.collect();
        match tables.is_empty() {
            true => f.write_str("without tables"),
            false => write!(f, "with tables of {}", tables.join(", ")),
        }
    }
}
