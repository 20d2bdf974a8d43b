//! Boards, rulesets, moves and notation: the readable definition of the games.
//!
//! - [`Board`]: twelve pits, the mover's first.
//! - [`Ruleset`]: which game is played; nine are named, and the oware family's
//!   choices combine freely.
//! - [`Ruleset::moves`]: every move as a [`Step`], or why it is illegal.
//!
//! **Values.** A *value* is net seeds from the mover's view, counting only the
//! seeds on the board now: what he still takes minus what the opponent still
//! takes, both playing to maximise it. With the opponent to move on `child`, a
//! step is worth `gain − value(child)`: see [`Step::value`].

mod board;
mod moves;
mod notation;
mod oware;
mod ruleset;
mod stores;

pub use board::{Board, MAX_SEEDS, PITS, ROW, Row, TooManySeeds, row_seeds};
pub use moves::{IllegalMove, Moves, Next, Step};
pub(crate) use notation::shortened;
pub use notation::{ParseBoardError, Position};
pub use ruleset::{
    Endless, Feeding, GrandSlam, Leftovers, OwareRules, Ruleset, StoreGame, UnknownRuleset,
};
