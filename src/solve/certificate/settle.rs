//! Settling: the proof of values without distances, and of bounds.
//!
//! A number that is what endless play is worth needs nothing. A higher one is
//! settled by one move that keeps it and leaves the layer, ends the game or leads
//! to a settled number; a lower one when every move that keeps it does. What is
//! never settled goes round in a loop. `docs/proof.md` has the argument.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use rayon::prelude::*;

use super::agree::InMemory;
use super::failure::{Failure, Flaw, Report};
use crate::index::LayerIndex;
use crate::rules::{Board, Next, Ruleset, Step};
use crate::solve::observer::Observer;
use crate::solve::solved::{Quantity, Worths};

/// The last layer in memory, whose numbers all agree with their moves, while they
/// are settled.
pub(super) struct Settling<'a, L> {
    rules: Ruleset,
    numbers: InMemory<'a, L>,
    index: &'a LayerIndex,
    /// Numbers that depend on one another, each with the boards that are settled.
    group: &'a [Quantity],
    settled: Vec<Bitmap>,
}

/// What must be settled for a number to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The number is what endless play is worth.
    Nothing,
    /// The mover gets more than that: one way is enough.
    OneMove,
    /// The mover gets less than that: no move of the same worth may escape.
    EveryMove,
}

impl<'a, L: Worths> Settling<'a, L> {
    pub fn new(
        rules: Ruleset,
        numbers: InMemory<'a, L>,
        index: &'a LayerIndex,
        group: &'a [Quantity],
    ) -> Settling<'a, L> {
        let settled = group.iter().map(|_| Bitmap::new(index.len())).collect();
        Settling {
            rules,
            numbers,
            index,
            group,
            settled,
        }
    }

    /// Goes over the boards until a round settles none; tells of those that remain.
    pub fn run(&self, most: usize, observer: &dyn Observer) -> Report {
        for round in 1.. {
            let words = 0..self.index.len().div_ceil(Bitmap::WORD);
            let settled = words.into_par_iter().map(|word| {
                let settled = self.visit(word);
                if settled > 0 {
                    observer.advance(settled);
                }
                settled
            });
            let settled = settled.sum();
            observer.swept(round, settled);
            if settled == 0 {
                break;
            }
        }
        self.report(most)
    }

    /// Visits the boards of a word that are not settled, and counts the numbers
    /// that are now.
    fn visit(&self, word: u64) -> u64 {
        let start = word * Bitmap::WORD;
        let here = Bitmap::WORD.min(self.index.len() - start);
        if self.settled.iter().all(|bits| bits.count(word) == here) {
            return 0;
        }
        let boards = self.index.boards_from(start);
        (start..)
            .zip(boards.take(Bitmap::WORD as usize))
            .map(|(i, board)| self.settle(i, &board))
            .sum()
    }

    /// Settles what can be settled of a board's numbers; counts them.
    fn settle(&self, i: u64, board: &Board) -> u64 {
        // Both bounds ask for the moves of the same board.
        let mut moves = None;
        let mut count = 0;
        for (&number, settled) in self.group.iter().zip(&self.settled) {
            if settled.get(i) {
                continue;
            }
            let seeds = self.index.seeds();
            let own = self.numbers.number(number, seeds, self.index.place(i));
            let need = Need::of(number, own, seeds);
            let founded = need == Need::Nothing || {
                let moves = moves.get_or_insert_with(|| self.rules.moves(board));
                let mut keeping = moves
                    .legal()
                    .filter_map(|step| self.keeping(&step, number, own));
                match need {
                    Need::EveryMove => keeping.all(|child| child.is_settled),
                    _ => moves.over().is_some() || keeping.any(|child| child.is_settled),
                }
            };
            if founded {
                settled.set(i);
                count += 1;
            }
        }
        count
    }

    /// What a move leads to, if it makes the number what it is.
    fn keeping(&self, step: &Step, number: Quantity, own: i8) -> Option<Child> {
        let seeds = self.index.seeds();
        let founded = |is_settled| Child {
            pit: step.pit,
            board: step.board,
            is_settled,
        };
        if step.next == Next::Over {
            return (step.gain == own).then(|| founded(true));
        }
        let number = number.of_child(step.next);
        let place = self.numbers.place(&step.board);
        let child = self.numbers.number(number, step.board.seeds(), place);
        (step.value(child) == own).then(|| {
            let index = || self.index.section_start(place.0) + place.1;
            founded(!step.is_quiet(seeds) || self.settled_of(number).get(index()))
        })
    }

    fn settled_of(&self, number: Quantity) -> &Bitmap {
        let mut both = self.group.iter().zip(&self.settled);
        let found = both.find(|(a, _)| **a == number);
        found.expect("numbers that depend on one another").1
    }

    /// The boards that remain.
    fn report(&self, most: usize) -> Report {
        let mut report = Report::default();
        for i in 0..self.index.len() {
            let mut fails = false;
            for (&number, settled) in self.group.iter().zip(&self.settled) {
                if settled.get(i) {
                    continue;
                }
                fails = true;
                if report.failures.len() < most {
                    let failure = self.failure(self.index.board(i), number);
                    report.failures.push(failure);
                }
            }
            report.boards += u64::from(fails);
        }
        report
    }

    /// A number that was not settled.
    fn failure(&self, board: Board, number: Quantity) -> Failure {
        let place = self.numbers.place(&board);
        let own = self.numbers.number(number, self.index.seeds(), place);
        let moves = self.rules.moves(&board);
        let mut keeping = moves
            .legal()
            .filter_map(|step| self.keeping(&step, number, own));
        let waits_for = keeping.find(|child| !child.is_settled);
        let Child { pit, board: to, .. } = waits_for.expect("a board that is not settled waits");
        Failure {
            board,
            aspect: number.into(),
            stored: own.into(),
            flaw: Flaw::Unfounded { pit, board: to },
        }
    }
}

/// Where a move leads that keeps a number.
struct Child {
    pit: u8,
    board: Board,
    is_settled: bool,
}

impl Need {
    fn of(number: Quantity, own: i8, seeds: u8) -> Need {
        let endless = match number {
            Quantity::Lower => -seeds.cast_signed(),
            Quantity::Upper => seeds.cast_signed(),
            Quantity::Value => 0,
        };
        match own.cmp(&endless) {
            Ordering::Equal => Need::Nothing,
            Ordering::Greater => Need::OneMove,
            Ordering::Less => Need::EveryMove,
        }
    }
}

/// A bit for each board, set once and by any thread. A set bit that is seen was
/// set before: that is what makes the order of settling free of loops.
struct Bitmap(Vec<AtomicU64>);

impl Bitmap {
    const WORD: u64 = u64::BITS as u64;

    fn new(bits: u64) -> Bitmap {
        let words = bits.div_ceil(Bitmap::WORD);
        Bitmap((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    /// How many bits of a word are set.
    fn count(&self, word: u64) -> u64 {
        let bits = self.0[word as usize].load(Atomic::Acquire);
        bits.count_ones().into()
    }

    fn get(&self, bit: u64) -> bool {
        let word = self.0[(bit / Bitmap::WORD) as usize].load(Atomic::Acquire);
        word >> (bit % Bitmap::WORD) & 1 == 1
    }

    fn set(&self, bit: u64) {
        let mask = 1 << (bit % Bitmap::WORD);
        self.0[(bit / Bitmap::WORD) as usize].fetch_or(mask, Atomic::AcqRel);
    }
}
