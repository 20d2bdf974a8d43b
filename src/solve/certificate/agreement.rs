//! Agreement: whether the numbers of one board follow from its moves.
//!
//! This is the definition of value, bounds and distance once more, for one board and
//! its moves, by the plain rules. The caller gives a function that finds the numbers of a
//! board: in arrays in memory, or in tables on disk.

use rayon::prelude::*;

use super::failure::{Aspect, Failure, Flaw, Reason, Report, Tally};
use crate::index::LayerIndex;
use crate::rules::{Board, Moves, Next, Quantity, Ruleset};
use crate::solve::observer::{Observer, Phase, Stopped};

/// The numbers that are stored for a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BoardNumbers {
    /// The value.
    pub value: i8,
    /// The lower and the upper bound, where there are bounds.
    pub bounds: Option<(i8, i8)>,
    /// The distance, where distances are stored: 0 where there is none.
    pub distance: Option<u8>,
}

impl BoardNumbers {
    fn quantity(&self, quantity: Quantity) -> Option<i8> {
        match quantity {
            Quantity::Value => Some(self.value),
            Quantity::Lower => Some(self.bounds?.0),
            Quantity::Upper => Some(self.bounds?.1),
        }
    }

    fn of(&self, aspect: Aspect) -> Option<i16> {
        match aspect.quantity() {
            Some(quantity) => self.quantity(quantity).map(i16::from),
            None => self.distance.map(i16::from),
        }
    }
}

impl Quantity {
    /// The quantity of the next board from which this one is computed: the most that the
    /// opponent can get is the least that the mover gets.
    fn of_child(self, next: Next) -> Quantity {
        match next {
            Next::Opponent => self.of_opponent(),
            Next::Again | Next::Over => self,
        }
    }
}

/// A number that is not the right one.
struct Mismatch {
    stored: i16,
    right: i16,
    reason: Reason,
}

/// The rules, and a function that finds the numbers of a board.
struct Definition<'a, N> {
    rules: Ruleset,
    numbers: &'a N,
}

impl<Error, N: Fn(&Board) -> Result<BoardNumbers, Error>> Definition<'_, N> {
    /// Compares a number of a board with those of the boards that its moves lead to; `None`
    /// if they agree or there is nothing to compare.
    fn mismatch(&self, board: &Board, aspect: Aspect) -> Result<Option<Mismatch>, Error> {
        let own = (self.numbers)(board)?;
        let Some(stored) = own.of(aspect) else {
            return Ok(None);
        };
        let moves = self.rules.moves(board);
        let (right, reason) = match (aspect.quantity(), moves.terminal_value()) {
            (Some(_), Some(result)) => (result.into(), Reason::Over),
            (Some(quantity), None) => self.best(&moves, quantity)?,
            // For a wrong value no distance is right.
            (None, _) if self.mismatch(board, Aspect::Value)?.is_some() => return Ok(None),
            (None, _) if own.value == 0 => (0, Reason::Even),
            (None, Some(_)) => (0, Reason::Over),
            (None, None) => self.plies(&moves, own.value, board.seeds())?,
        };
        Ok((stored != right).then_some(Mismatch {
            stored,
            right,
            reason,
        }))
    }

    /// A quantity of the best move, and the first pit that attains it.
    fn best(&self, moves: &Moves, quantity: Quantity) -> Result<(i16, Reason), Error> {
        let mut best: Option<(i8, u8)> = None;
        for step in moves.legal() {
            let child = match step.next {
                Next::Over => 0,
                next => {
                    let child = (self.numbers)(&step.board)?.quantity(quantity.of_child(next));
                    child.expect("boards of lower layers have the same quantities")
                }
            };
            let number = step.value(child);
            if best.is_none_or(|(other, _)| number > other) {
                best = Some((number, step.pit));
            }
        }
        let (number, pit) = best.expect("a board that is not terminal has a move");
        Ok((number.into(), Reason::Pit(pit)))
    }

    /// The plies of the moves that keep a value, and the first pit that takes as many: a
    /// winner takes as few as possible, a loser as many.
    fn plies(&self, moves: &Moves, value: i8, seeds: u8) -> Result<(i16, Reason), Error> {
        let mut best: Option<(i16, Reason)> = None;
        for step in moves.legal() {
            let child = match step.next {
                Next::Over => BoardNumbers::default(),
                _ => (self.numbers)(&step.board)?,
            };
            if step.value(child.value) != value {
                continue;
            }
            let (plies, reason) = match child.distance {
                Some(0) if step.is_quiet(seeds) && self.goes_on(&step.board) => {
                    (i16::MAX, Reason::Endless)
                }
                Some(plies) if step.is_quiet(seeds) => {
                    (1 + i16::from(plies), Reason::Pit(step.pit))
                }
                _ => (1, Reason::Pit(step.pit)),
            };
            let is_better = |(other, _)| {
                if value > 0 {
                    plies < other
                } else {
                    plies > other
                }
            };
            if best.is_none_or(is_better) {
                best = Some((plies, reason));
            }
        }
        match best.expect("some move keeps a right value") {
            (_, Reason::Endless) => Ok((0, Reason::Endless)),
            best => Ok(best),
        }
    }

    /// Whether a distance of 0 beside a value other than 0 means that endless play alone attains
    /// the value, and not that the game is over.
    fn goes_on(&self, board: &Board) -> bool {
        self.rules.counts_loops() && self.rules.moves(board).terminal_value().is_none()
    }

    /// The numbers of a board that do not follow from its moves: none if the board is right,
    /// given the boards that it leads to.
    fn failures(&self, board: &Board, aspects: &[Aspect]) -> Result<Vec<Failure>, Error> {
        let mut failures = Vec::new();
        for &aspect in aspects {
            if let Some(mismatch) = self.mismatch(board, aspect)? {
                let flaw = Flaw::Disagrees {
                    right: mismatch.right,
                    reason: mismatch.reason,
                    follows: self.cause(board, aspect)?,
                };
                failures.push(Failure {
                    board: *board,
                    aspect,
                    stored: mismatch.stored,
                    flaw,
                });
            }
        }
        Ok(failures)
    }

    /// The first move whose child has a wrong number that this board's number depends on.
    fn cause(&self, board: &Board, aspect: Aspect) -> Result<Option<(u8, Board)>, Error> {
        for step in self.rules.moves(board).legal() {
            if step.next == Next::Over {
                continue;
            }
            let fails = |aspect| Ok(self.mismatch(&step.board, aspect)?.is_some());
            let fails = match aspect.quantity() {
                Some(quantity) => fails(quantity.of_child(step.next).into())?,
                None => {
                    let is_quiet = step.is_quiet(board.seeds());
                    fails(Aspect::Value)? || is_quiet && fails(Aspect::Distance)?
                }
            };
            if fails {
                return Ok(Some((step.pit, step.board)));
            }
        }
        Ok(None)
    }
}

/// The boards of a layer for which some of these numbers do not follow from the moves.
pub(super) fn disagreements<Error: Send>(
    rules: Ruleset,
    numbers: &(impl Fn(&Board) -> Result<BoardNumbers, Error> + Sync),
    aspects: &[Aspect],
    index: &LayerIndex,
    most: usize,
) -> Result<Report, Error> {
    /// Boards that a thread checks at a time.
    const BATCH: u64 = 1 << 12;
    let definition = Definition { rules, numbers };
    let batches = (0..index.len().div_ceil(BATCH)).into_par_iter();
    let tallies = batches.map(|batch| {
        let mut tally = Tally::default();
        for board in index.boards_from(batch * BATCH).take(BATCH as usize) {
            tally.add(&definition.failures(&board, aspects)?, most);
        }
        Ok(tally)
    });
    // In the order of the batches, whichever is done first.
    let tally = tallies.try_reduce(Tally::default, |a, b| Ok(a.and(b, most)))?;
    Ok(tally.report(most))
}

/// Which random boards: the same ones for the same seed, others for another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random {
    /// How many.
    pub count: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Checks random boards of a layer: whether their numbers are what their moves make them.
///
/// # Errors
/// If a number cannot be read, or the observer stops it.
pub(crate) fn sample<Error: From<Stopped> + Send>(
    rules: Ruleset,
    numbers: &(impl Fn(&Board) -> Result<BoardNumbers, Error> + Sync),
    index: &LayerIndex,
    random: Random,
    most: usize,
    observer: &dyn Observer,
) -> Result<Report, Error> {
    const ASPECTS: [Aspect; 4] = [
        Aspect::Value,
        Aspect::Lower,
        Aspect::Upper,
        Aspect::Distance,
    ];
    let definition = Definition { rules, numbers };
    observer.begins(index.seeds(), Phase::Agreement, random.count);
    // The seed is mixed by itself first, so that neighbouring seeds share no boards.
    let start = mix(random.seed);
    let random_index = |i: u64| {
        let number = u128::from(mix(start.wrapping_add(i)));
        ((number * u128::from(index.len())) >> 64) as u64
    };
    let boards = (0..random.count).into_par_iter().map(|i| {
        let i = random_index(i);
        let failures = definition.failures(&index.board(i), &ASPECTS)?;
        observer.advance(1)?;
        Ok((!failures.is_empty()).then_some((i, failures)))
    });
    let failing = boards.filter_map(Result::transpose);
    let mut failing = failing.collect::<Result<Vec<_>, Error>>()?;
    failing.sort_unstable_by_key(|&(i, _)| i);
    failing.dedup_by_key(|&mut (i, _)| i);
    let mut tally = Tally::default();
    for (_, failures) in &failing {
        tally.add(failures, most);
    }
    Ok(tally.report(most))
}

/// `SplitMix64` (Steele, Lea and Flood 2014): well-mixed numbers from a counter.
fn mix(counter: u64) -> u64 {
    let z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
