//! Move ordering: the sooner the search tries a good move, the less is left to search.

use super::packed::MoveList;
use crate::rules::{COUNTS, Next, PackedBoard, ROW, Ruleset};

/// Killer moves and the history heuristic.
pub(super) struct MoveOrder {
    /// By ply, what is added to the rank of each pit's move: [`LAST_KILLER`] for the pit that
    /// caused the last cutoff, [`KILLER`] for the one before.
    killers: Vec<[i64; ROW]>,
    /// By pit and number of seeds in it, how often and how deep it caused a cutoff.
    history: [[u32; COUNTS]; ROW],
}

const GAIN: i64 = 1 << 40;
const KILLER: i64 = 1 << 36;
const LAST_KILLER: i64 = 2 * KILLER;

impl MoveOrder {
    pub fn new(plies: usize) -> MoveOrder {
        MoveOrder {
            killers: vec![[0; ROW]; plies],
            history: [[0; COUNTS]; ROW],
        }
    }

    /// The ranks of the moves of a board, by pit, the highest first: by gain, then by killers
    /// and history.
    #[inline(always)]
    pub fn ranks(
        &self,
        moves: &MoveList,
        rules: Ruleset,
        board: PackedBoard,
        ply: usize,
    ) -> [i64; ROW] {
        let mut ranks = self.killers[ply];
        let history = self.history.iter().enumerate();
        for ((rank, found), (pit, history)) in ranks.iter_mut().zip(moves.by_pit()).zip(history) {
            let weight = history[usize::from(board.seeds_in(pit as u8)) % COUNTS];
            *rank += i64::from(found.gain) * GAIN + i64::from(weight);
        }
        if matches!(rules, Ruleset::Stores(_)) {
            // A player who moves again still has all other moves.
            for (rank, found) in ranks.iter_mut().zip(moves.by_pit()) {
                *rank += i64::from(found.next == Next::Again) * 48 * GAIN;
            }
        }
        ranks
    }

    /// Records a quiet move that caused a cutoff.
    pub fn record_cutoff(&mut self, pit: usize, board: PackedBoard, depth: u8, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[pit] != LAST_KILLER {
            *killers = killers.map(|killer| if killer == LAST_KILLER { KILLER } else { 0 });
            killers[pit] = LAST_KILLER;
        }
        let weight = &mut self.history[pit][usize::from(board.seeds_in(pit as u8)) % COUNTS];
        *weight = weight.saturating_add(u32::from(depth) * u32::from(depth));
    }
}
