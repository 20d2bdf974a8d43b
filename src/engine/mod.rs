//! Games between two players: playing, searching, recording and reviewing them.
//!
//! A table only knows boards. A game also has stores, a player to move and an end. This
//! module is independent of terminals and networks.
//!
//! - [`Game`]: a game in progress; [`Game::play`] makes a move, and [`Game::outcome`]
//!   returns the result once the game is over.
//! - [`Player`], [`Stores`]: the two players and the seeds that each has taken.
//! - [`Outcome`], [`Ending`]: the result of a game and the reason for its end.
//! - [`Record`]: a game with all its moves; [`crate::ogn`] reads and writes it as text.
//! - [`Engine`]: searches for the best move; the [`SearchReport`] has its [`Score`].
//! - [`Opponent`]: chooses moves with a [`Style`] and a [`Level`].
//! - [`Book`]: an opening book.
//! - [`Reviewer`]: what each move of a game gave away.
//! - [`TableSource`]: a source of exact values, such as a tablebase.
//! - [`TableErrors`]: the tables that could not be read during play.

mod book;
mod game;
mod level;
mod opponent;
mod player;
mod record;
mod review;
pub(crate) mod search;
mod sentences;
mod table_errors;
mod table_source;
#[cfg(test)]
mod test_random;

pub use book::{Book, BookMove, ReadBookError};
pub use game::{Ending, Game, Outcome, PlayError, Turn};
pub use level::{Level, ParseLevelError};
pub use opponent::{Opponent, Style};
pub use player::{Player, Stores};
pub use record::Record;
pub use review::{
    Forecast, PlayerReview, PlayerReviews, ReviewedMove, ReviewedPosition, Reviewer, key_moments,
};
pub use search::{
    Aim, Engine, EngineOptions, GameResult, Limits, Score, SearchLine, SearchReport, SlicedSearch,
};
pub use sentences::{ending_sentence, result_sentence};
pub use table_errors::TableErrors;
pub use table_source::{NoTables, TableSource};

// Programs search on another thread than the one that talks to the user.
const _: () = {
    const fn assert_send<T: Send>() {}
    assert_send::<Engine>();
    assert_send::<Game>();
    assert_send::<Opponent>();
    assert_send::<Reviewer>();
};
