//! The result of a search.

use std::time::Duration;

use super::score::Score;
use crate::rules::{Bounds, MAX_SEEDS};

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
    /// Its name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::Win => "win",
            GameResult::Draw => "draw",
            GameResult::Loss => "loss",
        }
    }

    /// The result of a game that ends with a margin from `lower` to `upper`, if it is certain.
    pub(in crate::engine) fn within(lower: i8, upper: i8) -> Option<GameResult> {
        match (lower, upper) {
            (1.., _) => Some(GameResult::Win),
            (_, ..=-1) => Some(GameResult::Loss),
            (0, 0) => Some(GameResult::Draw),
            _ => None,
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
    /// The score for the player to move, which is that of the best move.
    pub score: Score,
    /// Whether the score is a lower bound of that of the next depth, within which the search
    /// was stopped. Otherwise it is that of `depth`.
    pub is_lower_bound: bool,
    /// What is proven about the score, in seeds.
    pub proven: Bounds,
    /// The result of the game with best play by both, if the search found it out. Where
    /// endless play is settled by side, it counts boards that repeat on the searched
    /// path as settled.
    pub result: Option<GameResult>,
    /// The principal variation: the best moves of both sides, as pits 0 to 5 of
    /// whoever moves. Never empty.
    pub pv: Vec<u8>,
    /// The moves next to the best one, best first, if the limits ask for more than one
    /// line. There are fewer if there are fewer moves.
    pub others: Vec<SearchLine>,
    /// Other pits that are as good as the best move: they keep the value and lead as fast
    /// to a conversion. Only if the move came from the tables alone.
    pub ties: Vec<u8>,
    /// Nodes searched.
    pub nodes: u64,
    /// Boards of the search that the tables knew.
    pub table_hits: u64,
    /// How much of the transposition table has results of this search, in thousandths.
    pub hash_full: u16,
    /// Time since the search began.
    pub time: Duration,
}

/// A move that is not the best one, with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchLine {
    /// The depth of its score in plies; 0 if the score came from tables.
    pub depth: u8,
    /// The score of the move for the player who makes it. It is exact if the value of
    /// the move is proven.
    pub score: Score,
    /// What is proven about the score, in seeds.
    pub proven: Bounds,
    /// The result of the game after this move, if it was found out.
    pub result: Option<GameResult>,
    /// The move and the best ones of both sides after it, as pits 0 to 5 of whoever
    /// moves. Never empty.
    pub pv: Vec<u8>,
}

impl SearchReport {
    /// A report of a move that needed no search: depth, nodes and time are 0.
    pub fn new(score: Score, pv: Vec<u8>) -> SearchReport {
        SearchReport {
            depth: 0,
            selective_depth: 0,
            score,
            is_lower_bound: false,
            proven: proven(score),
            result: None,
            pv,
            others: Vec::new(),
            ties: Vec::new(),
            nodes: 0,
            table_hits: 0,
            hash_full: 0,
            time: Duration::ZERO,
        }
    }

    /// The best move and the others as lines, best first.
    pub fn lines(&self) -> Vec<SearchLine> {
        let best = SearchLine {
            depth: self.depth,
            score: self.score,
            proven: self.proven,
            result: self.result,
            pv: self.pv.clone(),
        };
        [&[best], &self.others[..]].concat()
    }
}

impl SearchLine {
    /// A line with this score; its depth is 0.
    pub fn new(score: Score, pv: Vec<u8>) -> SearchLine {
        SearchLine {
            depth: 0,
            score,
            proven: proven(score),
            result: None,
            pv,
        }
    }
}

/// The bounds that a score alone proves.
fn proven(score: Score) -> Bounds {
    match score.is_exact() {
        true => Bounds::of_value((score.hundredths() / 100) as i8),
        false => Bounds {
            lower: -MAX_SEEDS.cast_signed(),
            upper: MAX_SEEDS.cast_signed(),
        },
    }
}
