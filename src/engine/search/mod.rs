//! The engine: which move to play, and what it is worth.

mod limits;
mod plain;
mod score;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use limits::Limits;
pub use score::Score;

use super::game::Game;
use crate::rules::Ruleset;
use crate::tablebase::Tablebase;

/// How an engine is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// Memory for boards already looked at, in MiB.
    pub memory: usize,
    /// Threads of a search.
    pub threads: usize,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            memory: 64,
            threads: 1,
        }
    }
}

/// Plays any ruleset: looks ahead, and asks tables as soon as a board is in reach.
pub struct Engine {
    rules: Ruleset,
    tables: Option<Arc<Tablebase>>,
}

/// What a search has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Plies looked ahead; 0 where the tables told it all.
    pub depth: u8,
    /// What the board is worth to the player to move.
    pub score: Score,
    /// The best moves of both sides, as pits 0 to 5 of whoever moves. Never empty.
    pub line: Vec<u8>,
    /// Boards looked at.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

impl Engine {
    /// An engine for a ruleset; tables of another one are an error of the caller.
    ///
    /// # Panics
    /// If the tables are of another ruleset.
    pub fn new(rules: Ruleset, tables: Option<Arc<Tablebase>>, _options: EngineOptions) -> Engine {
        assert!(tables.as_ref().is_none_or(|tables| tables.rules() == rules));
        Engine { rules, tables }
    }

    /// The ruleset it plays.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// Forgets what it has seen, before a new game.
    pub fn forget(&mut self) {}

    /// Looks for the best move until a limit is reached or `stop` is set; `on_report`
    /// hears of each depth that is finished. There is always a move, be the time ever
    /// so short; `None` only if the game is over.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _stop: &AtomicBool,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        assert_eq!(game.rules(), self.rules);
        if game.outcome().is_some() {
            return None;
        }
        let began = Instant::now();
        let depth = limits.depth.unwrap_or(4).min(4);
        let (score, line, nodes) = plain::search(game, self.tables.as_deref(), depth)?;
        let report = Report {
            depth,
            score,
            line,
            nodes,
            time: began.elapsed(),
        };
        on_report(&report);
        Some(report)
    }
}
