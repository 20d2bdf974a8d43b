//! The engine through the public API.

mod game;
mod limits;
mod lines;
mod ogn;
mod opponents;
mod signature;
mod support;
