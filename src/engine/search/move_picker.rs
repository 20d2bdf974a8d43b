//! The moves of a node, one after the other. Each step is done only when it is needed:
//! the transposition table's move is made alone, since it often ends the search of its
//! node; the others are made and ordered after it.

use super::move_order::MoveOrder;
use super::packed::{Move, MoveList, PackedBoard, common_move, moves};
use crate::rules::{ROW, Ruleset};

/// Picks the moves of a node in the order in which to search them.
pub(super) struct MovePicker {
    rules: Ruleset,
    board: PackedBoard,
    seeds: u8,
    stage: Stage,
    list: MoveList,
    /// The rank of each move: the highest comes first.
    keys: [i64; ROW],
    picked: usize,
    hash_move: Option<u8>,
}

/// What is known of the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The transposition table's move is the only one, and not picked yet.
    HashMove,
    /// It has been picked; the others are not made.
    OthersToMake,
    /// All are made; they have no keys yet.
    Made,
    /// All are made and have keys.
    Ordered,
}

impl MovePicker {
    /// The legal moves of a board that holds `seeds` seeds.
    pub fn new(rules: Ruleset, board: PackedBoard, seeds: u8, hash_move: Option<u8>) -> MovePicker {
        let first = hash_move.and_then(|pit| common_move(rules, board, seeds, pit));
        let (stage, list) = match first {
            Some(first) => (Stage::HashMove, MoveList::of(first)),
            None => (Stage::Made, moves(rules, board, seeds)),
        };
        MovePicker {
            rules,
            board,
            seeds,
            stage,
            list,
            keys: [0; ROW],
            picked: 0,
            hash_move,
        }
    }

    /// Some moves of a board in their order.
    pub fn in_order(rules: Ruleset, board: PackedBoard, seeds: u8, list: MoveList) -> MovePicker {
        MovePicker {
            rules,
            board,
            seeds,
            stage: Stage::Ordered,
            list,
            keys: [5, 4, 3, 2, 1, 0],
            picked: 0,
            hash_move: None,
        }
    }

    /// The value of a terminal position; `None` if there is a legal move.
    pub fn over(&self) -> Option<i8> {
        self.list.over()
    }

    /// Whether there may be moves left to pick.
    pub fn has_more(&self) -> bool {
        match self.stage {
            Stage::HashMove | Stage::OthersToMake => true,
            Stage::Made | Stage::Ordered => self.picked < self.list.as_slice().len(),
        }
    }

    /// The next move: the first of those left that is not to be deferred, or the first of
    /// all. Calls `on_made` with each move, as soon as it is made.
    pub fn next(
        &mut self,
        order: &MoveOrder,
        ply: usize,
        is_deferred: impl Fn(&Move) -> bool,
        on_made: impl Fn(&Move),
    ) -> Option<Move> {
        if self.stage == Stage::HashMove {
            self.stage = Stage::OthersToMake;
            let first = self.list.as_slice().first();
            first.inspect(|first| on_made(first)).copied()
        } else {
            if self.stage != Stage::Ordered {
                self.order(order, ply, on_made);
            }
            let left = self.picked..self.list.as_slice().len();
            let rank = |&number: &usize| self.keys[number];
            let is_free = |&number: &usize| !is_deferred(&self.list.as_slice()[number]);
            let best = match left.clone().max_by_key(rank)? {
                best if is_free(&best) => best,
                best => left.filter(is_free).max_by_key(rank).unwrap_or(best),
            };
            Some(self.pick(best))
        }
    }

    /// Makes the moves that are still to be made, and orders all.
    fn order(&mut self, order: &MoveOrder, ply: usize, on_made: impl Fn(&Move)) {
        let first_is_picked = self.stage == Stage::OthersToMake;
        if first_is_picked {
            self.list = moves(self.rules, self.board, self.seeds);
        }
        self.stage = Stage::Ordered;
        let mut first = None;
        for (number, found) in self.list.as_slice().iter().enumerate() {
            if Some(found.pit) == self.hash_move {
                first = Some(number);
                self.keys[number] = i64::MAX;
            } else {
                self.keys[number] = order.key(found, self.board, ply);
            }
            on_made(found);
        }
        if let (true, Some(first)) = (first_is_picked, first) {
            self.pick(first);
        }
    }

    fn pick(&mut self, number: usize) -> Move {
        let at = self.picked;
        self.keys.swap(at, number);
        self.list.as_mut_slice().swap(at, number);
        self.picked += 1;
        self.list.as_slice()[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_random::Lcg;
    use crate::rules::{Board, PITS};

    fn picked(rules: Ruleset, board: &Board, order: &MoveOrder, hash: Option<u8>) -> Vec<u8> {
        let packed = PackedBoard::of(board);
        let mut picker = MovePicker::new(rules, packed, board.seeds(), hash);
        let mut pits = Vec::new();
        while picker.has_more() {
            match picker.next(order, 0, |_| false, |_| ()) {
                Some(found) => pits.push(found.pit),
                None => break,
            }
        }
        assert!(picker.next(order, 0, |_| false, |_| ()).is_none());
        pits
    }

    #[test]
    fn every_legal_move_is_picked_once_and_the_hash_move_first() {
        let order = MoveOrder::new(1);
        let mut random = Lcg(3);
        for (_, rules) in Ruleset::NAMED {
            for round in 0..2000 {
                let mut pits = [0; PITS];
                (0..round % 49).for_each(|_| pits[random.below(PITS)] += 1);
                let board = Board::new(pits).unwrap();
                let legal: Vec<u8> = rules.moves(&board).legal().map(|step| step.pit).collect();
                for hash in legal.iter().map(|&pit| Some(pit)).chain([None]) {
                    let found = picked(rules, &board, &order, hash);
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
        let order = MoveOrder::new(1);
        let board = PackedBoard::of(&Board::START);
        let rules = Ruleset::ABAPA;
        let mut picker = MovePicker::new(rules, board, 48, Some(4));
        let mut pits = Vec::new();
        while let Some(found) = picker.next(&order, 0, |found| found.pit == 0, |_| ()) {
            pits.push(found.pit);
        }
        assert_eq!(pits, [4, 1, 2, 3, 5, 0]);
    }
}
