//! A ruleset whose name has been read, with the indexes of its layers.

use std::sync::OnceLock;

use krou::Ruleset;
use krou::index::LayerIndex;
use krou::rules::MAX_SEEDS;

/// A ruleset: see krou_rules_open. Threads may share it.
#[derive(Debug)]
pub struct krou_rules {
    /// The ruleset.
    pub rules: Ruleset,
    indexes: OnceLock<Vec<LayerIndex>>,
}

impl krou_rules {
    /// A handle of this ruleset.
    pub fn new(rules: Ruleset) -> krou_rules {
        let indexes = OnceLock::new();
        krou_rules { rules, indexes }
    }

    /// The index of a layer, at most `MAX_SEEDS` seeds.
    pub fn layer(&self, seeds: u8) -> &LayerIndex {
        let all = || (0..=MAX_SEEDS).map(|n| LayerIndex::new(self.rules, n));
        &self.indexes.get_or_init(|| all().collect())[usize::from(seeds)]
    }
}
