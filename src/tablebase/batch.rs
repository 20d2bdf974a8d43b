//! Probing many boards at once.
//!
//! Boards are probed in the order of their layers and indexes, so that each unit is decoded
//! about once. With the feature `solve`, layers of which a batch has many boards are loaded
//! whole instead ([`WholeLayers`]), so that a probe is a look into an array.

#[cfg(feature = "solve")]
use rayon::prelude::*;

use super::result::{ProbeError, ProbeResult};
use super::tables::Tablebase;
#[cfg(feature = "solve")]
use super::whole_layers::WholeLayers;
use crate::rules::Board;

/// Boards that a thread probes at a time.
const PORTION: usize = 1024;

impl Tablebase {
    /// Probes many boards; the results are in the order of the boards. With the feature
    /// `solve` all threads of the rayon pool probe, else the calling thread.
    ///
    /// Where a batch has many boards of low layers, these layers are loaded whole, which
    /// takes at most sixteen bytes of memory for each board of the batch.
    pub fn probe_all(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
        #[cfg(feature = "solve")]
        if let Some(layers) = WholeLayers::load(self, boards) {
            return self.probe_with(&layers, boards);
        }
        self.probe_sorted(boards)
    }

    /// Probes boards of which most are of loaded layers.
    #[cfg(feature = "solve")]
    fn probe_with(
        &self,
        layers: &WholeLayers,
        boards: &[Board],
    ) -> Vec<Result<ProbeResult, ProbeError>> {
        let found = boards.par_iter().map(|board| layers.probe(board));
        let found: Vec<Option<ProbeResult>> = found.collect();
        let others = boards.iter().zip(&found);
        let others = others.filter(|(_, found)| found.is_none());
        let others: Vec<Board> = others.map(|(board, _)| *board).collect();
        let mut others = self.probe_sorted(&others).into_iter();
        let of_others = |found: Option<ProbeResult>| match found {
            Some(result) => Ok(result),
            None => others.next().expect("a result for each other board"),
        };
        found.into_iter().map(of_others).collect()
    }

    /// Probes boards one by one, in the order of the tables.
    fn probe_sorted(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
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
