//! The moves of a node: in which order to search them, and how deep. The sooner the search tries
//! a good move, the less is left to search.

use std::array;

use super::node::Node;
use super::packed::{Move, MoveList};
use crate::rules::{Next, ROW, Ruleset};

/// Picks the moves of a node in the order in which to search them.
pub(super) struct MovePicker {
    list: MoveList,
    /// The pits of the moves in the order in which they are picked; the first `count` are legal.
    pits: [u8; ROW],
    count: usize,
    /// How many of these have been picked.
    picked: usize,
}

impl MovePicker {
    /// A picker without moves.
    #[inline(always)]
    pub fn new() -> MovePicker {
        MovePicker {
            list: MoveList::new(),
            pits: [0; ROW],
            count: 0,
            picked: 0,
        }
    }

    /// Makes the legal moves of a node and orders them. In place, since a picker is large.
    #[inline(always)]
    pub fn make_moves(&mut self, rules: Ruleset, node: &Node, killers: &Killers) {
        self.list.fill(rules, node.board, node.seeds);
        let legal = self.list.legal();
        let ranks = killers.ranks(&self.list, rules, node.ply);
        // No two pits have the same key. Of equal ranks, the first pit comes first.
        let keys: [i16; ROW] = array::from_fn(|pit| match legal >> pit & 1 {
            1 => ranks[pit] * 8 + (ROW - pit) as i16,
            _ => i16::MIN + pit as i16,
        });
        // A pit's place is the number of larger keys. For all pits and without branches: the
        // processor could guess neither their number nor their order.
        for pit in 0..ROW {
            let place: usize = keys.iter().map(|&key| usize::from(key > keys[pit])).sum();
            self.pits[place % ROW] = pit as u8;
        }
        self.count = legal.count_ones() as usize;
    }

    /// The moves of some pits that may be played, in this order.
    pub fn in_order(list: MoveList, pits: impl Iterator<Item = u8>) -> MovePicker {
        let mut picker = MovePicker {
            list,
            ..MovePicker::new()
        };
        for (place, pit) in picker.pits.iter_mut().zip(pits) {
            *place = pit;
            picker.count += 1;
        }
        picker
    }

    /// The moves of the node.
    pub fn moves(&self) -> &MoveList {
        &self.list
    }

    /// Moves the move of a pit, if it is legal, before all others. Returns whether it was not
    /// the first already.
    #[inline]
    pub fn put_first(&mut self, pit: u8) -> bool {
        match self.pits[..self.count].iter().position(|&p| p == pit) {
            None | Some(0) => false,
            Some(at) => {
                self.pits[..=at].rotate_right(1);
                true
            }
        }
    }

    /// The value of a terminal position; `None` if there is a legal move.
    pub fn over(&self) -> Option<i8> {
        self.list.over()
    }

    /// Whether there are moves left to pick.
    pub fn has_more(&self) -> bool {
        self.picked < self.count
    }

    /// The next move, without picking it.
    #[inline(always)]
    pub fn peek(&self) -> Option<&Move> {
        let &pit = self.pits[..self.count].get(self.picked)?;
        self.list.by_pit().get(usize::from(pit))
    }

    /// Makes the first of the moves left that is not to be deferred the next one, if there is
    /// any.
    #[inline(never)]
    pub fn defer(&mut self, is_deferred: impl Fn(&Move) -> bool) {
        let left = self
            .pits
            .get_mut(self.picked..self.count)
            .unwrap_or_default();
        let is_free = |&pit: &u8| !is_deferred(&self.list.by_pit()[usize::from(pit)]);
        if let Some(free) = left.iter().position(is_free) {
            left[..=free].rotate_right(1);
        }
    }

    /// Picks the next move.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Move> {
        let next = *self.peek()?;
        self.picked += 1;
        Some(next)
    }
}

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

/// Late move reductions: in a good order late quiet moves are rarely the best, so they are
/// searched less deep first. Returns the plies by which to reduce the search of a quiet move:
/// the `number`-th of its board from 0 on, which is searched to `depth`.
#[inline(always)]
pub(super) fn reduction(depth: u8, number: usize, is_pv: bool) -> u8 {
    let deep = u8::from(depth >= 7) + u8::from(depth >= 13);
    let late = u8::from(number >= 3);
    let reduced = if is_pv {
        late + deep / 2
    } else {
        1 + late + deep
    };
    reduced.min(depth.saturating_sub(2)) * u8::from(number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Game;
    use crate::engine::test_random::Lcg;
    use crate::rules::{Board, PITS};

    fn picker(rules: Ruleset, board: Board) -> MovePicker {
        let node = Node::root(&Game::at(rules, &board.into()).unwrap());
        let mut picker = MovePicker::new();
        picker.make_moves(rules, &node, &Killers::new(1));
        picker
    }

    #[test]
    fn every_legal_move_is_picked_once_and_the_hash_move_first() {
        let mut random = Lcg(3);
        for (_, rules) in Ruleset::NAMED {
            for round in 0..2000 {
                let mut pits = [0; PITS];
                (0..round % 49).for_each(|_| pits[random.below(PITS)] += 1);
                let board = Board::new(pits).unwrap();
                let legal: Vec<u8> = rules.moves(&board).legal().map(|step| step.pit).collect();
                for hash in legal.iter().map(|&pit| Some(pit)).chain([None]) {
                    let mut picker = picker(rules, board);
                    hash.map(|pit| picker.put_first(pit));
                    let mut found = Vec::new();
                    while picker.has_more() {
                        found.extend(picker.next().map(|step| step.pit));
                    }
                    assert!(picker.next().is_none());
                    if let Some(hash) = hash {
                        assert_eq!(found.first(), Some(&hash), "{rules}: {board:?}");
                    }
                    let mut sorted = found.clone();
                    sorted.sort_unstable();
                    assert_eq!(sorted, legal, "{rules}: {board:?} {found:?}");
                }
            }
        }
    }

    /// Those that gain most first, then the killers; of equal moves, the first pit.
    #[test]
    fn moves_are_picked_by_gain_and_killers() {
        let rules = Ruleset::AWARI;
        let board: Board = "1 0 1 1 1 2 / 2 2 0 0 0 9".parse().unwrap();
        let node = Node::root(&Game::at(rules, &board.into()).unwrap());
        let mut killers = Killers::new(1);
        killers.record_cutoff(2, 0);
        killers.record_cutoff(3, 0);
        let mut picker = MovePicker::new();
        picker.make_moves(rules, &node, &killers);
        let picked: Vec<u8> = std::iter::from_fn(|| Some(picker.next()?.pit)).collect();
        assert_eq!(picked, [5, 3, 2, 0, 4]);
    }

    #[test]
    fn deferred_moves_come_last() {
        let mut picker = picker(Ruleset::ABAPA, Board::START);
        picker.put_first(4);
        let mut pits = Vec::new();
        while picker.has_more() {
            picker.defer(|step| step.pit == 0);
            pits.extend(picker.next().map(|step| step.pit));
        }
        assert_eq!(pits, [4, 1, 2, 3, 5, 0]);
    }
}
