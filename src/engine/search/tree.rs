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
use super::entry::{Bound, Entry};
use super::key::{Key, View};
use super::memory::Memory;
use super::move_order::Killers;
use super::move_picker::MovePicker;
use super::node::{Found, Frontier, NOWHERE, Node, NodeKind, Null, Opened, Pv};
use super::packed::{Move, MoveList};
use super::reductions::reduction;
use super::repetition::Path;
use super::window::Window;
use crate::engine::table_source::SearchSource;
use crate::rules::{MAX_SEEDS, Next, ROW, Ruleset};

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
    /// For the same, whose view of their boards keys are for.
    pub(super) views: [View; 2],
    pub(super) source: S,
    pub(super) memory: Memory<'a>,
    pub(super) clock: Clock<'a>,
    pub(super) path: Path,
    pub(super) killers: Killers,
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
        if depth > 0 {
            return self.search_inside(node, depth, window);
        }
        self.search_horizon(node, window)
    }

    /// The score of a node without a legal move, from the board's terminal value.
    pub fn ended(&self, node: &Node, value: i8) -> Found {
        let proven = ProvenBounds::exact(node.lead + value);
        let score = self.scale(node).score(proven.lower);
        Found::free(BoundedScore { score, proven })
    }

    /// Searches a node inside the horizon with these bounds. Apart from the search of nodes
    /// at the horizon, which are most and need less of the stack.
    #[inline(never)]
    fn search_inside(&mut self, node: &Node, mut depth: u8, window: Window) -> Option<Found> {
        let mut picker = MovePicker::new();
        let Opened {
            table,
            place,
            entry,
            proven,
        } = match self.open(node, depth, window, &mut picker) {
            Ok(opened) => opened,
            Err(score) => return Some(Found::free(score)),
        };
        let hash_move = entry.and_then(|entry| entry.pit);
        if let Some(pit) = hash_move
            && picker.put_first(pit)
        {
            self.prefetch_next(node, &picker, depth - 1);
        }
        if let Some(value) = picker.over() {
            return Some(self.ended(node, value));
        }
        if self.settings.selective && hash_move.is_none() && depth >= 5 {
            // Without a good first move the search is worth less.
            depth -= 1;
        }
        let inner = proven.narrow(self.scale(node), window);
        let (found, pit) = match (window.is_null(), depth) {
            (true, 1) => self.search_moves::<Frontier>(node, &mut picker, depth, inner, proven)?,
            (true, _) => self.search_moves::<Null>(node, &mut picker, depth, inner, proven)?,
            (false, _) => self.search_moves::<Pv>(node, &mut picker, depth, inner, proven)?,
        };
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
        table.store_at(place, entry);
        Some(found)
    }

    /// The scores of certain margins for the mover of a node.
    pub fn scale(&self, node: &Node) -> &Scale {
        &self.scales[usize::from(node.is_opponents)]
    }

    /// The key of a node.
    pub fn key(&self, node: &Node) -> Key {
        let view = self.views[usize::from(node.is_opponents)];
        Key::of(node.board, node.lead, view)
    }

    /// The score of the best of some moves of a node with these bounds, and its pit if it
    /// is better than the window's `alpha`.
    #[inline(always)]
    pub fn search_moves<K: NodeKind>(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        depth: u8,
        mut window: Window,
        bounds: ProvenBounds,
    ) -> Option<(Found, Option<u8>)> {
        let mut best = i16::MIN;
        let mut best_pit = None;
        let mut rests_on = NOWHERE;
        let mut proven = ProvenBounds {
            lower: bounds.lower,
            upper: -MAX_SEEDS.cast_signed(),
        };
        self.path.set(node);
        for number in 0.. {
            let Some(step) = &self.pick::<K>(picker, node, depth, number) else {
                break;
            };
            self.prefetch_next(node, picker, if K::IS_FRONTIER { 0 } else { depth - 1 });
            let child = node.child(step);
            if K::IS_PV {
                self.pvs[node.ply + 1].clear();
            }
            let mut tried = match number == 0 {
                true => window,
                false => Window::null(window.alpha),
            };
            // A product in place of a branch, which the processor could not guess.
            let is_reducible = self.settings.selective & step.is_quiet(node.seeds);
            let mut reduced = match K::IS_FRONTIER {
                true => 0,
                false => reduction(depth, number, K::IS_PV) * u8::from(is_reducible),
            };
            let found = loop {
                let found = self.search_child::<K>(&child, step, depth - 1 - reduced, tried)?;
                if reduced > 0 && found.score.score > window.alpha {
                    reduced = 0;
                } else if K::IS_PV && tried != window && window.contains(found.score.score) {
                    tried = window;
                } else {
                    break found;
                }
            };
            rests_on = rests_on.min(found.rests_on);
            let score = found.score;
            if K::IS_PV && node.ply == 0 {
                self.add_proof(step.pit, score.proven);
            }
            proven.lower = proven.lower.max(score.proven.lower);
            proven.upper = proven.upper.max(score.proven.upper);
            best = best.max(score.score);
            if score.score <= window.alpha {
                continue;
            }
            window.alpha = score.score;
            best_pit = Some(step.pit);
            if K::IS_PV {
                self.update_pv(step.pit, node.ply);
            }
            if K::IS_PV && node.ply == 0 {
                self.root.best = Some(score);
            }
            if score.score >= window.beta {
                if picker.has_more() {
                    proven.upper = bounds.upper;
                }
                if step.gain == 0 {
                    self.killers.record_cutoff(step.pit, node.ply);
                }
                break;
            }
        }
        let proven = bounds.intersect(proven);
        let found = Found {
            score: proven.clamp(self.scale(node), best),
            rests_on,
        };
        Some((found, best_pit))
    }

    /// The next move to search, the `number`-th from 0 on. Moves that other threads are
    /// searching come last.
    #[inline(always)]
    fn pick<K: NodeKind>(
        &self,
        picker: &mut MovePicker,
        node: &Node,
        depth: u8,
        number: usize,
    ) -> Option<Move> {
        let deferred = self.memory.deferred;
        if !K::IS_FRONTIER && deferred.is_active() && number > 0 {
            picker.defer(|found| deferred.is_marked(self.key(&node.child(found)), depth - 1));
        }
        picker.next()
    }

    /// Starts to fetch what is known about the board that the next move leads to, which will be
    /// searched to this depth.
    #[inline(always)]
    pub fn prefetch_next(&self, node: &Node, picker: &MovePicker, depth: u8) {
        let Some(next) = picker.peek() else {
            return;
        };
        // Boards at the horizon are in no transposition table.
        if depth > 0 {
            let table = self.memory.table(depth);
            table.prefetch(self.key(&node.child(next)));
        }
        self.source.prefetch(next.board, next.seeds);
    }

    /// The score of a move that leads to `child`.
    #[inline(always)]
    fn search_child<K: NodeKind>(
        &mut self,
        child: &Node,
        step: &Move,
        depth: u8,
        window: Window,
    ) -> Option<Found> {
        match step.next {
            Next::Opponent => {
                let found = self.search_marked::<K>(child, depth, window.turned())?;
                Some(Found {
                    score: found.score.turned(),
                    ..found
                })
            }
            Next::Again => self.search_again(child, depth, window),
            Next::Over => {
                let proven = ProvenBounds::exact(child.lead);
                let score = self.scale(child).score(child.lead);
                Some(Found::free(BoundedScore { score, proven }))
            }
        }
    }

    /// Searches a node with the same player to move. Apart, since there is none in the oware
    /// family.
    #[inline(never)]
    fn search_again(&mut self, node: &Node, depth: u8, window: Window) -> Option<Found> {
        self.search_marked::<Null>(node, depth, window)
    }

    /// Searches a node whose parent is of a kind. If other threads could defer it, it is marked
    /// meanwhile.
    #[inline(always)]
    fn search_marked<K: NodeKind>(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
    ) -> Option<Found> {
        if K::IS_FRONTIER {
            return self.search_node(node, 0, window);
        }
        let mark = self.memory.deferred.mark(self.key(node), depth);
        let found = self.search_node(node, depth, window);
        mark.remove();
        found
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
