//! The engine: which move to play, and what it is worth.
//!
//! - [`Engine`]: one search of a game, within [`Limits`], to a [`Report`].
//! - `perfect`: what to do inside the tables, with `distance` where they do not tell
//!   how long it takes.
//! - `deepen`: searches one ply deeper each time; `tree` is one of these searches, with
//!   a table of boards already seen (`transposition`), good moves first (`order`), and
//!   the boards that came up before (`history`).
//! - `claim`: what is said of a board, and how much of it is proven; [`Score`] is what
//!   of that is told.
//! - `busy`: which boards other threads are looking at.
//! - `evaluate`: a guess, where the search ends.
//! - `plain`: the plain search, which defines what `tree` finds.
//!
//! `docs/engine.md` teaches it.

mod busy;
mod claim;
mod deepen;
mod distance;
mod evaluate;
mod history;
mod limits;
mod order;
mod perfect;
#[cfg(test)]
mod plain;
mod score;
#[cfg(test)]
mod tests;
mod transposition;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

pub use evaluate::{FEATURES, features};
pub use limits::Limits;
pub use score::Score;

use self::busy::Busy;
use self::limits::Clock;
use self::perfect::Advice;
use self::transposition::Transpositions;
use self::tree::{MAX_DEPTH, Shared, Tree};
use super::game::Game;
use super::oracle::{NoTables, Oracle, TableOracle};
use crate::rules::{Next, Ruleset, Step};
use crate::tablebase::Tablebase;

/// How an engine is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// Memory for boards already looked at, in MiB. It is taken at once.
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
///
/// What it has found out in one search it uses in the next ones. The same engine, from
/// new or after [`Engine::forget`], reports the same for the same games and limits of
/// depth or nodes.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
///
/// use krou::engine::{Engine, EngineOptions, Game, Limits};
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let tables = Arc::new(Tablebase::embedded(Ruleset::AWARI));
/// let mut engine = Engine::new(Ruleset::AWARI, Some(tables), EngineOptions::default());
/// let mut game = Game::new(Ruleset::AWARI);
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// // Whoever sets this from another thread stops the search.
/// let stop = AtomicBool::new(false);
/// let report = engine
///     .search(&game, &limits, &stop, &mut |report| assert!(report.depth <= 6))
///     .expect("a game that is not over");
/// assert!(!report.score.is_exact());
/// game.play(report.line[0])?;
/// # Ok::<(), krou::engine::PlayError>(())
/// ```
pub struct Engine {
    rules: Ruleset,
    tables: Option<Arc<Tablebase>>,
    table: Transpositions,
    threads: usize,
}

/// What a search has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Plies looked ahead; 0 where the tables told it all, or there was no time.
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

/// What to search: the moves of a game among which to choose, and how deep.
struct Search<'g> {
    game: &'g Game,
    pits: Vec<u8>,
    depth: u8,
}

impl Engine {
    /// An engine for a ruleset; tables of another one are an error of the caller.
    ///
    /// # Panics
    /// If the tables are of another ruleset.
    pub fn new(rules: Ruleset, tables: Option<Arc<Tablebase>>, options: EngineOptions) -> Engine {
        assert!(tables.as_ref().is_none_or(|tables| tables.rules() == rules));
        Engine {
            rules,
            tables,
            table: Transpositions::new(options.memory),
            threads: options.threads,
        }
    }

    /// The ruleset it plays.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// Forgets what it has seen, before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Looks for the best move until a limit is reached, `stop` is set, or the score is
    /// exact; `on_report` hears of each depth that is finished. There is always a move,
    /// be the time ever so short; `None` only if the game is over.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        assert_eq!(game.rules(), self.rules);
        if game.outcome().is_some() {
            return None;
        }
        let counted = AtomicU64::new(0);
        let mut clock = Clock::start(limits, stop, &counted);
        let advice = match &self.tables {
            Some(tables) => perfect::advise(game, tables, &mut clock),
            None => None,
        };
        let pits = match advice {
            Some(Advice::Play(claim, step)) => {
                let report = Report {
                    depth: 0,
                    score: claim.score(),
                    line: self.line_from(&step),
                    nodes: clock.nodes(),
                    time: clock.time(),
                };
                on_report(&report);
                return Some(report);
            }
            Some(Advice::Among(pits)) => pits,
            None => game.moves().legal().map(|step| step.pit).collect(),
        };
        self.table.grow_older();
        let depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let from = Search { game, pits, depth };
        Some(match &self.tables {
            Some(tables) => self.look_ahead(&from, || TableOracle::new(tables), clock, on_report),
            None => self.look_ahead(&from, || NoTables, clock, on_report),
        })
    }

    fn look_ahead<O: Oracle>(
        &self,
        from: &Search,
        oracle: impl Fn() -> O + Sync,
        clock: Clock,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        let busy = Busy::new(self.threads);
        let deepen = |clock, on_report: &mut dyn FnMut(&Report)| {
            let shared = Shared {
                table: &self.table,
                busy: &busy,
            };
            let mut tree = Tree::new(from.game, &from.pits, oracle(), shared, clock);
            let guess = evaluate::evaluate(self.rules, &from.game.board());
            deepen::deepen(&mut tree, from.depth, guess, on_report)
        };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 1..self.threads {
                let (clock, deepen) = (clock.helper(&done), &deepen);
                let help = move || deepen(clock, &mut |_| ());
                // Without as many as were asked for it goes on too.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let report = deepen(clock, on_report);
            done.store(true, Ordering::Relaxed);
            report
        })
    }

    /// A move and the best ones of both sides behind it, as the tables tell them.
    fn line_from(&self, step: &Step) -> Vec<u8> {
        /// Plies told: enough to see what is meant.
        const PLIES: usize = 12;
        let mut line = vec![step.pit];
        if let (Some(tables), true) = (&self.tables, step.next != Next::Over)
            && let Ok(behind) = tables.best_line(&step.board, PLIES - 1)
        {
            line.extend(behind.steps.iter().map(|step| step.pit));
        }
        line
    }
}
