//! Foundation: the proof of values without distances, and of bounds.
//!
//! A number that equals the value of endless play needs no proof. A higher one is
//! founded by one move that keeps it and is a conversion or leads to a founded number;
//! a lower one when every move that keeps it does. A number that is never founded rests
//! on a loop alone. `docs/proof.md` has the argument.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use rayon::prelude::*;

use super::agreement::InMemory;
use super::failure::{Failure, Flaw, Report};
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::rules::{Board, Next, Ruleset, Step};
use crate::solve::observer::Observer;

/// The last layer in memory, whose numbers all agree with their moves, while they are
/// founded.
pub(super) struct Foundation<'a> {
    rules: Ruleset,
    numbers: InMemory<'a>,
    index: &'a LayerIndex,
    /// Quantities that depend on one another, each with the boards that are founded.
    group: &'a [Quantity],
    founded: Vec<Bitmap>,
}

/// What must be founded for a number to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The number is the value of endless play.
    Nothing,
    /// The mover gets more than that: one move is enough.
    OneMove,
    /// The mover gets less than that: no move that keeps the number may escape.
    EveryMove,
}

impl<'a> Foundation<'a> {
    pub fn new(
        rules: Ruleset,
        numbers: InMemory<'a>,
        index: &'a LayerIndex,
        group: &'a [Quantity],
    ) -> Foundation<'a> {
        let founded = group.iter().map(|_| Bitmap::new(index.len())).collect();
        Foundation {
            rules,
            numbers,
            index,
            group,
            founded,
        }
    }

    /// Visits all boards until a round founds none; reports those that remain.
    pub fn run(&self, most: usize, observer: &dyn Observer) -> Report {
        for round in 1.. {
            let words = 0..self.index.len().div_ceil(Bitmap::WORD);
            let founded = words.into_par_iter().map(|word| {
                let founded = self.visit(word);
                if founded > 0 {
                    observer.advance(founded);
                }
                founded
            });
            let founded = founded.sum();
            observer.swept(round, founded);
            if founded == 0 {
                break;
            }
        }
        self.report(most)
    }

    /// Visits the boards of a word that are not founded, and counts the numbers that
    /// are now.
    fn visit(&self, word: u64) -> u64 {
        let start = word * Bitmap::WORD;
        let here = Bitmap::WORD.min(self.index.len() - start);
        if self.founded.iter().all(|bits| bits.count(word) == here) {
            return 0;
        }
        let boards = self.index.boards_from(start);
        (start..)
            .zip(boards.take(Bitmap::WORD as usize))
            .map(|(i, board)| self.found(i, &board))
            .sum()
    }

    /// Founds what can be founded of a board's numbers; counts them.
    fn found(&self, i: u64, board: &Board) -> u64 {
        // Both bounds ask for the moves of the same board.
        let mut moves = None;
        let mut count = 0;
        for (&quantity, done) in self.group.iter().zip(&self.founded) {
            if done.get(i) {
                continue;
            }
            let seeds = self.index.seeds();
            let own = self
                .numbers
                .quantity(quantity, seeds, self.index.offset_at(i));
            let need = Need::of(quantity, own, seeds);
            let founded = need == Need::Nothing || {
                let moves = moves.get_or_insert_with(|| self.rules.moves(board));
                let mut keeping = moves
                    .legal()
                    .filter_map(|step| self.keeping(&step, quantity, own));
                match need {
                    Need::EveryMove => keeping.all(|child| child.is_founded),
                    _ => moves.over().is_some() || keeping.any(|child| child.is_founded),
                }
            };
            if founded {
                done.set(i);
                count += 1;
            }
        }
        count
    }

    /// Where a move leads, if it keeps the number `own`.
    fn keeping(&self, step: &Step, quantity: Quantity, own: i8) -> Option<Child> {
        let seeds = self.index.seeds();
        let child = |is_founded| Child {
            pit: step.pit,
            board: step.board,
            is_founded,
        };
        if step.next == Next::Over {
            return (step.gain == own).then(|| child(true));
        }
        let quantity = quantity.of_child(step.next);
        let at = self.numbers.offset_of(&step.board);
        let value = self.numbers.quantity(quantity, step.board.seeds(), at);
        (step.value(value) == own).then(|| {
            let index = || self.index.section_start(at.section) + at.offset;
            child(!step.is_quiet(seeds) || self.founded_of(quantity).get(index()))
        })
    }

    fn founded_of(&self, quantity: Quantity) -> &Bitmap {
        let mut group = self.group.iter().zip(&self.founded);
        let found = group.find(|(other, _)| **other == quantity);
        found.expect("quantities that depend on one another").1
    }

    /// The boards that remain.
    fn report(&self, most: usize) -> Report {
        let mut report = Report::default();
        for i in 0..self.index.len() {
            let mut fails = false;
            for (&quantity, done) in self.group.iter().zip(&self.founded) {
                if done.get(i) {
                    continue;
                }
                fails = true;
                if report.failures.len() < most {
                    let failure = self.failure(self.index.board(i), quantity);
                    report.failures.push(failure);
                }
            }
            report.boards += u64::from(fails);
        }
        report
    }

    /// A number that was not founded.
    fn failure(&self, board: Board, quantity: Quantity) -> Failure {
        let at = self.numbers.offset_of(&board);
        let own = self.numbers.quantity(quantity, self.index.seeds(), at);
        let moves = self.rules.moves(&board);
        let mut keeping = moves
            .legal()
            .filter_map(|step| self.keeping(&step, quantity, own));
        let waits_for = keeping.find(|child| !child.is_founded);
        let Child { pit, board: to, .. } = waits_for.expect("an unfounded board waits");
        Failure {
            board,
            aspect: quantity.into(),
            stored: own.into(),
            flaw: Flaw::Unfounded { pit, board: to },
        }
    }
}

/// Where a move leads that keeps a number.
struct Child {
    pit: u8,
    board: Board,
    is_founded: bool,
}

impl Need {
    fn of(quantity: Quantity, own: i8, seeds: u8) -> Need {
        let endless = match quantity {
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

/// A bit for each board, set once and by any thread. A bit that is seen set was set
/// before: that keeps the order of foundation free of loops.
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
