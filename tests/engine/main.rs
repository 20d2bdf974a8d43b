//! The engine through the public API.

mod book;
mod damaged_tables;
mod game;
mod limits;
mod lines;
mod ogn;
mod opponents;
#[path = "../support/puzzles.rs"]
mod puzzle_claim;
mod puzzles;
mod signature;
mod support;
