//! An exact endgame tablebase for oware (awari, abapa, awale and other mancala games):
//! the solver that computes it by retrograde analysis, the files that store it, the
//! library that probes it, and an engine.
//!
//! Boards have two rows of six pits and up to 48 seeds; nine rulesets of two families
//! are named. Every board of a solved layer has its exact value: the net seeds that the
//! mover will take from here with best play by both players.
//!
//! # Probing
//!
//! ```
//! use krou::{Board, Ruleset, Tablebase};
//!
//! // `Tablebase::open(Ruleset::AWARI, &["tables"])` opens tables that you have built;
//! // the library itself contains those of awari up to 9 seeds.
//! let tables = Tablebase::embedded(Ruleset::AWARI);
//!
//! let board: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse()?;
//! let result = tables.probe(&board)?;
//! println!("{board}\nvalue {} for the mover", result.value);
//!
//! for m in tables.moves(&board)? {
//!     println!("pit {}: {:?}", m.step.pit, m.result.map(|result| result.value));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! Each module depends only on those before it:
//!
//! - [`rules`]: boards, rulesets, moves and notation, one board at a time. This
//!   is the definition of correct.
//! - [`index`]: numbers the boards of a layer.
//! - [`table`]: table files, one for each layer and kind of content.
//! - `solve` (feature `solve`): solves whole layers, and proves them right.
//! - [`tablebase`]: the tables of a ruleset as one object to probe, build and verify.
//! - `engine` (feature `engine`): whole games: an engine, opponents, records and
//!   reviews.
//!
//! # Limits
//!
//! - Six pits a row, at most 48 seeds.
//! - Distances of at most 255 plies; no board is known that needs more.
//! - Tables are read by position, so that a change to an open file causes at most an
//!   error. Mapping them saves a copy but is `unsafe` (`docs/format.md`).
//! - A table needs those of the lower layers: values that captures imply are not stored
//!   again (`docs/codec.md`).
//! - Solving is fastest with four to five bytes of memory for each board of the layer,
//!   lower layers included; anything that does not fit is spilled to disk.
//!
//! The library prints nothing and does not depend on the command line; programs that
//! embed it switch off the features `cli` and `server`: `default-features = false`.

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

// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
