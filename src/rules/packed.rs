//! Moves as searches need them: a few instructions on boards of two words.
//!
//! A row is a word with a byte for each pit. Sowing adds a precomputed word to each row;
//! a capture is found by bit operations on all pits at once. Rare cases, such as a move
//! that leaves the opponent without seeds, and the whole store family go through the plain
//! rules, which define the result in every case.

use std::iter;

use super::board::{MAX_SEEDS, PITS, ROW};
use super::packed_board::{COUNTS, PackedBoard, captured, may_capture, occupied, packed_row_seeds};
use super::ruleset::GrandSlam;
use super::ruleset::Ruleset;
use super::step::{Next, Step};

/// A move with the board that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub board: PackedBoard,
    pub pit: u8,
    /// Net seeds that the mover takes.
    pub gain: i8,
    /// Seeds on the board after the move.
    pub seeds: u8,
    pub next: Next,
}

impl Move {
    const NONE: Move = Move {
        board: PackedBoard {
            mover: 0,
            opponent: 0,
        },
        pit: 0,
        gain: 0,
        seeds: 0,
        next: Next::Opponent,
    };

    /// The move of a step.
    pub fn of(step: &Step) -> Move {
        Move {
            board: PackedBoard::of(&step.board),
            pit: step.pit,
            gain: step.gain,
            seeds: step.board.seeds(),
            next: step.next,
        }
    }

    /// As [`Step::value`].
    #[inline]
    pub fn value(&self, child: i8) -> i8 {
        self.next.value(self.gain, child)
    }

    /// Whether no seed leaves a board with `before` seeds and the opponent moves next.
    pub fn is_quiet(&self, before: u8) -> bool {
        self.seeds == before && self.next == Next::Opponent
    }
}

/// The legal moves of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveList {
    /// By pit. Those of pits that may not be played are unspecified.
    moves: [Move; ROW],
    /// The pits that may be played, as bits.
    legal: u8,
    /// The value of the board if there is no legal move.
    terminal_value: i8,
}

impl MoveList {
    const EMPTY: MoveList = MoveList {
        moves: [Move::NONE; ROW],
        legal: 0,
        terminal_value: 0,
    };

    /// A list without moves.
    pub fn new() -> MoveList {
        MoveList::EMPTY
    }

    /// Makes this the list of the legal moves of a board that holds `seeds` seeds.
    pub fn fill(&mut self, rules: Ruleset, board: PackedBoard, seeds: u8) {
        let is_common = match rules {
            Ruleset::Oware(_) => common_moves(board, seeds, self),
            Ruleset::Stores(_) => false,
        };
        if !is_common {
            *self = all_moves(rules, board);
        }
    }

    /// The legal moves, by pit.
    pub fn iter(&self) -> impl Iterator<Item = &Move> {
        let mut left = self.legal;
        iter::from_fn(move || {
            let found = self.moves.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(found)
        })
    }

    /// The moves of all pits; those of pits that may not be played are unspecified.
    pub fn by_pit(&self) -> &[Move; ROW] {
        &self.moves
    }

    /// The pits that may be played, as bits.
    pub fn legal(&self) -> u8 {
        self.legal
    }

    /// The value of a terminal position; `None` if there is a legal move.
    pub fn terminal_value(&self) -> Option<i8> {
        (self.legal == 0).then_some(self.terminal_value)
    }
}

/// The moves of a board that capture.
pub(crate) struct Captures {
    moves: [Move; ROW],
    len: usize,
}

impl Captures {
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    fn push(&mut self, found: Move) {
        self.moves[self.len] = found;
        self.len += 1;
    }
}

/// The seeds that a sowing adds to each row, and the pit of the last one.
#[derive(Clone, Copy)]
struct Sowing {
    mover: u64,
    opponent: u64,
    last: u8,
}

/// By pit and number of seeds in it, up to [`MAX_SEEDS`].
static SOWINGS: [[Sowing; COUNTS]; ROW] = sowings();

const fn sowings() -> [[Sowing; COUNTS]; ROW] {
    let empty = Sowing {
        mover: 0,
        opponent: 0,
        last: 0,
    };
    let mut all = [[empty; COUNTS]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = 1;
        while seeds <= MAX_SEEDS as usize {
            // One seed more than the sowing before.
            let mut sowing = all[pit][seeds - 1];
            let mut last = if seeds == 1 {
                pit
            } else {
                sowing.last as usize
            };
            last = (last + 1) % PITS;
            if last == pit {
                last = (last + 1) % PITS;
            }
            if last < ROW {
                sowing.mover += 1 << (8 * last);
            } else {
                sowing.opponent += 1 << (8 * (last - ROW));
            }
            sowing.last = last as u8;
            all[pit][seeds] = sowing;
            seeds += 1;
        }
        pit += 1;
    }
    all
}

/// The legal moves of a board that holds `seeds` seeds.
pub(crate) fn moves(rules: Ruleset, board: PackedBoard, seeds: u8) -> MoveList {
    let mut list = MoveList::EMPTY;
    list.fill(rules, board, seeds);
    list
}

/// The moves that capture, those with the largest gain first.
pub(crate) fn captures(rules: Ruleset, board: PackedBoard, seeds: u8) -> Captures {
    const NONE: Captures = Captures {
        moves: [Move::NONE; ROW],
        len: 0,
    };
    let mut list = NONE;
    let mut pits = may_capture(board);
    while pits != 0 {
        let pit = pits.trailing_zeros() as u8;
        pits &= pits - 1;
        let mut sown = sow(board, pit);
        sown.capture();
        if sown.captured == 0 {
            continue;
        }
        if sown.opponent == 0 || matches!(rules, Ruleset::Stores(_)) {
            list = NONE;
            let all = all_moves(rules, board);
            let capturing = all.iter().filter(|found| found.gain > 0);
            capturing.for_each(|found| list.push(*found));
            break;
        }
        list.push(sown.to_move(pit, seeds));
    }
    list.moves[..list.len].sort_by_key(|found| -found.gain);
    list
}

/// Whether a move may capture in the oware family: not if this is false.
pub(crate) fn can_capture(board: PackedBoard) -> bool {
    may_capture(board) != 0
}

/// Whether a board certainly has a legal move: in the oware family a player with seeds
/// may always play if the opponent has seeds too, except where grand slams are illegal.
pub(crate) fn has_moves(rules: Ruleset, board: PackedBoard) -> bool {
    match rules {
        Ruleset::Oware(choices) => {
            choices.grand_slam != GrandSlam::Illegal && board.mover != 0 && board.opponent != 0
        }
        Ruleset::Stores(_) => false,
    }
}

/// The moves of the oware family if each leaves the opponent a seed: then only the rules of
/// sowing and capturing apply, which all rulesets share. Returns false if a move may leave
/// none or there is no move.
fn common_moves(board: PackedBoard, seeds: u8, list: &mut MoveList) -> bool {
    if board.opponent == 0 {
        return false;
    }
    // Without branches, also for empty pits.
    for (pit, found) in (0..).zip(&mut list.moves) {
        *found = sow(board, pit).to_move(pit, seeds);
    }
    let mut capturing = may_capture(board);
    while capturing != 0 {
        let pit = capturing.trailing_zeros() as u8;
        capturing &= capturing - 1;
        let mut sown = sow(board, pit);
        sown.capture();
        if sown.opponent == 0 {
            return false;
        }
        list.moves[usize::from(pit)] = sown.to_move(pit, seeds);
    }
    list.legal = occupied(board.mover);
    list.legal != 0
}

/// A board after a sowing, from the side of the player who made it.
struct Sown {
    mover: u64,
    opponent: u64,
    /// The pit of the last seed.
    last: u8,
    captured: u8,
}

impl Sown {
    /// Takes the seeds that the sowing captures.
    #[inline(always)]
    fn capture(&mut self) {
        if let Some(last) = self.last.checked_sub(ROW as u8) {
            let taken = captured(self.opponent, last);
            self.opponent &= !taken;
            self.captured = packed_row_seeds(taken);
        }
    }

    fn to_move(&self, pit: u8, seeds: u8) -> Move {
        Move {
            board: PackedBoard {
                mover: self.opponent,
                opponent: self.mover,
            },
            pit,
            gain: self.captured as i8,
            seeds: seeds - self.captured,
            next: Next::Opponent,
        }
    }
}

/// Sows a pit. Sowing an empty pit changes nothing.
#[inline(always)]
fn sow(board: PackedBoard, pit: u8) -> Sown {
    let hand = board.seeds_in(pit);
    let sowing = &SOWINGS[usize::from(pit)][usize::from(hand) % COUNTS];
    Sown {
        mover: (board.mover & !(0xFF << (8 * pit))) + sowing.mover,
        opponent: board.opponent + sowing.opponent,
        last: sowing.last,
        captured: 0,
    }
}

/// The moves by the plain rules.
fn all_moves(rules: Ruleset, board: PackedBoard) -> MoveList {
    let moves = rules.moves(&board.to_board());
    let mut list = MoveList {
        terminal_value: moves.terminal_value().unwrap_or(0),
        ..MoveList::EMPTY
    };
    for step in moves.legal() {
        list.moves[usize::from(step.pit)] = Move::of(&step);
        list.legal |= 1 << step.pit;
    }
    list
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::rules::{Board, row_seeds as seeds_of};

    fn assert_moves_are_those_of_the_rules(rules: Ruleset, board: &Board) {
        let packed = PackedBoard::of(board);
        assert_eq!(packed.to_board(), *board);
        assert_eq!(
            packed.net_of_rows(),
            seeds_of(&board.mover()).cast_signed() - seeds_of(&board.opponent()).cast_signed()
        );
        let expected = rules.moves(board);
        let found = moves(rules, packed, board.seeds());
        assert_eq!(
            found.terminal_value(),
            expected.terminal_value(),
            "{rules}: {board:?}"
        );
        let steps: Vec<_> = expected.legal().collect();
        assert_eq!(found.iter().count(), steps.len(), "{rules}: {board:?}");
        for (found, step) in found.iter().zip(&steps) {
            let same = (found.pit, found.gain, found.next) == (step.pit, step.gain, step.next)
                && found.board.to_board() == step.board
                && found.seeds == step.board.seeds()
                && found.is_quiet(board.seeds()) == step.is_quiet(board.seeds())
                && [-2, 0, 3]
                    .iter()
                    .all(|&child| found.value(child) == step.value(child));
            assert!(same, "{rules}: {board:?} {found:?} {step:?}");
        }
        let mut mask = [[false; ROW]];
        rules.legal_mask(&[*board], &mut mask);
        for (pit, step) in (0..).zip(rules.moves(board).by_pit()) {
            let (mut boards, mut gain, mut next) = ([*board], [0], [Next::Over]);
            let played = rules.play_many(&mut boards, &[pit], &mut gain, &mut next);
            let played = played.map(|()| (boards[0], gain[0], next[0]));
            let expected = step.map(|step| (step.board, step.gain, step.next));
            assert_eq!(
                played,
                expected.map_err(|why| (0, why)),
                "{rules}: {board:?}"
            );
            assert_eq!(mask[0][usize::from(pit)], step.is_ok());
        }
        assert!(
            found.terminal_value().is_none() || !has_moves(rules, packed),
            "{rules}: {board:?}"
        );
        if matches!(rules, Ruleset::Oware(_)) {
            let order = |found: &Move| (-found.gain, found.pit);
            let capturing = found.iter().filter(|found| found.gain > 0);
            let mut expected: Vec<_> = capturing.map(order).collect();
            expected.sort_unstable();
            let found = captures(rules, packed, board.seeds());
            let found: Vec<_> = found.as_slice().iter().map(order).collect();
            assert_eq!(found, expected, "{rules}: {board:?}");
        }
    }

    #[test]
    fn moves_of_all_small_boards_are_those_of_the_rules() {
        for &(_, rules) in Ruleset::NAMED {
            for seeds in 0..=6 {
                for_each_board([0; PITS], 0, seeds, &mut |board| {
                    assert_moves_are_those_of_the_rules(rules, board);
                });
            }
        }
    }

    /// All boards with these pits before `pit`, and this number of seeds in the pits from it on.
    fn for_each_board(mut pits: [u8; PITS], pit: usize, seeds: u8, then: &mut dyn FnMut(&Board)) {
        if pit == PITS - 1 {
            pits[pit] = seeds;
            return then(&Board::new(pits).unwrap());
        }
        for here in 0..=seeds {
            pits[pit] = here;
            for_each_board(pits, pit + 1, seeds - here, then);
        }
    }

    /// Also pits that sow more than one lap.
    #[test]
    fn moves_of_random_boards_are_those_of_the_rules() {
        let mut random = Rng::with_seed(31);
        for &(_, rules) in Ruleset::NAMED {
            for round in 0..20_000 {
                let pits_with_seeds = 1 + random.usize(..PITS);
                let mut pits = [0; PITS];
                for _ in 0..round % (usize::from(MAX_SEEDS) + 1) {
                    pits[(random.usize(..pits_with_seeds) * 5) % PITS] += 1;
                }
                assert_moves_are_those_of_the_rules(rules, &Board::new(pits).unwrap());
            }
        }
    }
}
