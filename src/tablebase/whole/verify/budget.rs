//! How much memory and how many steps a verification takes.

use super::VerifyOptions;
use super::probed::probed;
use crate::solve::Memory;
use crate::solve::certificate::{check_bytes, given_bytes};
use crate::table::{Kind, Table};
use crate::tablebase::cache::DEFAULT_BYTES;
use crate::tablebase::tables::Tablebase;

/// Bytes for the program itself, for blocks that are being decoded, and for freed memory that the
/// allocator keeps.
const PROGRAM: u64 = 32 << 20;

impl Tablebase {
    /// Bytes needed to verify the layers up to `highest`, with all arrays in files.
    pub(super) fn memory_to_verify(&self, highest: u8, options: &VerifyOptions) -> u64 {
        let options = VerifyOptions {
            seeds: highest,
            ..*options
        };
        PROGRAM + self.memory_beside_arrays(&options)
    }

    /// Bytes that checking a layer takes beside arrays, and decoded tiles where boards are probed.
    pub(super) fn memory_beside_arrays(&self, options: &VerifyOptions) -> u64 {
        let rules = self.rules();
        let planes = if rules.has_bounds() { 3 } else { 1 };
        let mut most = 0;
        for seeds in 0..=options.seeds {
            let boards = self.index(seeds).len();
            if options.sampled(boards).is_some() {
                most = most.max(DEFAULT_BYTES);
                break;
            }
            let has_distances = self.tables(seeds).has(Kind::Distance);
            let check = check_bytes(rules, self.index(seeds));
            let tiles = match self.leaves_to_moves(seeds) {
                // The bookkeeping of a tile takes about as much again as its entries.
                true => {
                    let distances = u64::from(has_distances) * boards;
                    DEFAULT_BYTES.min(2 * (planes * self.boards_up_to(seeds) + distances))
                }
                false => 0,
            };
            most = most.max(check + tiles);
        }
        most
    }

    /// The memory for the arrays of the layer that is checked, which come first, and for layers
    /// that have been checked.
    pub(super) fn memory_for_arrays(&self, options: &VerifyOptions) -> [Memory; 2] {
        let mut memory = match options.memory {
            None => Memory::unlimited(),
            Some(allowed) => {
                let needed = self.memory_to_verify(options.seeds, options);
                Memory::limited(allowed.saturating_sub(needed), std::env::temp_dir().into())
            }
        };
        let has_distances = |seeds| self.tables(seeds).has(Kind::Distance);
        let most = (0..=options.seeds)
            .map(|seeds| given_bytes(self.rules(), self.index(seeds), has_distances(seeds)));
        let of_check = memory.set_aside(most.max().unwrap_or(0));
        [of_check, memory]
    }

    /// Numbers of each board that have to be founded: values without distances, and both
    /// bounds. Where endless play counts by row, all of them are, for each player.
    fn to_found(&self, seeds: u8) -> u64 {
        let rules = self.rules();
        if rules.oware().is_none() {
            // No board of the store family repeats.
            return 0;
        }
        let values = u64::from(!self.tables(seeds).has(Kind::Distance));
        match (rules.counts_loops(), rules.has_bounds()) {
            (true, _) => 2 * 3,
            (false, true) => values + 2,
            (false, false) => values,
        }
    }

    /// How many boards, or numbers of boards, [`Tablebase::verify`] reports to its observer
    /// for each layer, if no table is damaged and no board fails.
    pub fn verify_steps(&self, options: &VerifyOptions) -> Vec<u64> {
        let steps = |seeds: u8| {
            let boards = self.index(seeds).len();
            let stored = |kind| self.table(seeds, kind).map_or(0, Table::stored_entries);
            if let Some(count) = options.sampled(boards) {
                return Kind::ALL.iter().copied().map(stored).sum::<u64>() + count;
            }
            // Two passes over each quantity, and one over distances; those that a table
            // leaves to the moves take another.
            let quantities = if self.rules().has_bounds() { 3 } else { 1 };
            // Upper bounds are compared with conversions before each foundation.
            let again = u64::from(self.rules().counts_loops());
            let distances = match self.table(seeds, Kind::Distance) {
                Some(table) if table.codec().is_exact() => boards,
                Some(table) => boards + table.stored_entries(),
                None => 0,
            };
            let probed = match self.leaves_to_moves(seeds) {
                true => probed(boards),
                false => 0,
            };
            boards * (2 * quantities + again + self.to_found(seeds)) + distances + probed
        };
        (0..=options.seeds).map(steps).collect()
    }
}
