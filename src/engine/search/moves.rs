//! The moves of a node: in which order to search them, and how deep. The sooner the search tries
//! a good move, the less is left to search.

use super::node::Node;
use super::packed::{Move, MoveList};
use crate::rules::{COUNTS, Next, ROW, Ruleset};

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

    /// Makes the legal moves of a node and orders them. In place, since a picker is large.
    #[inline(always)]
    pub fn make_moves(&mut self, rules: Ruleset, node: &Node, order: &MoveOrder) {
        self.list.fill(rules, node.board, node.seeds);
        let legal = self.list.legal();
        let ranks = order.ranks(&self.list, rules, node);
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
    pub fn in_order(list: MoveList, pits: impl Iterator<Item = u8>) -> MovePicker {
        let mut picker = MovePicker {
            list,
            ..MovePicker::new()
        };
        for (key_of_pit, pit) in picker.keys.iter_mut().zip(pits) {
            *key_of_pit = key(0, usize::from(pit));
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
    pub fn terminal_value(&self) -> Option<i8> {
        self.list.terminal_value()
    }

    /// Whether there are moves left to pick.
    pub fn has_more(&self) -> bool {
        self.picked < self.count
    }

    /// The next move, without picking it.
    #[inline(always)]
    pub fn peek(&self) -> Option<&Move> {
        let &key = self.keys[..self.count].get(self.picked)?;
        self.list.by_pit().get(pit_in(key))
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

    /// Picks the next move.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Move> {
        let next = *self.peek()?;
        self.picked += 1;
        Some(next)
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

/// Killer moves and the history heuristic.
pub(super) struct MoveOrder {
    /// By ply, what is added to the rank of each pit's move: [`LAST_KILLER`] for the pit that
    /// caused the last cutoff, [`KILLER`] for the one before.
    killers: Vec<[i64; ROW]>,
    /// By pit and number of seeds in it, how often and how deep it caused a cutoff.
    history: [[u32; COUNTS]; ROW],
}

const GAIN: i64 = 1 << 40;
const KILLER: i64 = 1 << 36;
const LAST_KILLER: i64 = 2 * KILLER;

impl MoveOrder {
    pub fn new(plies: usize) -> MoveOrder {
        MoveOrder {
            killers: vec![[0; ROW]; plies],
            history: [[0; COUNTS]; ROW],
        }
    }

    /// The ranks of the moves of a node, by pit, the highest first: by gain, then by killers
    /// and history.
    #[inline(always)]
    fn ranks(&self, moves: &MoveList, rules: Ruleset, node: &Node) -> [i64; ROW] {
        let mut ranks = self.killers[node.ply];
        let history = self.history.iter().enumerate();
        for ((rank, step), (pit, history)) in ranks.iter_mut().zip(moves.by_pit()).zip(history) {
            let weight = history[usize::from(node.board.seeds_in(pit as u8)) % COUNTS];
            *rank += i64::from(step.gain) * GAIN + i64::from(weight);
        }
        if matches!(rules, Ruleset::Stores(_)) {
            // A player who moves again still has all other moves.
            for (rank, step) in ranks.iter_mut().zip(moves.by_pit()) {
                *rank += i64::from(step.next == Next::Again) * 48 * GAIN;
            }
        }
        ranks
    }

    /// Records a quiet move of a node that caused a cutoff in a search to `depth`.
    pub fn record_cutoff(&mut self, pit: u8, node: &Node, depth: u8) {
        let seeds = usize::from(node.board.seeds_in(pit)) % COUNTS;
        let pit = usize::from(pit);
        let killers = &mut self.killers[node.ply];
        if killers[pit] != LAST_KILLER {
            *killers = killers.map(|killer| if killer == LAST_KILLER { KILLER } else { 0 });
            killers[pit] = LAST_KILLER;
        }
        let weight = &mut self.history[pit][seeds];
        *weight = weight.saturating_add(u32::from(depth) * u32::from(depth));
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
        let node = Node::root(&Game::from_position(rules, board).unwrap());
        let mut picker = MovePicker::new();
        picker.make_moves(rules, &node, &MoveOrder::new(1));
        picker
    }

    #[test]
    fn every_legal_move_is_picked_once_and_the_hash_move_first() {
        let mut random = Lcg(3);
        for &(_, rules) in Ruleset::NAMED {
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
        let node = Node::root(&Game::from_position(rules, board).unwrap());
        let mut order = MoveOrder::new(1);
        order.record_cutoff(2, &node, 1);
        order.record_cutoff(3, &node, 1);
        let mut picker = MovePicker::new();
        picker.make_moves(rules, &node, &order);
        let picked: Vec<u8> = std::iter::from_fn(|| Some(picker.next()?.pit)).collect();
        assert_eq!(picked, [5, 3, 2, 0, 4]);
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
