//! Exact endgame tables for oware.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod engine;
pub mod index;
pub mod rules;
pub mod solve;
pub mod table;
pub mod tablebase;
