//! The moves of a node, one after the other: the transposition table's move before the
//! others are ordered, since it often ends the search of its node.

use super::move_order::MoveOrder;
use super::packed::{Move, MoveList};
use crate::engine::table_source::Place;
use crate::rules::{PackedBoard, ROW, Ruleset};

/// Picks the moves of a node in the order in which to search them.
pub(super) struct MovePicker {
    board: PackedBoard,
    list: MoveList,
    /// By number in the list, where the tables have the board that a move leads to.
    places: [Place; ROW],
    stage: Stage,
    /// The pit of the transposition table's move.
    hash_move: Option<u8>,
    /// Once the moves are ordered, their keys: the highest comes first.
    keys: [i64; ROW],
    /// How many of these have been picked.
    picked: usize,
    /// How many there are.
    count: usize,
}

/// The key of no move.
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

/// How far the moves have been picked and ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was picked.
    New,
    /// The transposition table's move was picked; the others have no keys yet.
    HashMovePicked,
    /// All moves have keys, but for the transposition table's if it was picked before.
    Ordered,
}

impl MovePicker {
    /// A picker for a board, without moves.
    #[inline(always)]
    pub fn new(board: PackedBoard) -> MovePicker {
        MovePicker {
            board,
            list: MoveList::new(),
            places: [Place::UNKNOWN; ROW],
            stage: Stage::New,
            hash_move: None,
            keys: [NONE; ROW],
            picked: 0,
            count: 0,
        }
    }

    /// Makes the legal moves of the board, which holds `seeds` seeds. In place, since a
    /// picker is large.
    #[inline(always)]
    pub fn make_moves(&mut self, rules: Ruleset, seeds: u8) {
        self.list.fill(rules, self.board, seeds);
    }

    /// Picks the move of a pit first, if it is legal.
    pub fn put_first(&mut self, hash_move: Option<u8>) {
        self.hash_move = hash_move;
    }

    /// Some moves of a board in their order.
    pub fn in_order(board: PackedBoard, list: MoveList) -> MovePicker {
        let count = list.as_slice().len();
        let mut keys = [NONE; ROW];
        for (number, key_of_move) in keys[..count].iter_mut().enumerate() {
            *key_of_move = key(0, number);
        }
        MovePicker {
            list,
            stage: Stage::Ordered,
            keys,
            count,
            ..MovePicker::new(board)
        }
    }

    /// The value of a terminal position; `None` if there is a legal move.
    pub fn over(&self) -> Option<i8> {
        self.list.over()
    }

    /// Whether there are moves left to pick.
    pub fn has_more(&self) -> bool {
        let moves = self.list.as_slice().len();
        match self.stage {
            Stage::New => moves > 0,
            Stage::HashMovePicked => moves > 1,
            Stage::Ordered => self.picked < self.count,
        }
    }

    /// The number of the next move: the first of those left that is not to be deferred, or
    /// the first of all. `locate` gets it, and the one that would follow, to fetch what the
    /// tables have of their boards.
    #[inline]
    pub fn next(
        &mut self,
        order: &MoveOrder,
        ply: usize,
        is_deferred: impl Fn(&Move) -> bool,
        locate: impl Fn(&Move) -> Place,
    ) -> Option<usize> {
        if self.stage == Stage::New
            && let Some(pit) = self.hash_move
        {
            let mut moves = self.list.as_slice().iter();
            if let Some(number) = moves.position(|found| found.pit == pit) {
                self.stage = Stage::HashMovePicked;
                self.places[number] = locate(self.get(number));
                return Some(number);
            }
        }
        let is_unordered = self.stage != Stage::Ordered;
        if is_unordered {
            self.order(order, ply);
        }
        let move_of = |key| &self.list.as_slice()[number_in(key)];
        let left = self.keys.get_mut(self.picked..self.count)?;
        let (&first, after) = left.split_first()?;
        if is_unordered {
            self.places[number_in(first)] = locate(move_of(first));
        }
        if let Some(&next) = after.first() {
            self.places[number_in(next)] = locate(move_of(next));
        }
        let is_deferred = |key| is_deferred(move_of(key));
        if is_deferred(first)
            && let Some(free) = after.iter().position(|&key| !is_deferred(key))
        {
            left[..=free + 1].rotate_right(1);
        }
        let number = number_in(left[0]);
        self.picked += 1;
        Some(number)
    }

    /// A move that has been picked, by its number.
    pub fn get(&self, number: usize) -> &Move {
        &self.list.as_slice()[number]
    }

    /// Where the tables have the board that a picked move leads to.
    pub fn place(&self, number: usize) -> Place {
        self.places[number]
    }

    /// Orders the moves that are left.
    fn order(&mut self, order: &MoveOrder, ply: usize) {
        let hash_move_is_picked = self.stage == Stage::HashMovePicked;
        self.stage = Stage::Ordered;
        let count = self.list.as_slice().len();
        // Over all slots and without branches: the number of moves varies too much for the
        // processor to guess.
        for (number, found) in self.list.slots().iter().enumerate() {
            let ranked = key(order.rank(found, self.board, ply), number);
            let is_picked = hash_move_is_picked && Some(found.pit) == self.hash_move;
            let is_left = number < count && !is_picked;
            self.keys[number] = if is_left { ranked } else { NONE };
        }
        self.count = count - usize::from(hash_move_is_picked);
        sort_descending(&mut self.keys);
    }
}

/// The comparisons of a sorting network for six numbers.
const NETWORK: [(usize, usize); 12] = [
    (0, 5),
    (1, 3),
    (2, 4),
    (1, 2),
    (3, 4),
    (0, 3),
    (2, 5),
    (0, 1),
    (2, 3),
    (4, 5),
    (1, 2),
    (3, 4),
];

/// Sorts keys, the highest first, without branches: the processor could not guess them.
#[inline(always)]
fn sort_descending(keys: &mut [i64; ROW]) {
    for (a, b) in NETWORK {
        (keys[a], keys[b]) = (keys[a].max(keys[b]), keys[a].min(keys[b]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_random::Lcg;
    use crate::rules::{Board, PITS};

    fn picked(rules: Ruleset, board: &Board, order: &MoveOrder, hash: Option<u8>) -> Vec<u8> {
        let packed = PackedBoard::of(board);
        let mut picker = MovePicker::new(packed);
        picker.make_moves(rules, board.seeds());
        picker.put_first(hash);
        let mut pits = Vec::new();
        while picker.has_more() {
            match picker.next(order, 0, |_| false, |_| Place::UNKNOWN) {
                Some(number) => pits.push(picker.get(number).pit),
                None => break,
            }
        }
        assert!(
            picker
                .next(order, 0, |_| false, |_| Place::UNKNOWN)
                .is_none()
        );
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

    /// A network that sorts all sequences of zeros and ones sorts all sequences (Knuth, The
    /// Art of Computer Programming, volume 3, 5.3.4).
    #[test]
    fn the_network_sorts() {
        for bits in 0..1 << ROW {
            let mut keys = std::array::from_fn(|i| i64::from(bits >> i & 1));
            sort_descending(&mut keys);
            assert!(keys.is_sorted_by(|a, b| a >= b), "{bits:b} {keys:?}");
        }
    }

    #[test]
    fn deferred_moves_come_last() {
        let order = MoveOrder::new(1);
        let board = PackedBoard::of(&Board::START);
        let rules = Ruleset::ABAPA;
        let mut picker = MovePicker::new(board);
        picker.make_moves(rules, 48);
        picker.put_first(Some(4));
        let mut pits = Vec::new();
        while let Some(number) = picker.next(&order, 0, |found| found.pit == 0, |_| Place::UNKNOWN)
        {
            pits.push(picker.get(number).pit);
        }
        assert_eq!(pits, [4, 1, 2, 3, 5, 0]);
    }
}
