//! Move ordering: the sooner the search tries a good move, the less is left to search.

use super::packed::MoveList;
use crate::rules::{Next, ROW, Ruleset};

/// The killer heuristic: the quiet moves that caused the last two cutoffs at a ply are likely to
/// cause others there.
pub(super) struct Killers {
    /// By ply, what each pit's move adds to its rank: [`LAST`] for the pit of the last cutoff,
    /// [`BEFORE`] for that of the one before.
    by_ply: Vec<[i16; ROW]>,
}

const BEFORE: i16 = 1;
const LAST: i16 = 2;
/// The rank of a seed gained, more than that of any killer.
const GAIN: i16 = 4;

impl Killers {
    pub fn new(plies: usize) -> Killers {
        Killers {
            by_ply: vec![[0; ROW]; plies],
        }
    }

    /// The ranks of the moves of a board at a ply, by pit, the highest first: by gain, then by
    /// killers.
    #[inline(always)]
    pub fn ranks(&self, moves: &MoveList, rules: Ruleset, ply: usize) -> [i16; ROW] {
        let mut ranks = self.by_ply[ply];
        for (rank, found) in ranks.iter_mut().zip(moves.by_pit()) {
            *rank += i16::from(found.gain) * GAIN;
        }
        if matches!(rules, Ruleset::Stores(_)) {
            // A player who moves again still has all other moves.
            for (rank, found) in ranks.iter_mut().zip(moves.by_pit()) {
                *rank += i16::from(found.next == Next::Again) * 48 * GAIN;
            }
        }
        ranks
    }

    /// Records a quiet move that caused a cutoff.
    pub fn record_cutoff(&mut self, pit: u8, ply: usize) {
        let (killers, pit) = (&mut self.by_ply[ply], usize::from(pit));
        if killers[pit] != LAST {
            *killers = killers.map(|killer| if killer == LAST { BEFORE } else { 0 });
            killers[pit] = LAST;
        }
    }
}
