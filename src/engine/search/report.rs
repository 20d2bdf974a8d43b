//! The result of a search.

use std::time::Duration;

use super::score::Score;

/// The result of a search, or of one of its iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchReport {
    /// The last completed depth in plies; 0 if the move came from the tables alone or
    /// there was no time to search.
    pub depth: u8,
    /// The score for the player to move.
    pub score: Score,
    /// The principal variation: the best moves of both sides, as pits 0 to 5 of
    /// whoever moves. Never empty.
    pub pv: Vec<u8>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

impl SearchReport {
    /// A report of a move that needed no search: depth, nodes and time are 0.
    pub fn new(score: Score, pv: Vec<u8>) -> SearchReport {
        SearchReport {
            depth: 0,
            score,
            pv,
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}
