//! Exact endgame tables for oware (awari, awale, mancala): the tool that solves
//! them, the files they are kept in, and the library that asks them.
//!
//! Two rows of six pits, up to 48 seeds, nine named rulesets of two families.
//! Every board of a solved layer has its exact value: how many seeds more than
//! the opponent the mover takes from here when both play their best.
//!
//! # Asking
//!
//! ```
//! use krou::rules::{Board, Ruleset};
//! use krou::tablebase::Tablebase;
//!
//! // `Tablebase::open(Ruleset::AWARI, &["tables"])` for tables you have built;
//! // the library itself holds those of awari up to 9 seeds.
//! let tables = Tablebase::embedded(Ruleset::AWARI);
//!
//! let board: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse()?;
//! let worth = tables.probe(&board)?;
//! println!("{board}\nworth {} to the mover", worth.value);
//!
//! for m in tables.moves(&board)? {
//!     println!("pit {}: {:?}", m.step.pit, m.result.map(|worth| worth.value));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! From the ground up; each module knows only those before it.
//!
//! - [`rules`]: boards, rulesets, moves and notation, one board at a time. This
//!   is the definition of correct.
//! - [`index`]: from boards to numbers and back.
//! - [`table`]: bytes on disk: one file for one layer of one ruleset.
//! - [`solve`]: all boards of a layer at once, and the proof that they are right.
//! - [`tablebase`]: a ruleset's tables as one thing to ask, build and verify.
//! - [`engine`]: whole games: the engine that plays them, opponents, records,
//!   reviews.
//!
//! # Limits
//!
//! - Six pits a row, at most 48 seeds.
//! - Distances are told up to 255 plies; no board is known that needs more.
//! - Tables are read by position, so that nothing that is done to a file while it is
//!   open does more than cause errors. To map them, which spares a copy, is `unsafe`
//!   (`docs/format.md`).
//! - A table needs those of the layers below it: what captures tell is not stored
//!   twice (`docs/codec.md`).
//! - Solving is fast with four to five bytes of memory for each board of the layer,
//!   lower layers included; what does not fit is streamed from disk.
//!
//! The library prints nothing and knows nothing of the command line; engines
//! switch the features `cli` and `server` off: `default-features = false`.

#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "engine")]
pub mod engine;
pub mod index;
pub mod rules;
#[cfg(feature = "solve")]
pub mod solve;
pub mod table;
pub mod tablebase;

pub use rules::{Board, Ruleset};
pub use tablebase::Tablebase;

/// For the tools of this workspace only: it may change in any release.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "engine")]
    pub use crate::engine::search::{FEATURES, features};
}
