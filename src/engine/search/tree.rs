//! The search tree: principal variation search to a fixed depth.
//!
//! ```text
//! search(board, depth, window):
//!     return the value of a repetition, or a score that proofs or the
//!         transposition table settle
//!     at the horizon: evaluate
//!     search the first move with the whole window
//!     search each other move with a null window; if it is better, search it again
//! ```
//!
//! Without a transposition table the score is that of the plain minimax search
//! (`minimax.rs`). With one, deeper results for some boards may change it.

use super::bounded_score::{BoundedScore, ProvenBounds};
use super::clock::Clock;
use super::deferred::DeferredMoves;
use super::evaluate::evaluate;
use super::move_order::MoveOrder;
use super::repetition::Path;
use super::transposition::{Bound, Entry, TranspositionTable};
use super::window::Window;
use crate::engine::game::Game;
use crate::engine::table_source::TableSource;
use crate::rules::{Board, Moves, Next, Ruleset, Step};

/// The maximum depth in plies. A step after which the same player moves again is a ply
/// too.
pub(super) const MAX_DEPTH: u8 = 120;

/// The search of one thread.
pub(super) struct Tree<'a, S> {
    rules: Ruleset,
    source: S,
    shared: Shared<'a>,
    clock: Clock<'a>,
    path: Path,
    order: MoveOrder,
    /// By ply, the principal variation from there on.
    pvs: Vec<Vec<u8>>,
    root: Root,
}

/// What the threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub hash: &'a TranspositionTable,
    pub deferred: &'a DeferredMoves,
}

/// The root of the tree.
struct Root {
    board: Board,
    /// The pits to search, in this order.
    pits: Vec<u8>,
    /// The best score of the current search so far.
    best: Option<BoundedScore>,
}

impl<'a, S: TableSource> Tree<'a, S> {
    /// A search of a game that is not over, restricted to `allowed` pits, of which there
    /// is at least one.
    pub fn new(
        game: &Game,
        allowed: &[u8],
        source: S,
        shared: Shared<'a>,
        clock: Clock<'a>,
    ) -> Tree<'a, S> {
        let (rules, board) = (game.rules(), game.board());
        let plies = usize::from(MAX_DEPTH) + 1;
        let order = MoveOrder::new(plies);
        let hash_move = shared.hash.get(&board).and_then(|entry| entry.pit);
        let pits = order.sort(&rules.moves(&board), &board, hash_move, 0);
        let pits = pits.as_slice().iter().copied();
        Tree {
            rules,
            source,
            shared,
            clock,
            path: Path::new(game),
            order,
            pvs: vec![Vec::new(); plies],
            root: Root {
                board,
                pits: pits.filter(|pit| allowed.contains(pit)).collect(),
                best: None,
            },
        }
    }

    /// Searches to a depth of 1 to [`MAX_DEPTH`]; `None` if the clock stopped the search.
    pub fn search(&mut self, depth: u8, window: Window) -> Option<BoundedScore> {
        let board = self.root.board;
        self.root.best = None;
        self.path.reset();
        self.pvs[0].clear();
        self.clock.tick()?;
        let moves = self.rules.moves(&board);
        let mut pits = self.root.pits.clone();
        let node = Node {
            board: &board,
            moves: &moves,
            depth,
            ply: 0,
        };
        let (mut found, pit) = self.search_moves(&node, &mut pits, window)?;
        // An upper bound takes all moves, also those that were not allowed.
        found.is_upper &= pits.len() == moves.legal().count();
        if let Some(pit) = pit {
            // With the best move first, an interrupted next search finds no worse one.
            self.root.pits.sort_by_key(|&other| other != pit);
        }
        Some(ProvenBounds::of_seeds(board.seeds()).clamp(found))
    }

    /// The score and the principal variation of the last search, if a move was better
    /// than the window's `alpha`. Of an interrupted search, the best so far.
    pub fn pv(&self) -> Option<(BoundedScore, &[u8])> {
        self.root.best.map(|best| (best, &self.pvs[0][..]))
    }

    /// The move to play if there is no time for a search.
    pub fn fallback_pit(&self) -> u8 {
        self.root.pits[0]
    }

    /// The clock.
    pub fn clock(&self) -> &Clock<'a> {
        &self.clock
    }
}

/// An inner node.
struct Node<'b> {
    board: &'b Board,
    moves: &'b Moves,
    /// Plies left to the horizon.
    depth: u8,
    /// Plies from the root.
    ply: usize,
}

impl Node<'_> {
    fn step(&self, pit: u8) -> Option<Step> {
        self.moves.by_pit()[usize::from(pit)].ok()
    }
}

impl<S: TableSource> Tree<'_, S> {
    fn search_node(
        &mut self,
        board: &Board,
        depth: u8,
        window: Window,
        ply: usize,
    ) -> Option<BoundedScore> {
        self.clock.tick()?;
        if let Some(net) = self.path.repetition_value() {
            return Some(BoundedScore::estimate_in_seeds(net));
        }
        let mut proven = ProvenBounds::of_seeds(board.seeds());
        let entry = if depth > 0 {
            self.shared.hash.get(board)
        } else {
            None
        };
        if let Some(entry) = entry {
            proven = proven.narrow_by(entry.score);
            // An estimate must not cut off the principal variation.
            let settles = || window.is_null() && entry.settles(depth, window);
            if let Some(score) = proven.cutoff(window).or(settles().then_some(entry.score)) {
                return Some(score);
            }
        }
        let table_bounds = self.source.bounds(board);
        if let Some(bounds) = table_bounds {
            proven = proven.intersect(bounds);
            if let Some(score) = proven.cutoff(window) {
                return Some(score);
            }
        }
        let moves = self.rules.moves(board);
        if let Some(net) = moves.over() {
            return Some(BoundedScore::exact(net));
        }
        if depth == 0 {
            let value = table_bounds.and_then(|_| self.source.value(board));
            let estimate = value.map_or_else(
                || BoundedScore::estimate(evaluate(self.rules, board)),
                BoundedScore::estimate_in_seeds,
            );
            return Some(proven.clamp(estimate));
        }

        let hash_move = entry.and_then(|entry| entry.pit);
        let mut pits = self.order.sort(&moves, board, hash_move, ply);
        let node = Node {
            board,
            moves: &moves,
            depth,
            ply,
        };
        let (found, pit) = self.search_moves(&node, pits.as_mut_slice(), proven.narrow(window))?;
        let score = proven.clamp(found);
        let entry = Entry {
            score,
            bound: Bound::of(score.score, window),
            depth,
            pit,
        };
        self.shared.hash.store(board, entry);
        Some(score)
    }

    /// The score of the best of some moves, and its pit if it is better than the window's
    /// `alpha`.
    fn search_moves(
        &mut self,
        node: &Node,
        pits: &mut [u8],
        mut window: Window,
    ) -> Option<(BoundedScore, Option<u8>)> {
        let mut best: Option<BoundedScore> = None;
        let mut best_pit = None;
        // An upper bound takes all moves.
        let mut is_upper = true;
        for number in 0..pits.len() {
            if number > 0 {
                self.defer_moves(node, &mut pits[number..]);
            }
            let Some(step) = node.step(pits[number]) else {
                continue;
            };
            let mut found = match best {
                None => self.search_child(node, &step, window)?,
                Some(_) => self.search_child(node, &step, Window::null(window.alpha))?,
            };
            if best.is_some() && window.contains(found.score) {
                found = self.search_child(node, &step, window)?;
            }
            is_upper &= found.is_upper;
            if best.is_none_or(|best| found.is_better_than(best)) {
                best = Some(found);
            }
            if found.score <= window.alpha {
                continue;
            }
            window.alpha = found.score;
            best_pit = Some(step.pit);
            self.update_pv(step.pit, node.ply);
            if node.ply == 0 {
                self.root.best = Some(found);
            }
            if found.score >= window.beta {
                is_upper = false;
                if step.gain == 0 {
                    self.order
                        .record_cutoff(&step, node.board, node.depth, node.ply);
                }
                break;
            }
        }
        best.map(|best| (BoundedScore { is_upper, ..best }, best_pit))
    }

    /// Moves the first pit whose child no other thread is searching to the front.
    fn defer_moves(&self, node: &Node, pits: &mut [u8]) {
        let is_free = |&pit: &u8| {
            let step = node.step(pit);
            step.is_some_and(|step| !self.shared.deferred.is_marked(&step.board, node.depth - 1))
        };
        if let Some(free) = pits.iter().position(is_free) {
            pits[..=free].rotate_right(1);
        }
    }

    /// The score of a step.
    fn search_child(&mut self, node: &Node, step: &Step, window: Window) -> Option<BoundedScore> {
        let ply = node.ply + 1;
        self.pvs[ply].clear();
        if step.next == Next::Over {
            return Some(BoundedScore::exact(step.gain));
        }
        let is_quiet = step.is_quiet(node.board.seeds());
        self.path.push(step.board, is_quiet);
        let depth = node.depth - 1;
        let Shared { deferred, .. } = self.shared;
        let score = deferred.while_marked(&step.board, depth, || {
            self.search_node(&step.board, depth, window.of_child(step), ply)
        })?;
        self.path.pop();
        Some(score.of_step(step))
    }

    /// Sets the principal variation of a ply to a move and the one that follows it.
    fn update_pv(&mut self, pit: u8, ply: usize) {
        let (here, after) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(pit);
        pv.extend(&after[0]);
    }
}
