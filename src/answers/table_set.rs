//! The tables of every ruleset, opened once and shared by all answers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::rules::Ruleset;
use crate::tablebase::Tablebase;

/// A tablebase for every ruleset; most have no layers.
#[derive(Debug)]
pub struct TableSet(HashMap<Ruleset, Arc<Tablebase>>);

impl TableSet {
    /// Opens the tables of all rulesets.
    ///
    /// # Errors
    /// If one cannot be opened.
    pub fn open<E>(mut open: impl FnMut(Ruleset) -> Result<Tablebase, E>) -> Result<TableSet, E> {
        let opened = Ruleset::all().map(|rules| Ok((rules, Arc::new(idle(open(rules)?)))));
        opened.collect::<Result<_, E>>().map(TableSet)
    }

    /// The tables inside the library.
    pub fn embedded() -> TableSet {
        let embedded = Ruleset::all().map(|rules| (rules, idle(Tablebase::embedded(rules))));
        TableSet(
            embedded
                .map(|(rules, tables)| (rules, Arc::new(tables)))
                .collect(),
        )
    }

    /// Exchanges the tables of a ruleset. Answers in progress keep the former ones.
    pub fn replace(&mut self, tables: Tablebase) {
        self.0.insert(tables.rules(), Arc::new(idle(tables)));
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

/// Tables without layers have nothing to cache.
fn idle(tables: Tablebase) -> Tablebase {
    match tables.highest_layer() {
        Some(_) => tables,
        None => tables.with_cache_bytes(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn named_rulesets_are_listed_and_others_only_with_tables() {
        let mut set = TableSet::embedded();
        let names = |set: &TableSet| -> Vec<String> {
            let listed = set.listed();
            listed.map(|tables| tables.rules().to_string()).collect()
        };
        assert_eq!(names(&set), Ruleset::NAMED.map(|(name, _)| name));
        assert_eq!(set.tables(Ruleset::AWARI).highest_layer(), Some(9));

        let choices = "oware+all+required+nobody+even";
        let rules: Ruleset = choices.parse().unwrap();
        assert!(rules.name().is_none());
        let entry: &[u8] = &[0];
        let id = crate::table::TableId {
            rules,
            seeds: 0,
            kind: crate::table::Kind::Value,
        };
        let bytes = crate::table::pack(
            id,
            &[&entry],
            &crate::table::WriteOptions::default(),
            &|_| (),
        );
        let table = Table::from_bytes("new", bytes.unwrap()).unwrap();
        set.replace(Tablebase::from_tables(rules, [table]).unwrap());
        assert_eq!(names(&set).last().unwrap(), choices);
        assert_eq!(set.tables(rules).highest_layer(), Some(0));
    }
}
