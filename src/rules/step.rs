//! The result of a move, or why it is illegal: the types that the rules of both families
//! return.

use std::fmt;

use thiserror::Error;

use super::board::{Board, ROW};
use super::value::Bounds;

/// Who is to move after a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Next {
    /// The opponent; the step's board is turned to their side.
    Opponent,
    /// The same player again (store family); the board is not turned.
    Again,
    /// Nobody: the step ended the game.
    Over,
}

impl Next {
    /// The value of a move that gains `gain` net seeds, where `child` is the value of the
    /// board that it leads to for the player to move there.
    #[inline]
    pub(crate) fn value(self, gain: i8, child: i8) -> i8 {
        match self {
            Next::Opponent => gain - child,
            Next::Again => gain + child,
            Next::Over => gain,
        }
    }
}

/// What playing one pit does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Step {
    /// The pit played, 0 to 5.
    pub pit: u8,
    /// Seeds taken by a capture.
    pub captured: u8,
    /// Net seeds that the mover takes by this step: captures, seeds sown into the
    /// store, and what the end of the game gives either side. −48 to 48.
    pub gain: i8,
    /// The board as the next player sees it; empty where the game is over, since
    /// the gain then includes the seeds that were left.
    pub board: Board,
    /// Who moves next.
    pub next: Next,
}

impl Step {
    /// The value of the whole move for the mover, where `child` is the value of the
    /// board that it leads to for the player to move there.
    pub fn value(&self, child: i8) -> i8 {
        self.next.value(self.gain, child)
    }

    /// The bounds of the whole move for the mover, where `child` are those of the
    /// board that it leads to.
    pub fn bounds(&self, child: Bounds) -> Bounds {
        let child = match self.next {
            Next::Opponent => child.of_opponent(),
            Next::Again => child,
            Next::Over => Bounds::of_value(0),
        };
        Bounds {
            lower: self.gain + child.lower,
            upper: self.gain + child.upper,
        }
    }

    /// Whether the move is quiet: no seed leaves the board, the game goes on, and
    /// the opponent is to move.
    pub fn is_quiet(&self, seeds_before: u8) -> bool {
        self.next == Next::Opponent && self.board.seeds() == seeds_before
    }
}

/// Why a pit may not be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("{}", self.named(|pit| pit))]
#[non_exhaustive]
// Without it a `Result<Step, IllegalMove>` fits into two registers and is assembled there
// byte by byte, which costs a cached probe 2.4 % more instructions.
#[repr(align(8))]
pub enum IllegalMove {
    /// Not one of the mover's pits.
    NotYours {
        /// The pit asked for.
        pit: u8,
    },
    /// Nothing to sow.
    Empty {
        /// The pit asked for.
        pit: u8,
    },
    /// A quiet move that leaves the opponent without seeds although another move
    /// would feed them.
    Starves {
        /// The pit asked for.
        pit: u8,
        /// The first pit that feeds the opponent.
        other: u8,
    },
    /// A quiet move that leaves the opponent without seeds, and no legal move
    /// would feed them: the game is over, or only a grand slam is left.
    CannotFeed {
        /// The pit asked for.
        pit: u8,
    },
    /// A grand slam that is legal only when forced.
    GrandSlam {
        /// The pit asked for.
        pit: u8,
        /// The first pit that leaves the opponent seeds.
        other: u8,
    },
    /// A grand slam under rules that never allow one.
    GrandSlamBanned {
        /// The pit asked for.
        pit: u8,
    },
}

impl IllegalMove {
    /// The reason as a word for programs.
    pub fn as_str(&self) -> &'static str {
        match self {
            IllegalMove::NotYours { .. } => "other",
            IllegalMove::Empty { .. } => "empty",
            IllegalMove::Starves { .. } => "must-feed",
            IllegalMove::CannotFeed { .. } => "cannot-feed",
            IllegalMove::GrandSlam { .. } => "grand-slam",
            IllegalMove::GrandSlamBanned { .. } => "grand-slam-banned",
        }
    }

    /// The reason as a sentence, with these names for the mover's pits, such as
    /// letters.
    ///
    /// ```
    /// use krou::rules::{Board, Ruleset};
    ///
    /// let board: Board = "0 1 0 0 0 1 / 0 0 0 0 0 0".parse()?;
    /// let reason = Ruleset::AWARI.play(&board, 1).unwrap_err();
    /// assert_eq!(
    ///     reason.named(|pit| char::from(b'a' + pit)),
    ///     "pit b would leave the opponent without seeds while pit f would not",
    /// );
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    pub fn named<N: fmt::Display>(&self, name: impl Fn(u8) -> N) -> String {
        match *self {
            IllegalMove::NotYours { pit } => {
                format!("there is no pit {pit} to play: the mover's pits are 0 to 5")
            }
            IllegalMove::Empty { pit } => format!("pit {} is empty", name(pit)),
            IllegalMove::Starves { pit, other } => format!(
                "pit {} would leave the opponent without seeds while pit {} would not",
                name(pit),
                name(other)
            ),
            IllegalMove::CannotFeed { pit } => {
                format!("pit {} would leave the opponent without seeds", name(pit))
            }
            IllegalMove::GrandSlam { pit, other } => format!(
                "pit {} would capture the opponent's last seeds while pit {} would not",
                name(pit),
                name(other)
            ),
            IllegalMove::GrandSlamBanned { pit } => format!(
                "pit {} would capture the opponent's last seeds, which these rules never allow",
                name(pit)
            ),
        }
    }
}

/// All six pits of the mover: what each does, or why it may not be played.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    pits: [Result<Step, IllegalMove>; ROW],
    terminal_value: i8,
}

impl Moves {
    /// `terminal_value` is the value of the board if no pit is legal.
    pub(super) fn new(pits: [Result<Step, IllegalMove>; ROW], terminal_value: i8) -> Moves {
        Moves {
            pits,
            terminal_value,
        }
    }

    /// The legal moves, by pit.
    pub fn legal(&self) -> impl Iterator<Item = Step> + '_ {
        self.pits.iter().filter_map(|pit| pit.ok())
    }

    /// Each pit's step, or the reason why it may not be played.
    pub fn by_pit(&self) -> &[Result<Step, IllegalMove>; ROW] {
        &self.pits
    }

    /// The value of a terminal position; `None` if there is a legal move.
    pub fn terminal_value(&self) -> Option<i8> {
        self.legal().next().is_none().then_some(self.terminal_value)
    }
}
