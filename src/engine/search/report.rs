//! The result of a search.

use std::time::Duration;

use super::score::Score;

/// The result of a game for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// They win.
    Win,
    /// Nobody wins.
    Draw,
    /// They lose.
    Loss,
}

impl GameResult {
    /// The result of a game that ends with this margin.
    pub(super) fn of_margin(margin: i16) -> GameResult {
        match margin {
            0 => GameResult::Draw,
            1.. => GameResult::Win,
            _ => GameResult::Loss,
        }
    }
}

/// The result of a search, or of one of its iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchReport {
    /// The last completed depth in plies; 0 if the move came from the tables alone or
    /// there was no time to search.
    pub depth: u8,
    /// The deepest ply that was searched.
    pub selective_depth: u8,
    /// The score for the player to move.
    pub score: Score,
    /// The result of the game with best play by both, if the search found it out. Where
    /// endless play is settled by side, it counts boards that repeat on the searched
    /// path as settled.
    pub result: Option<GameResult>,
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
            selective_depth: 0,
            score,
            result: None,
            pv,
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}
