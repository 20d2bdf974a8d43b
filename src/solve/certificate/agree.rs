//! Whether the numbers of one board are what its moves make them.
//!
//! This is the definition of value, bounds and distance, written down once more
//! for one board and its moves, by the plain rules. Where the numbers come from,
//! planes in memory or tables on disk, is the caller's choice.

use std::convert::Infallible;

use super::failure::{Aspect, Failure, Flaw, Reason};
use crate::rules::{Board, Next, Ruleset};
use crate::solve::plane::Plane;
use crate::solve::solved::{Quantity, Worths};

/// What is stored of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stored {
    /// The value.
    pub value: i8,
    /// The lower and the upper bound, where there are bounds.
    pub bounds: Option<(i8, i8)>,
    /// The distance, where there is one to be told.
    pub distance: Option<u8>,
}

/// Where the certificate finds what is stored.
pub trait Numbers: Sync {
    /// Why a number cannot be read.
    type Error: Send;

    /// What is stored of a board, which is in its layer's index.
    ///
    /// # Errors
    /// If it cannot be read.
    fn of(&self, board: &Board) -> Result<Stored, Self::Error>;
}

/// The distance that a table holds for a board of value 0, which has none:
/// `None` would mean that such an entry is never read and may hold anything.
const IDLE_DISTANCE: Option<u8> = Some(0);

/// Layers in memory, with the distances of the last one.
pub(super) struct InMemory<'a, L> {
    pub layers: &'a [L],
    pub distance: Option<&'a Plane<u8>>,
}

impl<L: Worths> InMemory<'_, L> {
    /// What is stored of a board at a place of its layer.
    pub fn at(&self, seeds: u8, place: (u8, u64)) -> Stored {
        let layer = &self.layers[usize::from(seeds)];
        let is_last = usize::from(seeds) + 1 == self.layers.len();
        let distance = self.distance.filter(|_| is_last);
        let bounds = || [Quantity::Lower, Quantity::Upper].map(|bound| layer.number(bound, place));
        Stored {
            value: layer.number(Quantity::Value, place),
            bounds: layer.has_bounds().then(bounds).map(Into::into),
            distance: distance.map(|plane| plane.at(place)),
        }
    }

    /// A single one of these numbers.
    pub fn number(&self, number: Quantity, seeds: u8, place: (u8, u64)) -> i8 {
        self.layers[usize::from(seeds)].number(number, place)
    }

    /// The place of a board in its layer's index.
    pub fn place(&self, board: &Board) -> (u8, u64) {
        let layer = &self.layers[usize::from(board.seeds())];
        let place = layer.index().place_of(board);
        place.expect("moves lead to indexed boards")
    }
}

impl<L: Worths> Numbers for InMemory<'_, L> {
    type Error = Infallible;

    fn of(&self, board: &Board) -> Result<Stored, Infallible> {
        Ok(self.at(board.seeds(), self.place(board)))
    }
}

impl Quantity {
    /// The number of the next board that this number is made of: what the
    /// opponent gets at most is what the mover gets at least.
    pub(super) fn of_child(self, next: Next) -> Quantity {
        match next {
            Next::Opponent => self.of_opponent(),
            Next::Again | Next::Over => self,
        }
    }
}

/// A number that moves make, and which of them.
#[derive(Clone, Copy)]
struct Made {
    number: i16,
    reason: Reason,
}

impl Made {
    /// Below every number that a move makes; its sign can be turned.
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

/// The numbers of a board, as they are and as its moves make them.
struct Comparison {
    stored: Stored,
    value: Made,
    lower: Made,
    upper: Made,
    /// As it must be, if it has to be anything.
    distance: Option<Made>,
}

impl Comparison {
    fn new<N: Numbers>(rules: Ruleset, numbers: &N, board: &Board) -> Result<Self, N::Error> {
        let stored = numbers.of(board)?;
        let moves = rules.moves(board);
        if let Some(result) = moves.over() {
            return Ok(Comparison::over(stored, result));
        }
        let [mut value, mut lower, mut upper] = [Made::NOTHING; 3];
        // The least count of plies is the greatest with its sign turned.
        let sign = if stored.value > 0 { -1 } else { 1 };
        let mut plies = Made::NOTHING;
        for step in moves.legal() {
            let child = match step.next {
                // Nothing is left on the board.
                Next::Over => Stored {
                    bounds: stored.bounds.map(|_| (0, 0)),
                    ..Stored::default()
                },
                _ => numbers.of(&step.board)?,
            };
            let worth = step.value(child.value);
            value.raise(worth.into(), step.pit);
            if let Some((low, high)) = child.bounds {
                let (low, high) = match Quantity::Lower.of_child(step.next) {
                    Quantity::Upper => (high, low),
                    _ => (low, high),
                };
                lower.raise(step.value(low).into(), step.pit);
                upper.raise(step.value(high).into(), step.pit);
            }
            if worth == stored.value {
                let count = match step.is_quiet(board.seeds()) {
                    true => 1 + child.distance.map_or(0, i16::from),
                    false => 1,
                };
                plies.raise(sign * count, step.pit);
            }
        }
        plies.number *= sign;
        let distance = match stored.value {
            0 => idle(),
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

    /// Of a board on which the game is over, with what that is worth.
    fn over(stored: Stored, result: i8) -> Comparison {
        let reason = Reason::Over;
        let made = |number| Made { number, reason };
        let result = made(result.into());
        let distance = match stored.value {
            0 => idle(),
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
            // Of a wrong value no distance is right.
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

fn idle() -> Option<Made> {
    IDLE_DISTANCE.map(|plies| Made {
        number: plies.into(),
        reason: Reason::Even,
    })
}

const ASPECTS: [Aspect; 4] = [
    Aspect::Value,
    Aspect::Lower,
    Aspect::Upper,
    Aspect::Distance,
];

/// The numbers of a board that are not what its moves make them: none if the board
/// is right, given the boards that it leads to.
pub(super) fn failures<N: Numbers>(
    rules: Ruleset,
    numbers: &N,
    board: &Board,
) -> Result<Vec<Failure>, N::Error> {
    let comparison = Comparison::new(rules, numbers, board)?;
    let mut failures = Vec::new();
    for aspect in ASPECTS {
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

/// The first move to a board of which a number fails that this one is made of.
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
        let fails = match aspect.number() {
            Some(number) => child.fails(number.of_child(step.next).into()),
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
