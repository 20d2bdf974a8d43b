//! Many boards at once: asked in the order in which tables have them.

use rayon::prelude::*;

use super::probe::{ProbeError, ProbeResult, Tablebase};
use crate::rules::Board;

impl Tablebase {
    /// What each of some boards is worth, in their order. They are asked in the
    /// order of their layers and indexes, so that each piece is decoded about
    /// once, and by all threads of the rayon pool.
    pub fn probe_all(&self, boards: &[Board]) -> Vec<Result<ProbeResult, ProbeError>> {
        /// Boards that a thread takes at a time.
        const PORTION: usize = 1024;
        let place = |board: &Board| {
            let seeds = board.seeds();
            (seeds, self.index(seeds).index(board))
        };
        let mut order: Vec<_> = (0..boards.len()).map(|i| (place(&boards[i]), i)).collect();
        order.par_sort_unstable();
        let mut answers: Vec<_> = order
            .par_chunks(PORTION)
            .flat_map_iter(|portion| {
                let mut prober = self.prober();
                let asked = portion.iter();
                asked
                    .map(move |&(_, i)| (i, prober.probe(&boards[i])))
                    .collect::<Vec<_>>()
            })
            .collect();
        answers.par_sort_unstable_by_key(|&(i, _)| i);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}
