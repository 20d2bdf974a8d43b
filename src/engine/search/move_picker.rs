//! The moves of a node, one after the other in their order.

use super::move_order::MoveOrder;
use super::packed::{Move, MoveList};
use crate::rules::{PackedBoard, ROW, Ruleset};

/// Picks the moves of a node in the order in which to search them.
pub(super) struct MovePicker {
    list: MoveList,
    /// The keys of the moves in the order in which they are picked.
    keys: [i64; ROW],
    /// How many of these are moves.
    count: usize,
    /// How many of these have been picked.
    picked: usize,
}

/// The key of no move.
const NONE: i64 = i64::MIN;

/// The key of a pit's move with this rank, which is that of no other move. Of equal ranks,
/// the first pit comes first.
#[inline(always)]
fn key(rank: i64, pit: usize) -> i64 {
    rank * 8 + (7 - pit).cast_signed() as i64
}

/// The pit in such a key.
#[inline(always)]
fn pit_in(key: i64) -> usize {
    7 - (key.cast_unsigned() & 7) as usize
}

impl MovePicker {
    /// A picker without moves.
    #[inline(always)]
    pub fn new() -> MovePicker {
        MovePicker {
            list: MoveList::new(),
            keys: [NONE; ROW],
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
        order: &MoveOrder,
        ply: usize,
    ) {
        self.list.fill(rules, board, seeds);
        let legal = self.list.legal();
        let ranks = order.ranks(&self.list, rules, board, ply);
        // For all pits and without branches: the number of moves varies too much for the
        // processor to guess.
        for (pit, (key_of_pit, rank)) in self.keys.iter_mut().zip(ranks).enumerate() {
            let is_legal = legal >> pit & 1 == 1;
            *key_of_pit = if is_legal { key(rank, pit) } else { NONE };
        }
        sort_descending(&mut self.keys);
        self.count = legal.count_ones() as usize;
    }

    /// The moves of some pits that may be played, in this order.
    pub fn in_order(list: MoveList, pits: &[u8]) -> MovePicker {
        let mut keys = [NONE; ROW];
        for (key_of_pit, &pit) in keys.iter_mut().zip(pits) {
            *key_of_pit = key(0, usize::from(pit));
        }
        MovePicker {
            list,
            keys,
            count: pits.len(),
            ..MovePicker::new()
        }
    }

    /// Moves the move of a pit, if it is legal, before all others. Returns whether it was not
    /// the first already.
    #[inline]
    pub fn put_first(&mut self, pit: u8) -> bool {
        let is_it = |&key: &i64| pit_in(key) == usize::from(pit);
        match self.keys[..self.count].iter().position(is_it) {
            None | Some(0) => false,
            Some(at) => {
                self.keys[..=at].rotate_right(1);
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
        let &key = self.keys[..self.count].get(self.picked)?;
        Some(&self.list.by_pit()[pit_in(key)])
    }

    /// Makes the first of the moves left that is not to be deferred the next one, if there is
    /// any.
    #[inline(never)]
    pub fn defer(&mut self, is_deferred: impl Fn(&Move) -> bool) {
        let left = self
            .keys
            .get_mut(self.picked..self.count)
            .unwrap_or_default();
        let is_free = |&key: &i64| !is_deferred(&self.list.by_pit()[pit_in(key)]);
        if let Some(free) = left.iter().position(is_free) {
            left[..=free].rotate_right(1);
        }
    }

    /// The pit of the next move.
    #[inline(always)]
    pub fn next(&mut self) -> Option<usize> {
        let &key = self.keys[..self.count].get(self.picked)?;
        self.picked += 1;
        Some(pit_in(key))
    }

    /// The move of a pit that has been picked.
    pub fn get(&self, pit: usize) -> &Move {
        &self.list.by_pit()[pit]
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
        let mut picker = MovePicker::new();
        picker.make_moves(rules, packed, board.seeds(), order, 0);
        if let Some(pit) = hash {
            picker.put_first(pit);
        }
        let mut pits = Vec::new();
        while picker.has_more() {
            pits.extend(picker.next().map(|pit| picker.get(pit).pit));
        }
        assert!(picker.next().is_none());
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
        let mut picker = MovePicker::new();
        picker.make_moves(rules, board, 48, &order, 0);
        picker.put_first(4);
        let mut pits = Vec::new();
        while picker.has_more() {
            picker.defer(|found| found.pit == 0);
            pits.extend(picker.next().map(|pit| picker.get(pit).pit));
        }
        assert_eq!(pits, [4, 1, 2, 3, 5, 0]);
    }
}
