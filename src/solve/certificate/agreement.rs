//! Agreement: whether the numbers of one board are what its moves make them.
//!
//! This is the definition of value, bounds and distance once more, for one board and
//! its moves, by the plain rules. The caller gives a function that finds the numbers of a
//! board: in arrays in memory, or in tables on disk.

use rayon::prelude::*;

use super::failure::{Aspect, Failure, Flaw, Reason, Report, Tally};
use crate::index::LayerIndex;
use crate::rules::{Board, Next, Quantity, Ruleset};
use crate::solve::observer::{Observer, Phase};

/// The numbers that are stored for a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BoardNumbers {
    /// The value.
    pub value: i8,
    /// The lower and the upper bound, where there are bounds.
    pub bounds: Option<(i8, i8)>,
    /// The distance, where there is one.
    pub distance: Option<u8>,
}

/// The distance that a table holds for a board of value 0, which has none. `None` would
/// mean that such an entry is never read and may hold anything.
const DISTANCE_OF_EVEN: Option<u8> = Some(0);

impl Quantity {
    /// The quantity of the next board from which this one is computed: what the
    /// opponent gets at most is what the mover gets at least.
    pub(super) fn of_child(self, next: Next) -> Quantity {
        match next {
            Next::Opponent => self.of_opponent(),
            Next::Again | Next::Over => self,
        }
    }
}

/// The number that the moves give a board, and which move does.
#[derive(Clone, Copy)]
struct Expected {
    number: i16,
    reason: Reason,
}

impl Expected {
    /// Below every number that a move gives; it can be negated.
    const NOTHING: Expected = Expected {
        number: -i16::MAX,
        reason: Reason::Over,
    };

    fn raise(&mut self, number: i16, pit: u8) {
        if number > self.number {
            let reason = Reason::Pit(pit);
            *self = Expected { number, reason };
        }
    }
}

/// The numbers of a board, as they are stored and as its moves make them.
struct Comparison {
    stored: BoardNumbers,
    value: Expected,
    lower: Expected,
    upper: Expected,
    /// `None` if any distance will do.
    distance: Option<Expected>,
}

impl Comparison {
    fn new<Error>(
        rules: Ruleset,
        numbers: &impl Fn(&Board) -> Result<BoardNumbers, Error>,
        board: &Board,
    ) -> Result<Comparison, Error> {
        let stored = numbers(board)?;
        let moves = rules.moves(board);
        if let Some(result) = moves.over() {
            return Ok(Comparison::terminal(stored, result));
        }
        let [mut value, mut lower, mut upper] = [Expected::NOTHING; 3];
        // The least count of plies is the greatest of their negations.
        let sign = if stored.value > 0 { -1 } else { 1 };
        let mut plies = Expected::NOTHING;
        for step in moves.legal() {
            let child = match step.next {
                // Nothing is left on the board.
                Next::Over => BoardNumbers {
                    bounds: stored.bounds.map(|_| (0, 0)),
                    ..BoardNumbers::default()
                },
                _ => numbers(&step.board)?,
            };
            let step_value = step.value(child.value);
            value.raise(step_value.into(), step.pit);
            if let Some((low, high)) = child.bounds {
                let (low, high) = match Quantity::Lower.of_child(step.next) {
                    Quantity::Upper => (high, low),
                    _ => (low, high),
                };
                lower.raise(step.value(low).into(), step.pit);
                upper.raise(step.value(high).into(), step.pit);
            }
            if step_value == stored.value {
                let count = if step.is_quiet(board.seeds()) {
                    1 + child.distance.map_or(0, i16::from)
                } else {
                    1
                };
                plies.raise(sign * count, step.pit);
            }
        }
        plies.number *= sign;
        let distance = match stored.value {
            0 => distance_of_even(),
            _ => Some(plies),
        };
        Ok(Comparison {
            stored,
            value,
            lower,
            upper,
            distance,
        })
    }

    /// Of a terminal position with this value.
    fn terminal(stored: BoardNumbers, result: i8) -> Comparison {
        let reason = Reason::Over;
        let expected = |number| Expected { number, reason };
        let result = expected(result.into());
        let distance = match stored.value {
            0 => distance_of_even(),
            _ => Some(expected(0)),
        };
        Comparison {
            stored,
            value: result,
            lower: result,
            upper: result,
            distance,
        }
    }

    /// The number that is stored, and the one that is right, if it is known.
    fn of(&self, aspect: Aspect) -> Option<(i16, Expected)> {
        let (stored, expected) = match aspect {
            Aspect::Value => (self.stored.value.into(), self.value),
            Aspect::Lower => (self.stored.bounds?.0.into(), self.lower),
            Aspect::Upper => (self.stored.bounds?.1.into(), self.upper),
            // For a wrong value no distance is right.
            Aspect::Distance if self.fails(Aspect::Value) => return None,
            Aspect::Distance => (self.stored.distance?.into(), self.distance?),
        };
        Some((stored, expected))
    }

    fn fails(&self, aspect: Aspect) -> bool {
        self.of(aspect)
            .is_some_and(|(stored, expected)| stored != expected.number)
    }
}

fn distance_of_even() -> Option<Expected> {
    DISTANCE_OF_EVEN.map(|plies| Expected {
        number: plies.into(),
        reason: Reason::Even,
    })
}

/// All numbers of a board.
const ASPECTS: [Aspect; 4] = [
    Aspect::Value,
    Aspect::Lower,
    Aspect::Upper,
    Aspect::Distance,
];

/// Which of these numbers of a board are not what its moves make them: none if the board
/// is right, given the boards that it leads to.
fn failures<Error>(
    rules: Ruleset,
    numbers: &impl Fn(&Board) -> Result<BoardNumbers, Error>,
    aspects: &[Aspect],
    board: &Board,
) -> Result<Vec<Failure>, Error> {
    let comparison = Comparison::new(rules, numbers, board)?;
    let mut failures = Vec::new();
    for &aspect in aspects {
        let Some((stored, expected)) = comparison.of(aspect) else {
            continue;
        };
        if stored != expected.number {
            let flaw = Flaw::Disagrees {
                right: expected.number,
                reason: expected.reason,
                follows: cause(rules, numbers, board, aspect)?,
            };
            failures.push(Failure {
                board: *board,
                aspect,
                stored,
                flaw,
            });
        }
    }
    Ok(failures)
}

/// The first move whose child has a wrong number that this board's number depends on.
fn cause<Error>(
    rules: Ruleset,
    numbers: &impl Fn(&Board) -> Result<BoardNumbers, Error>,
    board: &Board,
    aspect: Aspect,
) -> Result<Option<(u8, Board)>, Error> {
    for step in rules.moves(board).legal() {
        if step.next == Next::Over {
            continue;
        }
        let child = Comparison::new(rules, numbers, &step.board)?;
        let fails = match aspect.quantity() {
            Some(quantity) => child.fails(quantity.of_child(step.next).into()),
            None => {
                let quiet = step.is_quiet(board.seeds());
                child.fails(Aspect::Value) || quiet && child.fails(Aspect::Distance)
            }
        };
        if fails {
            return Ok(Some((step.pit, step.board)));
        }
    }
    Ok(None)
}

/// The boards of a layer for which some of these numbers are not what the moves make them.
pub(super) fn disagreements<Error: Send>(
    rules: Ruleset,
    numbers: &(impl Fn(&Board) -> Result<BoardNumbers, Error> + Sync),
    aspects: &[Aspect],
    index: &LayerIndex,
    most: usize,
) -> Result<Report, Error> {
    /// Boards that a thread checks at a time.
    const BATCH: u64 = 1 << 12;
    let batches = (0..index.len().div_ceil(BATCH)).into_par_iter();
    let tallies = batches.map(|batch| {
        let mut tally = Tally::default();
        for board in index.boards_from(batch * BATCH).take(BATCH as usize) {
            tally.add(&failures(rules, numbers, aspects, &board)?, most);
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
/// If a number cannot be read.
pub(crate) fn sample<Error: Send>(
    rules: Ruleset,
    numbers: &(impl Fn(&Board) -> Result<BoardNumbers, Error> + Sync),
    index: &LayerIndex,
    random: Random,
    most: usize,
    observer: &dyn Observer,
) -> Result<Report, Error> {
    observer.begins(index.seeds(), Phase::Agreement, random.count);
    // The seed is mixed by itself first, so that neighbouring seeds share no boards.
    let start = mix(random.seed);
    let random_index = |i: u64| {
        let number = u128::from(mix(start.wrapping_add(i)));
        ((number * u128::from(index.len())) >> 64) as u64
    };
    let boards = (0..random.count).into_par_iter().map(|i| {
        let i = random_index(i);
        let failures = failures(rules, numbers, &ASPECTS, &index.board(i))?;
        observer.advance(1);
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
