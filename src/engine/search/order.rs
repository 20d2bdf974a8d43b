//! Which move to try first: the sooner a good one, the less is left to search.

use crate::rules::{Board, MAX_SEEDS, Moves, Next, ROW, Step};

/// What the search has learned about quiet moves.
pub(super) struct Order {
    /// For each ply the two pits that last cut.
    killers: Vec<[u8; 2]>,
    /// How well a pit with so many seeds did.
    history: [[u32; SOWN]; ROW],
}

/// How many seeds a pit may hold, and none.
const SOWN: usize = MAX_SEEDS as usize + 1;
/// No pit.
const NONE: u8 = u8::MAX;

/// The legal pits of a board, in the order in which to try them.
pub(super) struct Pits {
    pits: [u8; ROW],
    len: usize,
}

impl Pits {
    pub fn as_slice(&self) -> &[u8] {
        &self.pits[..self.len]
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.pits[..self.len]
    }
}

impl Order {
    pub fn new(plies: usize) -> Order {
        Order {
            killers: vec![[NONE; 2]; plies],
            history: [[0; SOWN]; ROW],
        }
    }

    /// Orders moves: `first`, then by what they take, then by what is known of them.
    pub fn of(&self, moves: &Moves, board: &Board, first: Option<u8>, ply: usize) -> Pits {
        let mut keyed = [(i64::MIN, 0); ROW];
        let mut len = 0;
        for step in moves.legal() {
            let key = match Some(step.pit) == first {
                true => i64::MAX,
                false => self.key(&step, board, ply),
            };
            keyed[len] = (key, step.pit);
            len += 1;
        }
        keyed[..len].sort_unstable_by_key(|&(key, pit)| (std::cmp::Reverse(key), pit));
        Pits {
            pits: keyed.map(|(_, pit)| pit),
            len,
        }
    }

    fn key(&self, step: &Step, board: &Board, ply: usize) -> i64 {
        const GAIN: i64 = 1 << 40;
        const KILLER: i64 = 1 << 36;
        // Who moves again keeps the choice among all his other moves.
        let again = i64::from(step.next == Next::Again) * 48;
        let gain = i64::from(step.gain) + again;
        let killer = match self.killers[ply] {
            [last, _] if last == step.pit => 2,
            [_, before] if before == step.pit => 1,
            _ => 0,
        };
        let (pit, seeds) = place(step, board);
        gain * GAIN + killer * KILLER + i64::from(self.history[pit][seeds])
    }

    /// Notes that a quiet move was too good for the opponent.
    pub fn cut(&mut self, step: &Step, board: &Board, depth: u8, ply: usize) {
        let [last, before] = &mut self.killers[ply];
        if *last != step.pit {
            (*last, *before) = (step.pit, *last);
        }
        let (pit, seeds) = place(step, board);
        let worth = &mut self.history[pit][seeds];
        *worth = worth.saturating_add(u32::from(depth) * u32::from(depth));
    }
}

/// The pit of a step and the seeds it sows.
fn place(step: &Step, board: &Board) -> (usize, usize) {
    let pit = usize::from(step.pit);
    (pit, usize::from(board.pits()[pit]))
}
