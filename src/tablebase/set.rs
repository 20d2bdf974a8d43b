//! The tables of all rulesets, for programs that answer for any.

use std::collections::HashMap;
use std::convert::Infallible;

use super::Tablebase;
use crate::rules::Ruleset;

/// A tablebase for every ruleset; most have no layers.
#[derive(Debug)]
pub struct TableSet(HashMap<Ruleset, Tablebase>);

impl TableSet {
    /// Opens the tables of all rulesets.
    ///
    /// # Errors
    /// If one cannot be opened.
    pub fn open<E>(mut open: impl FnMut(Ruleset) -> Result<Tablebase, E>) -> Result<TableSet, E> {
        let opened = Ruleset::all().map(|rules| Ok((rules, idle(open(rules)?))));
        opened.collect::<Result<_, E>>().map(TableSet)
    }

    /// The tables inside the library.
    pub fn embedded() -> TableSet {
        let embedded = |rules| Ok::<_, Infallible>(Tablebase::embedded(rules));
        TableSet::open(embedded).unwrap_or_else(|never| match never {})
    }

    /// Exchanges the tables of a ruleset. Answers in progress keep the former ones.
    pub fn replace(&mut self, tables: Tablebase) {
        self.0.insert(tables.rules(), idle(tables));
    }

    /// The tables of a ruleset.
    pub fn tables(&self, rules: Ruleset) -> Tablebase {
        self.0[&rules].clone()
    }

    /// The named rulesets in order, then others that have tables.
    pub fn listed(&self) -> impl Iterator<Item = &Tablebase> {
        let named = Ruleset::NAMED.iter().map(|&(_, rules)| rules);
        let others = Ruleset::all().filter(|rules| rules.name().is_none());
        let others = others.filter(|rules| self.0[rules].highest_layer().is_some());
        named.chain(others).map(|rules| &self.0[&rules])
    }
}

/// Tables without layers have nothing to cache.
fn idle(tables: Tablebase) -> Tablebase {
    if tables.highest_layer().is_some() {
        tables
    } else {
        tables.with_cache_bytes(0)
    }
}
