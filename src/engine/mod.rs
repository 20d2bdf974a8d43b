//! Whole games between two players, for programs that let somebody play.
//!
//! A table knows a board and nothing else; a game also has stores, a player
//! whose turn it is, and an end. This layer keeps those, and knows nothing of
//! the terminal or the network it is played over.
//!
//! - [`Game`]: ruleset, board, stores and the history that tells a repetition;
//!   [`Game::play`] makes a move, [`Game::outcome`] says whether it is over.
//! - [`Player`], [`Stores`]: the two sides and what each has taken.
//! - [`Outcome`], [`Ending`]: how a game ended and who has what.
//! - [`Record`]: a game with all its moves, to go back and to review.
//! - [`SavedGame`]: a record as text, read and written.
//! - [`Reviewer`]: what each move of a game gave away.
//! - [`Oracle`]: whoever knows what a board is worth, such as a table.
//! - [`Engine`]: which move to play, and what it is worth as a [`Score`].
//! - [`Candidate`]: what one of all legal moves is worth.
//! - [`Opponent`]: somebody to play against, of any strength.

mod candidates;
mod game;
mod ogn;
mod opponent;
mod oracle;
mod player;
mod record;
mod review;
mod search;
#[cfg(test)]
mod tests;

pub use candidates::Candidate;
pub use game::{Ending, Game, Outcome, PlayError, Turn};
pub use ogn::{ReadGameError, SavedGame};
pub use opponent::{Level, Opponent, Style};
pub use oracle::{NoTables, Oracle};
pub use player::{Player, Stores};
pub use record::Record;
pub use review::{Forecast, GivenAway, ReviewedMove, Reviewer};
pub use search::{Engine, EngineOptions, Limits, Report, Score};
// For the program that tunes the evaluation.
#[doc(hidden)]
pub use search::{FEATURES, features};
