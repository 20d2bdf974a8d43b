//! What is wrong with a board, and how it is told.
//!
//! A number is made of the numbers of the boards that its moves lead to. So where
//! it is not what they make it, either may be the wrong one. A failure therefore
//! says whether a number that it was made of fails as well. Where one single
//! number of a layer is wrong, its board is the only one of which this is not so.

use std::fmt;

use crate::rules::Board;
use crate::solve::solved::Quantity;
use crate::table::Kind;

/// Which number of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    fn from(number: Quantity) -> Aspect {
        match number {
            Quantity::Value => Aspect::Value,
            Quantity::Lower => Aspect::Lower,
            Quantity::Upper => Aspect::Upper,
        }
    }
}

impl Aspect {
    /// The number that it is, if it is no distance.
    pub(super) fn number(self) -> Option<Quantity> {
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

/// What makes a number what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The move of this pit.
    Pit(u8),
    /// There is no legal move: the game is over.
    Over,
    /// The value is 0, so there is no distance to tell.
    Even,
}

/// What is wrong with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// It is not what the moves, or the end of the game, make it.
    Disagrees {
        /// What they make it.
        right: i16,
        /// What of them does.
        reason: Reason,
        /// A pit that leads to a board, and that board, where one of the numbers
        /// that this one is made of fails in turn: the wrong one may be there.
        follows: Option<(u8, Board)>,
    },
    /// It is what a probe tells, but not what was proven. The table leaves something
    /// to the moves which these do not tell.
    Probed {
        /// What was proven.
        right: i16,
    },
    /// It is that of the best move, but only by going round in a loop.
    Unfounded {
        /// A pit that keeps the number.
        pit: u8,
        /// The board that it leads to, whose number is unfounded too.
        board: Board,
    },
}

/// A number of a board that is wrong, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
        let (board, aspect, stored) = (self.board.notation(), self.aspect, self.stored);
        let told = match self.flaw {
            Flaw::Probed { .. } => "is what a probe tells",
            _ => "is stored",
        };
        write!(f, "board {board}: {aspect} {stored} {told}, but ")?;
        match self.flaw {
            Flaw::Disagrees {
                right,
                reason,
                follows,
            } => {
                match reason {
                    Reason::Pit(pit) => write!(f, "pit {pit} makes it {right}")?,
                    Reason::Over => write!(f, "the game is over there, which makes it {right}")?,
                    Reason::Even => write!(f, "a board of value 0 has {right}")?,
                }
                match follows {
                    None => Ok(()),
                    Some((pit, child)) => write!(
                        f,
                        " (which may be the fault of {}, where pit {pit} leads)",
                        child.notation()
                    ),
                }
            }
            Flaw::Probed { right } => write!(f, "{right} was proven"),
            Flaw::Unfounded { pit, board } => write!(
                f,
                "no play brings it about: pit {pit} only puts it off, to {}",
                board.notation()
            ),
        }
    }
}

/// How many boards fail, and which ones first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Boards of which some number fails.
    pub boards: u64,
    /// The first failures: those that follow from no other come before the
    /// others, and both are in the order of the index.
    pub failures: Vec<Failure>,
}

/// Failures as they are gathered, stretch by stretch.
#[derive(Default)]
pub(super) struct Tally {
    boards: u64,
    leading: Vec<Failure>,
    following: Vec<Failure>,
}

impl Tally {
    /// Adds those of one board.
    pub fn add(&mut self, failures: &[Failure], most: usize) {
        self.boards += u64::from(!failures.is_empty());
        for failure in failures {
            let list = match failure.follows() {
                true => &mut self.following,
                false => &mut self.leading,
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
            let room = most.saturating_sub(list.len());
            list.extend(more.into_iter().take(room));
        }
        self
    }

    /// At most `most` of all.
    pub fn report(mut self, most: usize) -> Report {
        self.leading.append(&mut self.following);
        self.leading.truncate(most);
        Report {
            boards: self.boards,
            failures: self.leading,
        }
    }
}
