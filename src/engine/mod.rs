//! Games between two players: playing, searching, recording and reviewing them.
//!
//! A table only knows boards. A game also has stores, a player to move and an end. This
//! module is independent of terminals and networks.
//!
//! - [`Game`]: a game in progress; [`Game::play`] makes a move, and [`Game::outcome`]
//!   returns the result once the game is over.
//! - [`Outcome`], [`Ending`]: the result of a game and the reason for its end.
//! - [`Engine`]: searches for the best move; the [`SearchReport`] has its [`Score`].
//! - [`TableErrors`]: the tables that could not be read during play.
//! - [`Record`]: a game with all its moves; [`ogn`](crate::ogn) reads and writes it as text.
//! - [`Opponent`]: chooses moves with a [`Style`] and a [`Level`].
//! - [`Reviewer`]: judges the moves of a game; the [`Review`] says what each gave away.

mod game;
mod glance;
mod letters;
pub(crate) mod level;
pub(crate) mod opponent;
pub(crate) mod record;
pub(crate) mod review;
pub(crate) mod reviewed;
pub(crate) mod search;
pub(crate) mod sentences;
mod table_errors;
mod table_source;
#[cfg(test)]
mod test_random;
mod worth;

pub use game::{Ending, Game, Outcome, PlayError, Turn};
pub use level::{Level, ParseLevelError};
pub use opponent::{Opponent, Style};
pub use record::Record;
pub use review::Reviewer;
pub use reviewed::{Forecast, PlayerReview, PlayerReviews, Review, ReviewedMove, ReviewedPosition};
pub use search::{
    Aim, Engine, EngineOptions, GameResult, Limits, Score, SearchLine, SearchReport, SlicedSearch,
};
pub use sentences::{ending_sentence, result_sentence};
pub use table_errors::TableErrors;

// Programs search on another thread than the one that talks to the user.
const _: () = {
    const fn assert_send<T: Send>() {}
    assert_send::<Engine>();
    assert_send::<Game>();
    assert_send::<opponent::Opponent>();
    assert_send::<review::Reviewer>();
};
