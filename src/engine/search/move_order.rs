//! Move ordering: the sooner the search tries a good move, the less is left to search.

use super::packed::Move;
use crate::rules::{MAX_SEEDS, Next, PackedBoard, ROW};

/// Killer moves and the history heuristic.
pub(super) struct MoveOrder {
    /// By ply, the two pits that caused the last cutoffs.
    killers: Vec<[u8; 2]>,
    /// By pit and number of seeds in it, how often and how deep it caused a cutoff.
    history: [[u32; SEED_COUNTS]; ROW],
}

/// Numbers of seeds that a pit may hold.
const SEED_COUNTS: usize = MAX_SEEDS as usize + 1;
/// No pit.
const NONE: u8 = u8::MAX;

impl MoveOrder {
    pub fn new(plies: usize) -> MoveOrder {
        MoveOrder {
            killers: vec![[NONE; 2]; plies],
            history: [[0; SEED_COUNTS]; ROW],
        }
    }

    /// The rank of a move, the highest first: by gain, then by killers and history.
    #[inline]
    pub fn rank(&self, found: &Move, board: PackedBoard, ply: usize) -> i64 {
        const GAIN: i64 = 1 << 40;
        const KILLER: i64 = 1 << 36;
        // A player who moves again still has all other moves.
        let again = i64::from(found.next == Next::Again) * 48;
        let gain = i64::from(found.gain) + again;
        let [last, before] = self.killers[ply].map(|pit| i64::from(pit == found.pit));
        let (pit, seeds) = sown(found, board);
        gain * GAIN + (2 * last + before) * KILLER + i64::from(self.history[pit][seeds])
    }

    /// Records a quiet move that caused a cutoff.
    pub fn record_cutoff(&mut self, found: &Move, board: PackedBoard, depth: u8, ply: usize) {
        let [last, before] = &mut self.killers[ply];
        if *last != found.pit {
            (*last, *before) = (found.pit, *last);
        }
        let (pit, seeds) = sown(found, board);
        let weight = &mut self.history[pit][seeds];
        *weight = weight.saturating_add(u32::from(depth) * u32::from(depth));
    }
}

/// The pit of a move and the number of seeds it sows.
fn sown(found: &Move, board: PackedBoard) -> (usize, usize) {
    (
        usize::from(found.pit),
        usize::from(board.seeds_in(found.pit)),
    )
}
