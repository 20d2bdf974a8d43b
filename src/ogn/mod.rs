//! Games and positions as text: lists of moves, and OGN, the Oware Game Notation.
//!
//! OGN is the format of the program Aualé: tags as in chess's PGN, a blank line, and
//! numbered moves. `docs/review.md` defines what is read and written.
//!
//! - [`SavedGame`]: a game with its tags. [`SavedGame::parse_all`] (`read`) reads all games of
//!   a text, and `Display` (`write`) writes one. [`GameDefaults`]: what a text need not say.
//! - [`Remark`], [`Variation`]: what a text says about moves.
//! - [`ReadGameError`]: the first error in a game, with its line.
//! - `decode`: the bytes of a file as text.
//! - [`Setup`]: a position and moves from there, in a line.

mod claims;
mod decode;
mod error;
mod move_text;
mod read;
mod remark;
mod saved_game;
mod scanner;
mod setup;
mod write;

pub use decode::decode;
pub use error::ReadGameError;
pub use remark::{Remark, Variation};
pub use saved_game::{GameDefaults, SavedGame, is_tag_name};
pub use setup::{Setup, SetupError};
