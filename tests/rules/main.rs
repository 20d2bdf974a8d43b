//! The rules from outside: how many moves there are, and what holds for every board
//! and every move.
#![cfg(feature = "solve")]

mod perft;
mod properties;
