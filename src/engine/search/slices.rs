//! A search in slices, between which an engine serves others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::engine::Engine;
use super::limits::Limits;
use super::report::SearchReport;
use crate::engine::game::Game;

/// A search that gives way when it is stopped, and goes on later, in any engine of its
/// ruleset. The fewer other games the engine has searched meanwhile, the less is lost.
#[derive(Debug)]
pub struct SlicedSearch {
    game: Game,
    limits: Limits,
    /// The deepest report.
    depth: Option<u8>,
    nodes: u64,
    table_hits: u64,
    time: Duration,
    done: bool,
}

impl SlicedSearch {
    /// A search of a game within these limits, whose nodes apply to each slice; `None` if
    /// the game cannot go on.
    pub fn new(game: Game, limits: Limits) -> Option<SlicedSearch> {
        game.can_go_on().then_some(SlicedSearch {
            game,
            limits,
            depth: None,
            nodes: 0,
            table_hits: 0,
            time: Duration::ZERO,
            done: false,
        })
    }

    /// Whether the search has ended by itself.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Searches until a limit is reached, the scores are exact, or `stop` is set, which ends
    /// this slice only. Calls `on_report` after each depth that is deeper than those before,
    /// at least once in the first slice. Reports count nodes and time of all slices.
    pub fn run(
        &mut self,
        engine: &mut Engine,
        stop: &AtomicBool,
        on_report: &mut dyn FnMut(&Game, &SearchReport),
    ) {
        let mut limits = self.limits;
        limits.time = limits.time.map(|time| time.saturating_sub(self.time));
        let total = |report: &SearchReport| SearchReport {
            nodes: self.nodes + report.nodes,
            table_hits: self.table_hits + report.table_hits,
            time: self.time + report.time,
            ..report.clone()
        };
        let mut depth = self.depth;
        let mut tell = |report: &SearchReport| {
            // The first slice tells all, also bounds from the next depth. Later ones also what
            // tables on a host say, whose answer has come late.
            if self
                .depth
                .is_none_or(|before| report.depth > before || report.depth == 0)
            {
                on_report(&self.game, &total(report));
                depth = Some(report.depth);
            }
        };
        let Some(last) = engine.search(&self.game, &limits, stop, &mut tell) else {
            unreachable!("a game that can go on has a move");
        };
        if depth.is_none() {
            // There was no time for a single depth.
            on_report(&self.game, &total(&last));
            depth = Some(last.depth);
        }
        let last = total(&last);
        self.depth = depth;
        self.nodes = last.nodes;
        self.table_hits = last.table_hits;
        self.time = last.time;
        let is_over = self.limits.time.is_some_and(|time| last.time >= time);
        self.done = is_over || !stop.load(Ordering::Relaxed);
    }
}
