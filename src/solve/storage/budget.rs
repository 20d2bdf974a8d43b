//! The memory budget: what each stage of the work on a layer takes, and what it may
//! still take.
//!
//! Estimates count what the solver allocates and must change with it. Where they
//! rest on the size of a type, that type's file asserts it at compile time.

use std::path::Path;
use std::sync::Arc;

use crate::index::{LayerIndex, row};
use crate::rules::{ROW, Ruleset};
use crate::table::Kind;

/// Memory that may still be taken, and where everything else goes.
#[derive(Clone, Debug)]
pub(in crate::solve) struct MemoryBudget {
    /// Bytes; `None` without a limit.
    left: Option<u64>,
    folder: Arc<Path>,
}

impl MemoryBudget {
    /// Memory without a limit.
    pub fn unlimited() -> MemoryBudget {
        MemoryBudget {
            left: None,
            folder: Path::new(".").into(),
        }
    }

    /// At most `bytes` of memory; the rest goes to spill files in `folder`.
    pub fn limited(bytes: u64, folder: Arc<Path>) -> MemoryBudget {
        MemoryBudget {
            left: Some(bytes),
            folder,
        }
    }

    /// Takes memory; `false` if too little is left.
    pub fn take(&mut self, bytes: u64) -> bool {
        match &mut self.left {
            None => true,
            Some(left) if *left >= bytes => {
                *left -= bytes;
                true
            }
            Some(_) => false,
        }
    }

    /// Takes memory that is in use already, as far as the budget goes.
    pub fn take_up_to(&mut self, bytes: u64) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(bytes);
        }
    }

    /// Gives memory back.
    pub fn give(&mut self, bytes: u64) {
        if let Some(left) = &mut self.left {
            *left += bytes;
        }
    }

    /// The folder of spill files.
    pub fn folder(&self) -> Arc<Path> {
        self.folder.clone()
    }

    /// Bytes that may still be taken; `None` without a limit.
    pub fn left(&self) -> Option<u64> {
        self.left
    }
}

/// Bytes for the program itself, for blocks of a table being packed, and for the
/// panels and stacks of the threads of the present pool.
pub(in crate::solve) fn program_bytes() -> u64 {
    (14 << 20) + rayon::current_num_threads() as u64 * (2 << 20)
}

/// The least memory, in bytes, with which the layer with `seeds` seeds can be solved
/// for tables of these kinds. Values and bounds are always solved, distances only for a
/// table of distances. With more memory, less is read from disk again and again.
pub fn memory_needed(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    program_bytes() + moves_bytes(seeds) + working_set_bytes(&index, entry_bytes(kinds))
}

/// Bytes of memory with which the layer with `seeds` seeds, and all below it, can be
/// solved for tables of these kinds without a spill file.
pub fn memory_wanted(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    memory_to_import(rules, seeds, kinds) + worklist_bytes(&index, entry_bytes(kinds))
}

/// As [`memory_wanted`], for a layer that is [imported](super::super::Solver::import)
/// from tables whose codec leaves out what moves can tell.
pub fn memory_to_import(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let boards = |n| LayerIndex::new(rules, n).len();
    let quantities = if rules.has_bounds() { 3 } else { 1 };
    // Values: the values and the best conversions. Bounds: two of each beside the
    // values. Distances: what is solved, keys of two bytes, and the conversions.
    let being_solved = match (kinds.contains(&Kind::Distance), quantities) {
        (true, _) => quantities + 3,
        (false, 1) => 2,
        (false, _) => 5,
    };
    let lower: u64 = (0..seeds).map(boards).sum();
    memory_needed(rules, seeds, kinds) + quantities * lower + being_solved * boards(seeds)
}

/// Bytes of an entry while tables of these kinds are computed, at the most.
fn entry_bytes(kinds: &[Kind]) -> usize {
    if kinds.contains(&Kind::Distance) {
        2
    } else {
        1
    }
}

/// Bytes gathered from disk at a time for a layer: enough for large requests, and no
/// more than sections take anyway.
pub(in crate::solve) fn gather_bytes(index: &LayerIndex) -> usize {
    index.largest_section().clamp(1 << 20, 16 << 20)
}

/// The working set while a layer is swept whose entries have `entry` bytes: a
/// section, the best conversions of its boards, what is gathered for it, and lists.
pub(in crate::solve) fn working_set_bytes(index: &LayerIndex, entry: usize) -> u64 {
    let section = index.largest_section() * (entry + 1);
    // When each line last changed, twice; the terminal positions, twice; and the lines of
    // the shares.
    let lists = 8 * rows(index.seeds()) + 40 * u64::from(row::row_count(index.seeds()));
    (section + 2 * gather_bytes(index)) as u64 + lists
}

/// Changes whose effects are computed before they are applied: few enough for the
/// effects to need little memory.
pub(in crate::solve) const CHANGES_PER_BATCH: usize = 1 << 16;

/// Bytes for each board on the worklist: its change, of this round and of the next,
/// in lists that grow by half.
const BYTES_PER_CHANGE: u64 = 48;

/// Bytes of the effects of one change: it has three parents on average. An effect takes up to
/// 24 bytes, in a list with room for more, and again while it is applied.
const EFFECTS_PER_CHANGE: u64 = 200;

/// Bytes that are worth keeping free for a worklist, used once few boards change.
pub(in crate::solve) fn worklist_bytes(index: &LayerIndex, entry: usize) -> u64 {
    if entry == 0 {
        return 0;
    }
    worklist_overhead(index) + index.len() / 128 * BYTES_PER_CHANGE
}

/// How many boards the worklist may hold in the memory that is left, once the
/// working set of the sweeps is freed; half of the list is made before.
pub(in crate::solve) fn worklist_capacity(
    index: &LayerIndex,
    budget: &MemoryBudget,
    entry: usize,
) -> u64 {
    let Some(left) = budget.left() else {
        return u64::MAX;
    };
    let after_sweeps = left + working_set_bytes(index, entry);
    let for_list = after_sweeps.saturating_sub(worklist_overhead(index));
    (for_list / BYTES_PER_CHANGE).min(left / (BYTES_PER_CHANGE / 2))
}

/// Bytes that any worklist takes: the predecessors, and the effects of a batch.
fn worklist_overhead(index: &LayerIndex) -> u64 {
    let batch = (index.len() / 128).min(CHANGES_PER_BATCH as u64);
    predecessors_bytes(index.seeds()) + EFFECTS_PER_CHANGE * batch
}

/// Bytes of a move in the list of predecessors.
pub(in crate::solve) const PREDECESSOR_BYTES: usize = 8;

/// Bytes of the predecessors: each pit of each row is a move, and each row has a
/// start in the list and a count.
fn predecessors_bytes(seeds: u8) -> u64 {
    (PREDECESSOR_BYTES as u64 * ROW as u64 + 5) * rows(seeds)
}

/// Bytes of the moves of one row.
pub(in crate::solve) const ROW_MOVES_BYTES: usize = 52;

/// Bytes of the compiled moves: those of each row, 8 bytes for its line and column,
/// and an allowance for the column maps.
fn moves_bytes(seeds: u8) -> u64 {
    (ROW_MOVES_BYTES as u64 + 8 + 40) * rows(seeds)
}

fn rows(seeds: u8) -> u64 {
    (0..=seeds).map(|k| u64::from(row::row_count(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_budget_is_never_exceeded() {
        let mut budget = MemoryBudget::limited(100, Path::new("spill").into());
        assert!(budget.take(60) && !budget.take(41) && budget.take(40));
        assert_eq!(budget.left(), Some(0));
        budget.give(10);
        budget.take_up_to(25);
        assert_eq!(budget.left(), Some(0));
        assert_eq!(&*budget.folder(), Path::new("spill"));
    }

    #[test]
    fn an_unlimited_budget_gives_whatever_is_asked() {
        let mut budget = MemoryBudget::unlimited();
        assert!(budget.take(u64::MAX) && budget.take(u64::MAX));
        assert_eq!(budget.left(), None);
    }

    #[test]
    fn the_worklist_fits_into_the_memory_that_is_left() {
        let index = LayerIndex::new(Ruleset::AWARI, 16);
        let capacity = |bytes| {
            let budget = MemoryBudget::limited(bytes, Path::new(".").into());
            worklist_capacity(&index, &budget, 1)
        };
        assert_eq!(capacity(0), 0);
        for mib in [1, 4, 16, 64] {
            let bytes = mib << 20;
            assert!(capacity(bytes) * BYTES_PER_CHANGE / 2 <= bytes);
            assert!(capacity(bytes) <= capacity(bytes << 1));
        }
        let unlimited = MemoryBudget::unlimited();
        assert_eq!(worklist_capacity(&index, &unlimited, 1), u64::MAX);
    }

    #[test]
    fn more_seeds_and_distances_need_more_memory() {
        for (_, rules) in Ruleset::NAMED {
            for seeds in 1..=12 {
                let needed = |seeds, kinds: &[Kind]| memory_needed(rules, seeds, kinds);
                let all = needed(seeds, &Kind::ALL);
                assert_eq!(needed(seeds, &[Kind::Distance]), all);
                assert!(needed(seeds, &[Kind::Value, Kind::Bounds]) <= all);
                assert!(needed(seeds - 1, &Kind::ALL) <= all);
                assert!(all < memory_wanted(rules, seeds, &Kind::ALL));
            }
        }
    }
}
