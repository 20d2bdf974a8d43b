//! How much memory solving takes: to be kept in step with what the solver holds.

use crate::index::{LayerIndex, row};
use crate::rules::Ruleset;

/// Bytes of memory, at the peak, to solve the layer with `seeds` seeds while
/// those below it are held.
pub fn memory_needed(rules: Ruleset, seeds: u8, distance: bool) -> u64 {
    /// The program itself, the threads' buffers, blocks being packed.
    const FIXED: u64 = 64 << 20;
    let index = LayerIndex::new(rules, seeds);
    let largest_block = (0..seeds)
        .map(|b| index.block_start(b + 1) - index.block_start(b))
        .max();
    let largest_block = largest_block.unwrap_or(index.len());
    let planes = if rules.has_bounds() { 3 } else { 1 };
    let lower: u64 = (0..seeds).map(|n| LayerIndex::new(rules, n).len()).sum();
    // Values: the plane, the best captures, a block beside the old one, and
    // which boards change when few do.
    let values = 2 * index.len() + largest_block + index.len() / 4;
    // Bounds: the values, two planes, and the best captures for each.
    let bounds = if rules.has_bounds() {
        5 * index.len() + index.len() / 2
    } else {
        0
    };
    // Distances: what is solved, the best captures, keys of two bytes, and the
    // distances themselves.
    let distances = if distance {
        (planes + 4) * index.len() + 2 * largest_block + index.len() / 2
    } else {
        0
    };
    FIXED + plan_bytes(seeds) + planes * lower + values.max(bounds).max(distances)
}

/// Bytes of the compiled plan: a row's moves take 52 bytes and about as much
/// again backwards, and its place in lists 8. Runs and points are not counted
/// but allowed for, generously: peaks stay well below what is asked for here.
fn plan_bytes(seeds: u8) -> u64 {
    let rows: u64 = (0..=seeds).map(|k| u64::from(row::row_count(k))).sum();
    400 * rows
}
