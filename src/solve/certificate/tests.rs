//! The row-wise passes against the plain rules.

use fastrand::Rng;

use crate::index::LayerIndex;
use crate::rules::{Board, Ruleset};

/// Random boards of a layer, the same ones in every run.
pub(super) fn random_boards(rules: Ruleset, seeds: u8, count: usize) -> Vec<Board> {
    let index = LayerIndex::new(rules, seeds);
    let mut random = Rng::with_seed(u64::from(seeds));
    (0..count)
        .map(|_| index.board(random.u64(..index.len())))
        .collect()
}
