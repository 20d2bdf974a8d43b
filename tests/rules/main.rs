//! The rules through the public API: numbers of move sequences, and properties of every board
//! and every move.

mod perft;
mod properties;
mod sowing;
