//! Move ordering: the sooner the search tries a good move, the less is left to search.

use crate::rules::{Board, MAX_SEEDS, Moves, Next, ROW, Step};

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

/// The legal pits of a board, in the order in which to search them.
pub(super) struct OrderedPits {
    pits: [u8; ROW],
    len: usize,
}

impl OrderedPits {
    pub fn as_slice(&self) -> &[u8] {
        &self.pits[..self.len]
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.pits[..self.len]
    }
}

impl MoveOrder {
    pub fn new(plies: usize) -> MoveOrder {
        MoveOrder {
            killers: vec![[NONE; 2]; plies],
            history: [[0; SEED_COUNTS]; ROW],
        }
    }

    /// Orders moves: the transposition table's move, then by gain, then by killers and
    /// history.
    pub fn sort(
        &self,
        moves: &Moves,
        board: &Board,
        hash_move: Option<u8>,
        ply: usize,
    ) -> OrderedPits {
        let mut keyed = [(i64::MIN, 0); ROW];
        let mut len = 0;
        for step in moves.legal() {
            let key = match Some(step.pit) == hash_move {
                true => i64::MAX,
                false => self.key(&step, board, ply),
            };
            keyed[len] = (key, step.pit);
            len += 1;
        }
        keyed[..len].sort_unstable_by_key(|&(key, pit)| (std::cmp::Reverse(key), pit));
        OrderedPits {
            pits: keyed.map(|(_, pit)| pit),
            len,
        }
    }

    fn key(&self, step: &Step, board: &Board, ply: usize) -> i64 {
        const GAIN: i64 = 1 << 40;
        const KILLER: i64 = 1 << 36;
        // A player who moves again still has all other moves.
        let again = i64::from(step.next == Next::Again) * 48;
        let gain = i64::from(step.gain) + again;
        let killer = match self.killers[ply] {
            [last, _] if last == step.pit => 2,
            [_, before] if before == step.pit => 1,
            _ => 0,
        };
        let (pit, seeds) = sown(step, board);
        gain * GAIN + killer * KILLER + i64::from(self.history[pit][seeds])
    }

    /// Records a quiet move that caused a cutoff.
    pub fn record_cutoff(&mut self, step: &Step, board: &Board, depth: u8, ply: usize) {
        let [last, before] = &mut self.killers[ply];
        if *last != step.pit {
            (*last, *before) = (step.pit, *last);
        }
        let (pit, seeds) = sown(step, board);
        let weight = &mut self.history[pit][seeds];
        *weight = weight.saturating_add(u32::from(depth) * u32::from(depth));
    }
}

/// The pit of a step and the number of seeds it sows.
fn sown(step: &Step, board: &Board) -> (usize, usize) {
    let pit = usize::from(step.pit);
    (pit, usize::from(board.pits()[pit]))
}
