//! Boards, rulesets, moves and notation: the readable definition of the games.
//!
//! - [`Board`]: twelve pits, the mover's first.
//! - [`Ruleset`]: which game is played. Nine are named, and the choices of the oware
//!   family combine freely.
//! - [`Position`]: a board with the [`Player`] to move and both [`Stores`].
//! - [`Ruleset::moves`]: every move as a [`Step`], or why it is illegal.
//!
//! A *value* is net seeds from the mover's view, counting only the seeds on the board
//! now: what the mover still takes minus what the opponent still takes, both playing
//! to maximise it. With the opponent to move on `child`, a step is worth
//! `gain − value(child)`: see [`Step::value`].

pub(crate) mod board;
mod choices;
mod moves;
mod notation;
mod oware;
pub(crate) mod packed;
mod packed_board;
mod position;
mod ruleset;
mod sowing;
pub(crate) mod step;
mod stores;
pub(crate) mod value;

pub use crate::words::UnknownWord;
pub use board::{Board, MAX_SEEDS, PITS, ROW, Row, TooManySeeds, row_seeds};
pub use choices::{Choices, NoSuchChoice};
pub use notation::ParseBoardError;
pub(crate) use notation::{plain, shortened};
pub(crate) use oware::sow_seeds;
pub(crate) use packed_board::{COUNTS, ONES, PackedBoard};
pub(crate) use packed_board::{ENDS, ones_and_twos};
pub use position::{Player, Position, Stores};
pub use ruleset::{
    Endless, Feeding, GrandSlam, Leftovers, OwareRules, Ruleset, StoreGame, UnknownRuleset,
};
pub use sowing::SeedEvent;
pub use step::{IllegalMove, Moves, Next, Step};
pub use value::{Bounds, Quantity};
