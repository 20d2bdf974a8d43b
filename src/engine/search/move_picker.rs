//! The moves of a node, one after the other in their order.

use std::array;

use super::move_order::Killers;
use super::packed::{Move, MoveList};
use crate::rules::{PackedBoard, ROW, Ruleset};

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

    /// Makes the legal moves of a board that holds `seeds` seeds, and orders them. In place,
    /// since a picker is large.
    #[inline(always)]
    pub fn make_moves(
        &mut self,
        rules: Ruleset,
        board: PackedBoard,
        seeds: u8,
        killers: &Killers,
        ply: usize,
    ) {
        self.list.fill(rules, board, seeds);
        let legal = self.list.legal();
        let ranks = killers.ranks(&self.list, rules, ply);
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
    pub fn in_order(list: MoveList, pits: &[u8]) -> MovePicker {
        let mut picker = MovePicker {
            list,
            count: pits.len(),
            ..MovePicker::new()
        };
        picker.pits[..pits.len()].copy_from_slice(pits);
        picker
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_random::Lcg;
    use crate::rules::{Board, PITS};

    fn picked(rules: Ruleset, board: &Board, killers: &Killers, hash: Option<u8>) -> Vec<u8> {
        let packed = PackedBoard::of(board);
        let mut picker = MovePicker::new();
        picker.make_moves(rules, packed, board.seeds(), killers, 0);
        if let Some(pit) = hash {
            picker.put_first(pit);
        }
        let mut pits = Vec::new();
        while picker.has_more() {
            pits.extend(picker.next().map(|found| found.pit));
        }
        assert!(picker.next().is_none());
        pits
    }

    #[test]
    fn every_legal_move_is_picked_once_and_the_hash_move_first() {
        let killers = Killers::new(1);
        let mut random = Lcg(3);
        for (_, rules) in Ruleset::NAMED {
            for round in 0..2000 {
                let mut pits = [0; PITS];
                (0..round % 49).for_each(|_| pits[random.below(PITS)] += 1);
                let board = Board::new(pits).unwrap();
                let legal: Vec<u8> = rules.moves(&board).legal().map(|step| step.pit).collect();
                for hash in legal.iter().map(|&pit| Some(pit)).chain([None]) {
                    let found = picked(rules, &board, &killers, hash);
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

    #[test]
    fn deferred_moves_come_last() {
        let killers = Killers::new(1);
        let board = PackedBoard::of(&Board::START);
        let rules = Ruleset::ABAPA;
        let mut picker = MovePicker::new();
        picker.make_moves(rules, board, 48, &killers, 0);
        picker.put_first(4);
        let mut pits = Vec::new();
        while picker.has_more() {
            picker.defer(|found| found.pit == 0);
            pits.extend(picker.next().map(|found| found.pit));
        }
        assert_eq!(pits, [4, 1, 2, 3, 5, 0]);
    }
}
