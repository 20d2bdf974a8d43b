//! The moves of a node, one after the other. Each step is done only when it is needed:
//! the transposition table's move is made alone, since it often ends the search of its
//! node; the others are made and ordered after it.

use super::move_order::MoveOrder;
use super::packed::{Move, MoveList, common_move};
use crate::rules::{PackedBoard, ROW, Ruleset};

/// Picks the moves of a node in the order in which to search them.
pub(super) struct MovePicker {
    rules: Ruleset,
    board: PackedBoard,
    seeds: u8,
    stage: Stage,
    list: MoveList,
    /// By number in the list, the key of each move that is left: the highest comes first.
    keys: [i64; ROW],
    hash_move: Option<u8>,
}

/// The key of a move that has been picked, or of none.
const NONE: i64 = i64::MIN;

/// The key of a move with this rank and this number in the list, which is that of no other
/// move. Of equal ranks, the first in the list comes first.
fn key(rank: i64, number: usize) -> i64 {
    rank * 8 + (7 - number).cast_signed() as i64
}

/// The number in such a key.
fn number_in(key: i64) -> usize {
    7 - (key.cast_unsigned() & 7) as usize
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
    #[inline(always)]
    pub fn new(rules: Ruleset, board: PackedBoard, seeds: u8, hash_move: Option<u8>) -> MovePicker {
        let first = hash_move.and_then(|pit| common_move(rules, board, seeds, pit));
        let mut picker = MovePicker {
            rules,
            board,
            seeds,
            stage: Stage::HashMove,
            list: MoveList::new(),
            keys: [NONE; ROW],
            hash_move,
        };
        match first {
            Some(first) => picker.list.push(first),
            None => {
                picker.stage = Stage::Made;
                picker.list.fill(rules, board, seeds);
            }
        }
        picker
    }

    /// Some moves of a board in their order.
    pub fn in_order(rules: Ruleset, board: PackedBoard, seeds: u8, list: MoveList) -> MovePicker {
        let mut keys = [NONE; ROW];
        for (number, key_of_move) in keys[..list.as_slice().len()].iter_mut().enumerate() {
            *key_of_move = key(0, number);
        }
        MovePicker {
            rules,
            board,
            seeds,
            stage: Stage::Ordered,
            list,
            keys,
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
            Stage::Made => self.list.over().is_none(),
            Stage::Ordered => self.keys != [NONE; ROW],
        }
    }

    /// The next move: the first of those left that is not to be deferred, or the first of
    /// all. Calls `on_made` with each move, as soon as it is made.
    #[inline]
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
            return first.inspect(|first| on_made(first)).copied();
        }
        if self.stage != Stage::Ordered {
            self.order(order, ply, on_made);
        }
        let mut number = number_in(self.highest_key()?);
        if is_deferred(self.list.as_slice().get(number)?) {
            let moves = self.list.as_slice().iter().zip(self.keys);
            let free = moves.filter(|&(found, key)| key != NONE && !is_deferred(found));
            if let Some(key) = free.map(|(_, key)| key).max() {
                number = number_in(key);
            }
        }
        self.keys[number] = NONE;
        Some(self.list.as_slice()[number])
    }

    /// The highest key of a move that is left.
    fn highest_key(&self) -> Option<i64> {
        let [a, b, c, d, e, f] = self.keys;
        let key = a.max(b).max(c.max(d)).max(e.max(f));
        (key != NONE).then_some(key)
    }

    /// Makes the moves that are still to be made, and orders all.
    fn order(&mut self, order: &MoveOrder, ply: usize, on_made: impl Fn(&Move)) {
        let first_is_picked = self.stage == Stage::OthersToMake;
        if first_is_picked {
            self.list.fill(self.rules, self.board, self.seeds);
        }
        self.stage = Stage::Ordered;
        let moves = self.list.as_slice().iter();
        for ((number, found), key_of_move) in moves.enumerate().zip(&mut self.keys) {
            *key_of_move = match Some(found.pit) == self.hash_move {
                true if first_is_picked => NONE,
                true => key(MoveOrder::MAX_RANK, number),
                false => key(order.rank(found, self.board, ply), number),
            };
            on_made(found);
        }
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
