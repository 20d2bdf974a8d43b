//! Exact endgame tables for oware (awari, awale, mancala): the solver, the table files,
//! and the library that probes them.
//!
//! Two rows of six pits, up to 48 seeds, nine named rulesets of two families. Every board
//! of a solved layer has its exact value: how many seeds more than the opponent the mover
//! takes from here with best play by both.
//!
//! # Probing
//!
//! ```
//! use krou::{Board, Ruleset, Tablebase};
//!
//! // Tables that you have built in the folder `tables`, where it has them; else those
//! // inside the library, of awari and abapa up to 9 seeds:
//! // Tablebase::open(Ruleset::AWARI, ["tables"])?
//! let tables = Tablebase::embedded(Ruleset::AWARI);
//!
//! let board: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse()?;
//! let result = tables.probe(&board)?;
//! println!("{}\nvalue {} for the mover", board.drawing(), result.value);
//!
//! for m in tables.moves(&board)? {
//!     println!("pit {}: {:?}", m.step.pit, m.result.map(|result| result.value));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! From the ground up; each module depends only on those before it.
//!
//! - [`rules`]: boards, rulesets, moves and notation, one board at a time. This is the
//!   definition of correct.
//! - [`index`]: from boards to numbers and back.
//! - [`table`]: files, each with one kind of content for one layer of one ruleset.
//! - `solve`: all boards of a layer at once, and the proof that they are right.
//! - [`tablebase`]: a ruleset's tables as one object to probe and build.
//! - `engine`: whole games, and the engine that plays them.
//!
//! The module `internal`, which is hidden, has what only the program and the bindings use, such
//! as game records, reviews and the parts of the solver: it may change in any release.
//! `Display` of an error is one sentence with its cause and what to do; its `source()` never
//! repeats that.
//!
//! # Features
//!
//! By default, a program can probe tables: `mmap` maps them into memory. The other features add
//! to this:
//!
//! - `zstd`: tables of the codec `zstd`, which needs a C compiler.
//! - `solve`: solving, and everything that reads or writes whole layers: build, verify,
//!   repack, export, statistics. With it, [`Tablebase::probe_all`] uses all threads.
//! - `engine`: the module `engine`.
//! - `serde`: `Serialize` and `Deserialize` for boards, rulesets, steps and results.
//! - `remote`: tables on a web host: `TablebaseBuilder::url`, `Host`.
//! - `mpi`: several processes that solve a layer together.
//!
//! # Limits
//!
//! - Six pits a row, at most 48 seeds.
//! - Distances up to 255 plies; no board is known that needs more.
//! - Tables are read with positional reads, so that a file that changes while it is open
//!   causes errors and nothing worse. Mapping them saves a copy and is `unsafe`
//!   (`docs/format.md`).
//! - A table needs those of the layers below it: codecs that are not exact leave out what
//!   conversions say (`docs/internals/codec.md`).
//! - Solving is fast with four to five bytes of memory for each board of the layer, lower
//!   layers included; arrays that do not fit are in files, and the solver reads in time what
//!   it needs next.
//!
//! The library prints nothing and does not depend on the command line.

#![deny(clippy::print_stdout, clippy::print_stderr)]
// With fewer features some of it has no user.
#![cfg_attr(
    not(all(
        feature = "engine",
        feature = "mmap",
        feature = "remote",
        feature = "solve"
    )),
    allow(dead_code, unused_imports)
)]

#[cfg(any(feature = "engine", feature = "solve"))]
mod cpu;
#[cfg(feature = "engine")]
pub mod engine;
pub mod index;
#[doc(hidden)]
pub mod internal;
mod many;
#[cfg(feature = "engine")]
pub mod ogn;
#[cfg(feature = "solve")]
mod parallel;
#[cfg(not(feature = "solve"))]
#[path = "serial.rs"]
mod parallel;
mod positional;
pub mod ranges;
#[cfg(feature = "remote")]
mod remote;
pub mod rules;
#[cfg(feature = "solve")]
pub mod solve;
pub mod table;
pub mod tablebase;
mod words;

pub use rules::{Board, Ruleset};
pub use tablebase::Tablebase;

// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
