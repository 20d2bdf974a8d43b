//! Games as text: lists of moves, and OGN, the Oware Game Notation.
//!
//! OGN is the format of the program Aualé: tags as in chess's PGN, a blank line, and
//! numbered moves. `docs/review.md` defines what is read and written.
//!
//! - [`SavedGame`]: a game with its tags. [`SavedGame::parse`] (`read`) reads it, and
//!   `Display` (`write`) writes it.
//! - [`ReadGameError`]: the first error in a text, with its line.

mod error;
mod read;
mod saved_game;
mod write;

pub use error::ReadGameError;
pub use saved_game::SavedGame;
