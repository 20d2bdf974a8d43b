//! The engine through the public API.

mod game;
mod limits;
mod ogn;
mod opponents;
mod signature;
mod support;
