//! Games and positions as text: lists of moves, and OGN, the Oware Game Notation.
//!
//! OGN is the format of the program Aualé: tags as in chess's PGN, a blank line, and
//! numbered moves. `docs/review.md` defines what is read and written.
//!
//! - [`SavedGame`]: a game with its tags, and what the text says about its moves ([`Remark`],
//!   [`Variation`]). [`GameDefaults`]: what a text need not say.
//! - `lexer`: bytes as text ([`decode`]), and text as tokens. `parser`: tokens as games
//!   ([`SavedGame::parse_all`]). `claims`: where a text contradicts its moves;
//!   a move as [`squares()`].
//! - [`ReadGameError`]: the first error in a game, with its line.
//! - `writer`: games as text (`Display`).
//! - [`Setup`]: a position and moves from there, in a line.

mod claims;
mod lexer;
mod parser;
mod saved_game;
mod setup;
mod writer;

pub use claims::squares;
pub use lexer::decode;
pub use saved_game::{GameDefaults, ReadGameError, Remark, SavedGame, Variation, is_tag_name};
pub use setup::{Setup, SetupError};
