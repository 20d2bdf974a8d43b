//! Probing many boards at once.

#[cfg(feature = "solve")]
use rayon::prelude::*;

use super::result::{ProbeError, ProbeResult};
use super::tables::Tablebase;
use crate::rules::Board;

/// Boards that a thread probes at a time.
const PORTION: usize = 1024;

impl Tablebase {
    /// Probes many boards; the results are in the order of the boards. They are probed
    /// in the order of their layers and indexes, so that each unit is decoded about
    /// once; with the feature `solve` by all threads of the rayon pool, else by the
    /// calling thread.
    pub fn probe_all(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
        let mut order: Vec<usize> = (0..boards.len()).collect();
        let place = |&i: &usize| {
            let seeds = boards[i].seeds();
            (seeds, self.index(seeds).index(&boards[i]))
        };
        #[cfg(feature = "solve")]
        order.par_sort_by_cached_key(place);
        #[cfg(not(feature = "solve"))]
        order.sort_by_cached_key(place);
        let probe = |portion: &[usize]| {
            let mut prober = self.prober();
            let probe = |&i: &usize| (i, prober.probe(&boards[i]));
            portion.iter().map(probe).collect::<Vec<_>>()
        };
        #[cfg(feature = "solve")]
        let mut results: Vec<_> = order.par_chunks(PORTION).flat_map_iter(probe).collect();
        #[cfg(not(feature = "solve"))]
        let mut results: Vec<_> = order.chunks(PORTION).flat_map(probe).collect();
        results.sort_unstable_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
