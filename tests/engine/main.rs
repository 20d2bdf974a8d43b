//! The engine through the public API.

mod damaged_tables;
mod game;
mod histories;
mod limits;
mod lines;
mod ogn;
mod opponents;
mod signature;
mod support;
