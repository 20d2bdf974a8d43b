//! The search tree: principal variation search to a fixed depth.
//!
//! ```text
//! search(board, depth, window):
//!     return the value of a repetition, of a game that is decided, or a score that
//!         tables, proofs or the transposition table settle
//!     at the horizon: search the captures only (quiescence)
//!     search the first move with the whole window
//!     search each other move with a null window, late ones less deep; if it is better,
//!         search it again
//! ```
//!
//! Without a transposition table and without selectivity the score is that of the plain
//! minimax search (`minimax.rs`).

use super::aim::{Aim, Scale};
use super::bounded_score::{BoundedScore, ProvenBounds};
use super::clock::Clock;
use super::deferred::DeferredMoves;
use super::key::Key;
use super::move_order::MoveOrder;
use super::move_picker::MovePicker;
use super::node::{Found, NOWHERE, Node};
use super::packed::{Move, MoveList};
use super::reductions::reduction;
use super::repetition::Path;
use super::transposition::{Bound, Entry, TranspositionTable};
use super::window::Window;
use crate::engine::table_source::SearchSource;
use crate::rules::{Bounds, MAX_SEEDS, Next, ROW, Ruleset};

/// The maximum depth in plies. A step after which the same player moves again is a ply
/// too.
pub(super) const MAX_DEPTH: u8 = 120;

/// The deepest ply: each capture beyond the horizon takes a seed.
pub(super) const MAX_PLY: usize = MAX_DEPTH as usize + MAX_SEEDS as usize + 1;

/// The search of one thread.
pub(super) struct Tree<'a, S> {
    pub(super) rules: Ruleset,
    pub(super) settings: Settings,
    /// For the player to move at the root, and for the opponent.
    pub(super) scales: [Scale; 2],
    pub(super) source: S,
    pub(super) shared: Shared<'a>,
    pub(super) clock: Clock<'a>,
    pub(super) path: Path,
    pub(super) order: MoveOrder,
    /// By ply, the principal variation from there on.
    pub(super) pvs: Vec<Vec<u8>>,
    pub(super) root: Root,
}

/// The root of the tree.
pub(super) struct Root {
    pub node: Node,
    pub moves: MoveList,
    /// The pits to search, in this order.
    pub pits: Vec<u8>,
    /// The best score of the current search so far.
    pub best: Option<BoundedScore>,
    /// What is proven about each move, by pit.
    pub proofs: [ProvenBounds; ROW],
    pub deepest_ply: usize,
}

/// What the threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub hash: &'a TranspositionTable,
    pub deferred: &'a DeferredMoves,
}

/// How a tree is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub aim: Aim,
    /// How much less than nothing a drawn game is worth to the player to move at the root,
    /// in hundredths of a seed. The other player has the opposite view.
    pub contempt: i16,
    /// Whether some moves are searched more or less deep than others.
    pub selective: bool,
}

impl<S: SearchSource> Tree<'_, S> {
    /// Searches a node.
    #[inline(always)]
    fn search_node(&mut self, node: &Node, depth: u8, window: Window) -> Option<Found> {
        self.clock.tick()?;
        if let Some(repetition) = self.path.repetition(node) {
            let score = self.scale(node).score(node.lead + repetition.net);
            let proven = ProvenBounds::of_seeds(node.lead, node.seeds);
            return Some(Found {
                score: BoundedScore { score, proven },
                rests_on: repetition.ply,
            });
        }
        match self.proven_before_moves(node, depth, window) {
            Ok(proven) if depth == 0 => self.search_captures(node, proven, window),
            Ok(proven) => self.search_inside(node, depth, window, proven),
            Err(score) => Some(Found::free(score)),
        }
    }

    /// Searches a node inside the horizon with these bounds. Apart from the search of nodes
    /// at the horizon, which are most and need less of the stack.
    #[inline(never)]
    fn search_inside(
        &mut self,
        node: &Node,
        mut depth: u8,
        window: Window,
        mut proven: ProvenBounds,
    ) -> Option<Found> {
        let place = self.shared.hash.locate(self.key(node));
        let entry = self.shared.hash.get_at(place);
        if let Some(entry) = entry {
            proven = proven.intersect(entry.proven);
            if let Some(score) = proven.cutoff(self.scale(node), window) {
                return Some(Found::free(score));
            }
            // An estimate must not cut off the principal variation.
            if window.is_null() && entry.settles(depth, window) {
                return Some(Found::free(proven.clamp(self.scale(node), entry.score)));
            }
        }
        let hash_move = entry.and_then(|entry| entry.pit);
        let mut picker = MovePicker::new(self.rules, node.board, node.seeds, hash_move);
        if let Some(value) = picker.over() {
            let proven = ProvenBounds::exact(node.lead + value);
            return Some(Found::free(
                proven.clamp(self.scale(node), self.scale(node).score(proven.lower)),
            ));
        }
        if self.settings.selective && hash_move.is_none() && depth >= 5 {
            // Without a good first move the search is worth less.
            depth -= 1;
        }
        let inner = proven.narrow(self.scale(node), window);
        let (found, pit) = self.search_moves(node, &mut picker, depth, inner, proven)?;
        let proven = found.score.proven;
        let rests_on_path = usize::from(found.rests_on) < node.ply;
        let entry = Entry {
            score: found.score.score,
            bound: match rests_on_path {
                true => Bound::None,
                false => Bound::of(found.score.score, window),
            },
            depth,
            pit,
            proven,
        };
        self.shared.hash.store_at(place, entry);
        Some(found)
    }

    /// What is proven about a board without its moves, or the score that this settles.
    #[inline]
    pub fn proven_before_moves(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
    ) -> Result<ProvenBounds, BoundedScore> {
        let mut proven = ProvenBounds::of_seeds(node.lead, node.seeds);
        if self.settings.aim == Aim::Result && (proven.lower > 0 || proven.upper < 0) {
            // A player has more than half of all seeds: the game is over.
            let score = self.scale(node).score(node.lead);
            return Err(BoundedScore { score, proven });
        }
        if let Some(bounds) = self.table_bounds(node, depth) {
            self.clock.count_table_hit();
            proven = proven.intersect(ProvenBounds::of_value(node.lead, bounds));
        }
        match proven.cutoff(self.scale(node), window) {
            Some(score) => Err(score),
            None => Ok(proven),
        }
    }

    /// The bounds of a node's board in the tables, if they know it and a probe is worth its
    /// time.
    #[inline]
    fn table_bounds(&mut self, node: &Node, depth: u8) -> Option<Bounds> {
        let in_memory = self.source.bounds_in_memory(node.board, node.seeds);
        if in_memory.is_some() || !self.source.is_worth_probing(node.seeds, depth) {
            return in_memory;
        }
        self.source.bounds(&node.board.to_board())
    }

    /// The scores of certain margins for the mover of a node.
    pub fn scale(&self, node: &Node) -> &Scale {
        &self.scales[usize::from(node.is_opponents)]
    }

    /// The key of a node. If draws are worth something, both sides score a board
    /// differently.
    pub fn key(&self, node: &Node) -> Key {
        let key = Key::of(node.board, node.lead);
        match self.settings.contempt != 0 && node.is_opponents {
            true => key.for_opponent(),
            false => key,
        }
    }

    /// The score of the best of some moves of a node with these bounds, and its pit if it
    /// is better than the window's `alpha`.
    pub fn search_moves(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        depth: u8,
        mut window: Window,
        bounds: ProvenBounds,
    ) -> Option<(Found, Option<u8>)> {
        let is_pv = !window.is_null();
        let mut best: Option<BoundedScore> = None;
        let mut best_pit = None;
        let mut rests_on = NOWHERE;
        let mut proven = ProvenBounds {
            lower: bounds.lower,
            upper: -MAX_SEEDS.cast_signed(),
        };
        self.path.set(node);
        for number in 0.. {
            let Some(step) = self.pick(picker, node, depth, number) else {
                break;
            };
            if is_pv {
                self.pvs[node.ply + 1].clear();
            }
            let mut found = if best.is_none() {
                self.search_child(node, &step, depth - 1, window)?
            } else {
                let null = Window::null(window.alpha);
                let is_quiet = step.is_quiet(node.seeds);
                let reduced = match self.settings.selective && is_quiet {
                    true => reduction(depth, number, is_pv),
                    false => 0,
                };
                let mut found = self.search_child(node, &step, depth - 1 - reduced, null)?;
                if reduced > 0 && found.score.score > window.alpha {
                    found = self.search_child(node, &step, depth - 1, null)?;
                }
                found
            };
            if best.is_some() && window.contains(found.score.score) {
                found = self.search_child(node, &step, depth - 1, window)?;
            }
            rests_on = rests_on.min(found.rests_on);
            let score = found.score;
            if node.ply == 0 {
                self.add_proof(step.pit, score.proven);
            }
            proven.lower = proven.lower.max(score.proven.lower);
            proven.upper = proven.upper.max(score.proven.upper);
            let is_better = |best: BoundedScore| {
                score.score > best.score
                    || score.score == best.score && score.proven.lower > best.proven.lower
            };
            if best.is_none_or(is_better) {
                best = Some(score);
            }
            if score.score <= window.alpha {
                continue;
            }
            window.alpha = score.score;
            best_pit = Some(step.pit);
            if is_pv {
                self.update_pv(step.pit, node.ply);
            }
            if node.ply == 0 {
                self.root.best = Some(score);
            }
            if score.score >= window.beta {
                if picker.has_more() {
                    proven.upper = bounds.upper;
                }
                if step.gain == 0 {
                    self.order.record_cutoff(&step, node.board, depth, node.ply);
                }
                break;
            }
        }
        let proven = bounds.intersect(proven);
        let found = Found {
            score: proven.clamp(self.scale(node), best?.score),
            rests_on,
        };
        Some((found, best_pit))
    }

    /// The next move to search, the `number`-th from 0 on. Moves that other threads are
    /// searching come last.
    fn pick(&self, picker: &mut MovePicker, node: &Node, depth: u8, number: usize) -> Option<Move> {
        let Shared { hash, deferred } = self.shared;
        let key = |found: &Move| self.key(&node.child(found));
        let is_deferred = |found: &Move| {
            number > 0 && deferred.is_active() && deferred.is_marked(key(found), depth - 1)
        };
        let prefetch = |found: &Move| {
            self.source.prefetch(found.board, found.seeds);
            // Nodes at the horizon are not in the transposition table.
            if depth > 1 {
                hash.prefetch(key(found));
            }
        };
        picker.next(&self.order, node.ply, is_deferred, prefetch)
    }

    /// The score of a move.
    fn search_child(
        &mut self,
        node: &Node,
        step: &Move,
        depth: u8,
        window: Window,
    ) -> Option<Found> {
        let child = node.child(step);
        if step.next == Next::Over {
            let proven = ProvenBounds::exact(child.lead);
            let score = self.scale(&child).score(child.lead);
            return Some(Found::free(BoundedScore { score, proven }));
        }
        let Shared { deferred, .. } = self.shared;
        let is_turned = step.next == Next::Opponent;
        let window = if is_turned { window.turned() } else { window };
        let mark = deferred.mark(self.key(&child), depth);
        let found = self.search_node(&child, depth, window);
        mark.remove();
        let found = found?;
        Some(match is_turned {
            true => Found {
                score: found.score.turned(),
                ..found
            },
            false => found,
        })
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
