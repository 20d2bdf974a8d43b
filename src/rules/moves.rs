//! Moves on a single board: this is the definition of correct.
//!
//! [`Ruleset::moves`] gives for each of the mover's pits either the [`Step`]
//! that playing it makes or the [`IllegalMove`] that says why it may not be
//! played. Everything faster in krou is tested against it.

use std::fmt;

use thiserror::Error;

use super::board::{Board, ROW};
use super::ruleset::Ruleset;
use super::{oware, stores};

/// Who is to move after a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Next {
    /// The opponent; the step's board is turned to his side.
    Opponent,
    /// The same player again (store family); the board is not turned.
    Again,
    /// Nobody: the step ended the game.
    Over,
}

/// What playing one pit does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The pit played, 0 to 5.
    pub pit: u8,
    /// Seeds taken by a capture.
    pub captured: u8,
    /// Net seeds the mover has taken by this step: captures, his store, and
    /// what the end of the game gives either side. −48 to 48.
    pub gain: i8,
    /// The board as the next player sees it; empty where the game is over,
    /// since all that lay there is part of the gain.
    pub board: Board,
    /// Who moves next.
    pub next: Next,
}

impl Step {
    /// What the whole move is worth to the mover, in net seeds, when the board
    /// it leads to is worth `child` to the player who moves there.
    pub fn value(&self, child: i8) -> i8 {
        match self.next {
            Next::Opponent => self.gain - child,
            Next::Again => self.gain + child,
            Next::Over => self.gain,
        }
    }

    /// Whether the step only moves seeds about: nothing is taken, the game
    /// goes on, and the opponent faces as many seeds as the mover did.
    pub fn is_quiet(&self, seeds_before: u8) -> bool {
        self.next == Next::Opponent && self.board.seeds() == seeds_before
    }
}

/// Why a pit may not be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("{}", self.named(|pit| pit))]
#[non_exhaustive]
pub enum IllegalMove {
    /// Not one of the mover's pits.
    NotYours {
        /// The pit asked for.
        pit: usize,
    },
    /// Nothing to sow.
    Empty {
        /// The pit asked for.
        pit: usize,
    },
    /// A quiet move that leaves the opponent without seeds though another move
    /// would feed him.
    Starves {
        /// The pit asked for.
        pit: usize,
        /// The first pit that feeds him.
        other: usize,
    },
    /// A quiet move that leaves the opponent without seeds, and no legal move
    /// would feed him: the game is over, or only a grand slam is left.
    CannotFeed {
        /// The pit asked for.
        pit: usize,
    },
    /// A grand slam that is legal only when forced.
    GrandSlam {
        /// The pit asked for.
        pit: usize,
        /// The first pit that leaves him seeds.
        other: usize,
    },
    /// A grand slam under rules that never allow one.
    GrandSlamBanned {
        /// The pit asked for.
        pit: usize,
    },
}

impl IllegalMove {
    /// The refusal in a sentence, with these names for the mover's pits, such as
    /// letters.
    ///
    /// ```
    /// use krou::engine::Player;
    /// use krou::rules::{Board, Ruleset};
    ///
    /// let board: Board = "0 1 0 0 0 1 / 0 0 0 0 0 0".parse()?;
    /// let refusal = Ruleset::AWARI.play(&board, 1).unwrap_err();
    /// assert_eq!(
    ///     refusal.named(|pit| Player::North.letter(pit)),
    ///     "pit b would leave the opponent without seeds while pit f would not",
    /// );
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    pub fn named<N: fmt::Display>(&self, name: impl Fn(usize) -> N) -> String {
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

    /// The same refusal in the words of players who number the mover's pits
    /// from `first` on: North, for whom a board is turned round, sees his pits
    /// as 6 to 11.
    ///
    /// [`IllegalMove::NotYours`] stays as it is, since a pit that is not the
    /// mover's has no number of his.
    ///
    /// ```
    /// use krou::rules::{Board, Ruleset};
    ///
    /// let board: Board = "0 1 0 0 0 1 / 0 0 0 0 0 0".parse()?;
    /// let refusal = Ruleset::AWARI.play(&board, 1).unwrap_err();
    /// assert_eq!(
    ///     refusal.numbered_from(6).to_string(),
    ///     "pit 7 would leave the opponent without seeds while pit 11 would not",
    /// );
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    #[must_use]
    pub fn numbered_from(mut self, first: usize) -> IllegalMove {
        match &mut self {
            IllegalMove::NotYours { .. } => {}
            IllegalMove::Empty { pit }
            | IllegalMove::CannotFeed { pit }
            | IllegalMove::GrandSlamBanned { pit } => *pit = pit.saturating_add(first),
            IllegalMove::Starves { pit, other } | IllegalMove::GrandSlam { pit, other } => {
                *pit = pit.saturating_add(first);
                *other = other.saturating_add(first);
            }
        }
        self
    }
}

/// All six pits of the mover: what each does, or why it may not be played.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    pits: [Result<Step, IllegalMove>; ROW],
    stuck: i8,
}

impl Moves {
    /// `stuck` is what the game is worth to the mover if no pit is legal.
    pub(super) fn new(pits: [Result<Step, IllegalMove>; ROW], stuck: i8) -> Moves {
        Moves { pits, stuck }
    }

    /// The legal moves, by pit.
    pub fn legal(&self) -> impl Iterator<Item = Step> + '_ {
        self.pits.iter().filter_map(|pit| pit.ok())
    }

    /// Each pit's step or the reason against it.
    pub fn by_pit(&self) -> &[Result<Step, IllegalMove>; ROW] {
        &self.pits
    }

    /// Net seeds for the mover if he has no legal move and the game is over.
    pub fn over(&self) -> Option<i8> {
        self.legal().next().is_none().then_some(self.stuck)
    }
}

impl Ruleset {
    /// Every move of the player to move.
    ///
    /// ```
    /// use krou::rules::{Board, Ruleset};
    ///
    /// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
    /// let moves = Ruleset::AWARI.moves(&board);
    /// let step = moves.legal().next().unwrap();
    /// assert_eq!((step.pit, step.captured), (5, 3));
    /// assert_eq!(step.board.notation(), "0 0 0 0 0 1 / 0 0 0 0 0 0");
    /// # Ok::<(), krou::rules::ParseBoardError>(())
    /// ```
    pub fn moves(self, board: &Board) -> Moves {
        match self {
            Ruleset::Oware(rules) => oware::moves(rules, board),
            Ruleset::Stores(game) => stores::moves(game, board),
        }
    }

    /// Plays one pit.
    ///
    /// # Errors
    /// If it may not be played, why.
    pub fn play(self, board: &Board, pit: usize) -> Result<Step, IllegalMove> {
        if pit >= ROW {
            return Err(IllegalMove::NotYours { pit });
        }
        self.moves(board).pits[pit]
    }
}
