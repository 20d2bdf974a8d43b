//! Checks before the work, which may take hours: whether all tables exist, and whether the
//! layers fit into memory.

use super::{VerifyError, VerifyOptions};
use crate::table::{Kind, Table};
use crate::tablebase::cache::DEFAULT_BYTES;
use crate::tablebase::layers::kinds_of;
use crate::tablebase::memory::PROGRAM;
use crate::tablebase::tables::Tablebase;

impl Tablebase {
    /// Checks that there are values, and bounds where the ruleset has them.
    pub(super) fn check_all_there(&self, highest: u8) -> Result<(), VerifyError> {
        let rules = self.rules();
        for seeds in 0..=highest {
            for kind in kinds_of(rules, false) {
                if !self.has(seeds, kind) {
                    return Err(VerifyError::Missing {
                        rules,
                        seeds,
                        highest,
                        kind,
                    });
                }
            }
        }
        Ok(())
    }

    /// Checks that the layers fit into memory.
    pub(super) fn check_memory(&self, options: &VerifyOptions) -> Result<(), VerifyError> {
        let needed = |seeds| self.memory_to_verify(seeds, options);
        match options.memory {
            Some(allowed) if needed(options.seeds) > allowed => Err(VerifyError::Memory {
                seeds: options.seeds,
                needed: needed(options.seeds),
                allowed,
                fits: (0..options.seeds)
                    .rev()
                    .find(|&seeds| needed(seeds) <= allowed),
            }),
            _ => Ok(()),
        }
    }

    /// Bytes needed to verify the layers up to `highest`: to read them, then to hold the
    /// values and bounds of each, the distances or foundation bits of the layer being
    /// checked, and decoded units where boards are probed.
    fn memory_to_verify(&self, highest: u8, options: &VerifyOptions) -> u64 {
        let planes = if self.rules().has_bounds() { 3 } else { 1 };
        let (mut most, mut held, mut cache) = (0, 0, 0);
        let (mut to_load, mut pieces) = (0, 0);
        for seeds in 0..=highest {
            let boards = self.index(seeds).len();
            if options.sampled(boards).is_some() {
                cache = DEFAULT_BYTES;
                break;
            }
            held += planes * boards;
            let distance = match self.has(seeds, Kind::Distance) {
                true => boards,
                false => 0,
            };
            let bits = self.to_settle(seeds).max(1) * boards.div_ceil(8);
            if self.leaves_to_moves(seeds) {
                // The bookkeeping of a unit takes about as much again as its entries.
                pieces = DEFAULT_BYTES.min(2 * (held + distance));
            }
            most = most.max(held + distance + bits + pieces);
            to_load = self.memory_to_load(seeds);
        }
        to_load.max(PROGRAM + most.max(cache))
    }

    /// Numbers of each board that have to be founded: values without distances, and both
    /// bounds.
    fn to_settle(&self, seeds: u8) -> u64 {
        let values = u64::from(!self.has(seeds, Kind::Distance));
        let bounds = if self.rules().has_bounds() { 2 } else { 0 };
        values + bounds
    }

    /// How many boards, or numbers of boards, [`Tablebase::verify`] reports to its observer
    /// for each layer, if no table is damaged and no board fails.
    pub fn verify_steps(&self, options: &VerifyOptions) -> Vec<u64> {
        let steps = |seeds: u8| {
            let boards = self.index(seeds).len();
            let stored = |kind| self.table(seeds, kind).map_or(0, Table::stored_entries);
            match options.sampled(boards) {
                Some(count) => Kind::ALL.map(stored).iter().sum::<u64>() + count,
                None => {
                    let probed = u64::from(self.leaves_to_moves(seeds));
                    boards * (1 + probed + self.to_settle(seeds))
                }
            }
        };
        (0..=options.seeds).map(steps).collect()
    }
}
