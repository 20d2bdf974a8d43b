//! Agreement: whether the numbers of one board are what its moves make them.
//!
//! This is the definition of value, bounds and distance once more, for one board and
//! its moves, by the plain rules. Where the numbers come from, arrays in memory or
//! tables on disk, is the caller's choice.

use super::failure::{Aspect, Failure, Flaw, Reason};
use crate::rules::Quantity;
use crate::rules::{Board, Next, Ruleset};

/// The numbers that are stored for a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardNumbers {
    /// The value.
    pub value: i8,
    /// The lower and the upper bound, where there are bounds.
    pub bounds: Option<(i8, i8)>,
    /// The distance, where there is one.
    pub distance: Option<u8>,
}

/// Where the certificate finds the numbers of boards.
pub trait Numbers: Sync {
    /// Why a number cannot be read.
    type Error: Send;

    /// The numbers of an indexed board.
    ///
    /// # Errors
    /// If it cannot be read.
    fn of(&self, board: &Board) -> Result<BoardNumbers, Self::Error>;
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
struct Made {
    number: i16,
    reason: Reason,
}

impl Made {
    /// Below every number that a move gives; it can be negated.
    const NOTHING: Made = Made {
        number: -i16::MAX,
        reason: Reason::Over,
    };

    fn raise(&mut self, number: i16, pit: u8) {
        if number > self.number {
            let reason = Reason::Pit(pit);
            *self = Made { number, reason };
        }
    }
}

/// The numbers of a board, as they are stored and as its moves make them.
struct Comparison {
    stored: BoardNumbers,
    value: Made,
    lower: Made,
    upper: Made,
    /// `None` if any distance will do.
    distance: Option<Made>,
}

impl Comparison {
    fn new<N: Numbers>(rules: Ruleset, numbers: &N, board: &Board) -> Result<Self, N::Error> {
        let stored = numbers.of(board)?;
        let moves = rules.moves(board);
        if let Some(result) = moves.over() {
            return Ok(Comparison::terminal(stored, result));
        }
        let [mut value, mut lower, mut upper] = [Made::NOTHING; 3];
        // The least count of plies is the greatest of their negations.
        let sign = if stored.value > 0 { -1 } else { 1 };
        let mut plies = Made::NOTHING;
        for step in moves.legal() {
            let child = match step.next {
                // Nothing is left on the board.
                Next::Over => BoardNumbers {
                    bounds: stored.bounds.map(|_| (0, 0)),
                    ..BoardNumbers::default()
                },
                _ => numbers.of(&step.board)?,
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
                let count = match step.is_quiet(board.seeds()) {
                    true => 1 + child.distance.map_or(0, i16::from),
                    false => 1,
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
        let made = |number| Made { number, reason };
        let result = made(result.into());
        let distance = match stored.value {
            0 => distance_of_even(),
            _ => Some(made(0)),
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
    fn of(&self, aspect: Aspect) -> Option<(i16, Made)> {
        let (stored, made) = match aspect {
            Aspect::Value => (self.stored.value.into(), self.value),
            Aspect::Lower => (self.stored.bounds?.0.into(), self.lower),
            Aspect::Upper => (self.stored.bounds?.1.into(), self.upper),
            // For a wrong value no distance is right.
            Aspect::Distance if self.fails(Aspect::Value) => return None,
            Aspect::Distance => (self.stored.distance?.into(), self.distance?),
        };
        Some((stored, made))
    }

    fn fails(&self, aspect: Aspect) -> bool {
        self.of(aspect)
            .is_some_and(|(stored, made)| stored != made.number)
    }
}

fn distance_of_even() -> Option<Made> {
    DISTANCE_OF_EVEN.map(|plies| Made {
        number: plies.into(),
        reason: Reason::Even,
    })
}

/// All numbers of a board.
pub(super) const ASPECTS: [Aspect; 4] = [
    Aspect::Value,
    Aspect::Lower,
    Aspect::Upper,
    Aspect::Distance,
];

/// Which of these numbers of a board are not what its moves make them: none if the board
/// is right, given the boards that it leads to.
pub(super) fn failures<N: Numbers>(
    rules: Ruleset,
    numbers: &N,
    aspects: &[Aspect],
    board: &Board,
) -> Result<Vec<Failure>, N::Error> {
    let comparison = Comparison::new(rules, numbers, board)?;
    let mut failures = Vec::new();
    for &aspect in aspects {
        let Some((stored, made)) = comparison.of(aspect) else {
            continue;
        };
        if stored != made.number {
            let flaw = Flaw::Disagrees {
                right: made.number,
                reason: made.reason,
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

/// The first move to a board of which a number fails that this one is computed from.
fn cause<N: Numbers>(
    rules: Ruleset,
    numbers: &N,
    board: &Board,
    aspect: Aspect,
) -> Result<Option<(u8, Board)>, N::Error> {
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
