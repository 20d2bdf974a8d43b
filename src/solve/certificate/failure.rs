//! Failures: a wrong number of a board, and how it is reported.
//!
//! A number is computed from the numbers of the boards that its moves lead to. If they
//! disagree, either may be wrong. So a failure says whether a number that it was computed
//! from fails as well. If a single number of a layer is wrong, its board is the only one for
//! which no such number fails.

use std::fmt;

use crate::rules::{Board, Quantity};
use crate::table::Kind;

/// Which number of a board: a quantity or the distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Aspect {
    /// The value.
    Value,
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
    /// The distance.
    Distance,
}

impl From<Quantity> for Aspect {
    fn from(quantity: Quantity) -> Aspect {
        match quantity {
            Quantity::Value => Aspect::Value,
            Quantity::Lower => Aspect::Lower,
            Quantity::Upper => Aspect::Upper,
        }
    }
}

impl Aspect {
    /// The quantity, unless it is the distance.
    pub(super) fn quantity(self) -> Option<Quantity> {
        match self {
            Aspect::Value => Some(Quantity::Value),
            Aspect::Lower => Some(Quantity::Lower),
            Aspect::Upper => Some(Quantity::Upper),
            Aspect::Distance => None,
        }
    }

    /// The kind of table that holds it.
    pub fn kind(self) -> Kind {
        match self {
            Aspect::Value => Kind::Value,
            Aspect::Lower | Aspect::Upper => Kind::Bounds,
            Aspect::Distance => Kind::Distance,
        }
    }
}

/// The rule that gives the right number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The move of this pit.
    Pit(u8),
    /// There is no legal move: the position is terminal.
    Over,
    /// The value is 0, so there is no distance.
    Even,
    /// Endless play alone attains the value, so there is no distance.
    Endless,
}

/// What is wrong with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// It disagrees with the moves, or with the end of the game.
    Disagrees {
        /// The number that follows from them.
        right: i16,
        /// The move, or the end of the game, that does.
        reason: Reason,
        /// A pit, and the board that it leads to, if a number of that board that this one
        /// was computed from fails in turn: the wrong one may be there.
        follows: Option<(u8, Board)>,
    },
    /// A probe returns it, but something else was proven: the table leaves out an entry that
    /// the moves do not give.
    Probed {
        /// The proven number.
        right: i16,
    },
    /// It is the value of the best move, but rests on a loop alone.
    Unfounded {
        /// A pit that keeps the number.
        pit: u8,
        /// The board that it leads to, whose number is unfounded too.
        board: Board,
    },
}

/// A number of a board that is wrong, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The board.
    pub board: Board,
    /// Which of its numbers.
    pub aspect: Aspect,
    /// What is stored.
    pub stored: i16,
    /// What is wrong with it.
    pub flaw: Flaw,
}

impl Failure {
    /// Whether another failure may be the cause of this one.
    pub fn follows(&self) -> bool {
        matches!(
            self.flaw,
            Flaw::Disagrees {
                follows: Some(_),
                ..
            }
        )
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aspect::Value => "value",
            Aspect::Lower => "lower bound",
            Aspect::Upper => "upper bound",
            Aspect::Distance => "distance",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, aspect, stored) = (self.board, self.aspect, self.stored);
        let source = match self.flaw {
            Flaw::Probed { .. } => "is what a probe returns",
            _ => "is stored",
        };
        write!(f, "board {board}: {aspect} {stored} {source}, but ")?;
        match self.flaw {
            Flaw::Disagrees {
                right,
                reason,
                follows,
            } => {
                match reason {
                    Reason::Pit(pit) => write!(f, "pit {pit} makes it {right}")?,
                    Reason::Over => write!(f, "the position is terminal, which makes it {right}")?,
                    Reason::Even => write!(f, "a board of value 0 has {right}")?,
                    Reason::Endless => write!(
                        f,
                        "endless play alone attains the value, which makes it {right}"
                    )?,
                }
                match follows {
                    None => Ok(()),
                    Some((pit, child)) => {
                        write!(f, " (the cause may be {child}, where pit {pit} leads)")
                    }
                }
            }
            Flaw::Probed { right } => write!(f, "{right} was proven"),
            Flaw::Unfounded { pit, board } => write!(
                f,
                "no play attains it: pit {pit} only postpones it, to {board}"
            ),
        }
    }
}

/// How many boards fail, and which ones first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Boards with a wrong number.
    pub boards: u64,
    /// The first failures: those that follow from no other come first, and both kinds are in
    /// the order of the index.
    pub failures: Vec<Failure>,
}

/// Failures, collected batch by batch.
#[derive(Default)]
pub(super) struct Tally {
    boards: u64,
    leading: Vec<Failure>,
    following: Vec<Failure>,
}

impl Tally {
    /// Adds the failures of one board.
    pub fn add(&mut self, failures: &[Failure], most: usize) {
        self.boards += u64::from(!failures.is_empty());
        for failure in failures {
            let list = if failure.follows() {
                &mut self.following
            } else {
                &mut self.leading
            };
            if list.len() < most {
                list.push(*failure);
            }
        }
    }

    /// Both, one after the other.
    pub fn and(mut self, after: Tally, most: usize) -> Tally {
        self.boards += after.boards;
        for (list, more) in [
            (&mut self.leading, after.leading),
            (&mut self.following, after.following),
        ] {
            let free = most.saturating_sub(list.len());
            list.extend(more.into_iter().take(free));
        }
        self
    }

    /// The report, with at most `most` failures.
    pub fn report(mut self, most: usize) -> Report {
        self.leading.append(&mut self.following);
        self.leading.truncate(most);
        Report {
            boards: self.boards,
            failures: self.leading,
        }
    }
}
