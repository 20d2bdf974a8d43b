//! Probing many boards at once.
//!
//! Boards are probed in the order of their layers and indexes, so that each unit is decoded
//! about once.

#[cfg(feature = "solve")]
use rayon::prelude::*;

use super::result::{ProbeError, ProbeResult};
use super::tables::Tablebase;
use crate::rules::Board;

impl Tablebase {
    /// Probes many boards; the results are in the order of the boards. With the feature
    /// `solve` all threads of the rayon pool probe, else the calling thread.
    pub fn probe_all(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
        /// Boards that a thread probes at a time.
        #[cfg(feature = "solve")]
        const PORTION: usize = 1024;
        let mut order: Vec<usize> = (0..boards.len()).collect();
        let place = |&i: &usize| {
            let seeds = boards[i].seeds();
            (seeds, self.index(seeds).index(&boards[i]))
        };
        let probe = |&i: &usize| (i, self.probe(&boards[i]));
        #[cfg(feature = "solve")]
        let mut results: Vec<_> = {
            order.par_sort_by_cached_key(place);
            let portions = order.par_chunks(PORTION);
            portions
                .flat_map_iter(|portion| portion.iter().map(probe))
                .collect()
        };
        #[cfg(not(feature = "solve"))]
        let mut results: Vec<_> = {
            order.sort_by_cached_key(place);
            order.iter().map(probe).collect()
        };
        results.sort_unstable_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
