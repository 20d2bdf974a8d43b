//! The search tree: principal variation search to a fixed depth.
//!
//! ```text
//! search(board, depth, window):
//!     settle an endless play; take what tables and earlier searches have proven
//!     at the horizon: evaluate
//!     the first move: search it with the whole window
//!     each other move: ask only whether it is better; if so, search it again
//! ```
//!
//! Without a transposition table the score is that of the plain search
//! (`plain.rs`). With one, what was found out deeper elsewhere may make it better.

use super::busy::Busy;
use super::claim::{Claim, Proven, Window};
use super::evaluate::evaluate;
use super::history::History;
use super::limits::Clock;
use super::order::Order;
use super::transposition::{Bound, Entry, Transpositions};
use crate::engine::game::Game;
use crate::engine::oracle::Oracle;
use crate::rules::{Board, Moves, Next, Ruleset, Step};

/// The deepest search. Steps after which the same player moves again count as well.
pub(super) const MAX_DEPTH: u8 = 120;

/// One thread's search from where a game stands.
pub(super) struct Tree<'a, O> {
    rules: Ruleset,
    oracle: O,
    shared: Shared<'a>,
    clock: Clock<'a>,
    history: History,
    order: Order,
    /// By ply, the best line found from there.
    lines: Vec<Vec<u8>>,
    root: Root,
}

/// What the threads of a search have in common.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub table: &'a Transpositions,
    pub busy: &'a Busy,
}

/// Where the search begins.
struct Root {
    board: Board,
    /// The pits that may be played, the one to try first in front.
    pits: Vec<u8>,
    /// The best of them in the search that is going on.
    best: Option<Claim>,
}

impl<'a, O: Oracle> Tree<'a, O> {
    /// A search from a game that is not over, among moves of which there is at least one.
    pub fn new(
        game: &Game,
        among: &[u8],
        oracle: O,
        shared: Shared<'a>,
        clock: Clock<'a>,
    ) -> Tree<'a, O> {
        let (rules, board) = (game.rules(), game.board());
        let plies = usize::from(MAX_DEPTH) + 1;
        let order = Order::new(plies);
        let first = shared.table.get(&board).and_then(|entry| entry.pit);
        let pits = order.of(&rules.moves(&board), &board, first, 0);
        let pits = pits.as_slice().iter().copied();
        Tree {
            rules,
            oracle,
            shared,
            clock,
            history: History::new(game),
            order,
            lines: vec![Vec::new(); plies],
            root: Root {
                board,
                pits: pits.filter(|pit| among.contains(pit)).collect(),
                best: None,
            },
        }
    }

    /// Searches the moves to a depth of 1 to [`MAX_DEPTH`]; `None` if the clock stopped it.
    pub fn search(&mut self, depth: u8, window: Window) -> Option<Claim> {
        let board = self.root.board;
        self.root.best = None;
        self.history.restart();
        self.lines[0].clear();
        self.clock.tick()?;
        let moves = self.rules.moves(&board);
        let mut pits = self.root.pits.clone();
        let place = Place {
            board: &board,
            moves: &moves,
            depth,
            ply: 0,
        };
        let (mut claim, pit) = self.best_of(&place, &mut pits, window)?;
        // Nothing is said of moves that were left out.
        claim.at_most &= pits.len() == moves.legal().count();
        if let Some(pit) = pit {
            // Whatever is found before the next search is stopped is then no worse.
            self.root.pits.sort_by_key(|&other| other != pit);
        }
        Some(Proven::of_seeds(board.seeds()).holds(claim))
    }

    /// The best move of the last search, if one was better than its window's `alpha`,
    /// with the line that it leads to: of a search that was stopped, the best so far.
    pub fn line(&self) -> Option<(Claim, &[u8])> {
        self.root.best.map(|claim| (claim, &self.lines[0][..]))
    }

    /// The move to play if there is no time for a search.
    pub fn first(&self) -> u8 {
        self.root.pits[0]
    }

    /// The clock.
    pub fn clock(&self) -> &Clock<'a> {
        &self.clock
    }
}

/// A board whose moves are being searched.
struct Place<'b> {
    board: &'b Board,
    moves: &'b Moves,
    /// Plies left to the horizon.
    depth: u8,
    /// Plies from the root.
    ply: usize,
}

impl Place<'_> {
    fn step(&self, pit: u8) -> Option<Step> {
        self.moves.by_pit()[usize::from(pit)].ok()
    }
}

impl<O: Oracle> Tree<'_, O> {
    fn node(&mut self, board: &Board, depth: u8, window: Window, ply: usize) -> Option<Claim> {
        self.clock.tick()?;
        if let Some(net) = self.history.endless() {
            return Some(Claim::guess(net));
        }
        let mut proven = Proven::of_seeds(board.seeds());
        let entry = if depth > 0 {
            self.shared.table.get(board)
        } else {
            None
        };
        if let Some(entry) = entry {
            proven = proven.and(entry.claim);
            // Where the line is looked for, an estimate does not cut it short.
            let enough = || !window.is_open() && entry.answers(depth, window);
            if let Some(claim) = proven.settles(window).or(enough().then_some(entry.claim)) {
                return Some(claim);
            }
        }
        let told = self.oracle.bounds(board);
        if let Some((lower, upper)) = told {
            proven = proven.between(lower, upper);
            if let Some(claim) = proven.settles(window) {
                return Some(claim);
            }
        }
        let moves = self.rules.moves(board);
        if let Some(net) = moves.over() {
            return Some(Claim::exact(net));
        }
        if depth == 0 {
            let value = told.and_then(|_| self.oracle.value(board));
            let guess = value.map_or_else(
                || Claim::estimate(evaluate(self.rules, board)),
                Claim::guess,
            );
            return Some(proven.holds(guess));
        }

        let first = entry.and_then(|entry| entry.pit);
        let mut pits = self.order.of(&moves, board, first, ply);
        let place = Place {
            board,
            moves: &moves,
            depth,
            ply,
        };
        let (claim, pit) = self.best_of(&place, pits.as_mut_slice(), proven.narrows(window))?;
        let claim = proven.holds(claim);
        let entry = Entry {
            claim,
            bound: Bound::of(claim.score, window),
            depth,
            pit,
        };
        self.shared.table.put(board, entry);
        Some(claim)
    }

    /// What the best of some moves is worth, and which it is if it is better than the
    /// window's `alpha`.
    fn best_of(
        &mut self,
        place: &Place,
        pits: &mut [u8],
        mut window: Window,
    ) -> Option<(Claim, Option<u8>)> {
        let mut best: Option<Claim> = None;
        let mut best_pit = None;
        // At most so much is proven by all moves together.
        let mut at_most = true;
        for number in 0..pits.len() {
            if number > 0 {
                self.put_off_busy(place, &mut pits[number..]);
            }
            let Some(step) = place.step(pits[number]) else {
                continue;
            };
            let mut claim = match best {
                None => self.follow(place, &step, window)?,
                Some(_) => self.follow(place, &step, Window::scout(window.alpha))?,
            };
            if best.is_some() && window.contains(claim.score) {
                claim = self.follow(place, &step, window)?;
            }
            at_most &= claim.at_most;
            if best.is_none_or(|best| claim.is_better(best)) {
                best = Some(claim);
            }
            if claim.score <= window.alpha {
                continue;
            }
            window.alpha = claim.score;
            best_pit = Some(step.pit);
            self.begin_line(step.pit, place.ply);
            if place.ply == 0 {
                self.root.best = Some(claim);
            }
            if claim.score >= window.beta {
                at_most = false;
                if step.gain == 0 {
                    self.order.cut(&step, place.board, place.depth, place.ply);
                }
                break;
            }
        }
        best.map(|best| (Claim { at_most, ..best }, best_pit))
    }

    /// Puts a move in front at which no other thread is looking, if there is one.
    fn put_off_busy(&self, place: &Place, pits: &mut [u8]) {
        let is_free = |&pit: &u8| {
            let step = place.step(pit);
            step.is_some_and(|step| !self.shared.busy.has(&step.board, place.depth - 1))
        };
        if let Some(free) = pits.iter().position(is_free) {
            pits[..=free].rotate_right(1);
        }
    }

    /// What a step is worth.
    fn follow(&mut self, place: &Place, step: &Step, window: Window) -> Option<Claim> {
        let ply = place.ply + 1;
        self.lines[ply].clear();
        if step.next == Next::Over {
            return Some(Claim::exact(step.gain));
        }
        let is_quiet = step.is_quiet(place.board.seeds());
        self.history.enter(step.board, is_quiet);
        let depth = place.depth - 1;
        let Shared { busy, .. } = self.shared;
        let claim = busy.during(&step.board, depth, || {
            self.node(&step.board, depth, window.behind(step), ply)
        })?;
        self.history.leave();
        Some(claim.before(step))
    }

    /// Puts a move in front of the line found behind it.
    fn begin_line(&mut self, pit: u8, ply: usize) {
        let (here, behind) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(pit);
        line.extend(&behind[0]);
    }
}
