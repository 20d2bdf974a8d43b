//! The search tree: principal variation search to a fixed depth.
//!
//! ```text
//! search(board, depth, window):
//!     return the value of a repetition, of a game that is decided, or a score that
//!         tables, proofs or the transposition table settle
//!     at the horizon: accept the evaluation or search the captures (quiescence)
//!     search the first move with the whole window
//!     search each other move with a null window, late ones less deep; if it is better,
//!         search it again
//! ```
//!
//! Without a transposition table and without selectivity the score is that of the plain
//! minimax search (`minimax.rs`).

use super::clock::Clock;
use super::entry::{BoardKey, Bound, HashEntry};
use super::evaluate::evaluate_packed;
use super::moves::{MoveOrder, MovePicker, reduction};
use super::node::Node;
use super::packed::{Move, can_capture, captures, has_moves, moves};
use super::repetition::Path;
use super::root::Root;
use super::score::{Aim, Found, ProvenBounds, SEED, Scale, Window};
use super::threads::{SHALLOW_DEPTH, ThreadMemory};
use super::transposition::Place;
use crate::engine::game::Game;
use crate::engine::table_source::SearchSource;
use crate::rules::{MAX_SEEDS, Next, Ruleset};

/// The maximum depth in plies. A step after which the same player moves again is a ply
/// too.
pub(super) const MAX_DEPTH: u8 = 120;

/// The deepest ply: each capture beyond the horizon takes a seed.
const MAX_PLY: usize = MAX_DEPTH as usize + MAX_SEEDS as usize + 1;

/// The most that the evaluation is expected to change by a capture apart from the seeds
/// captured, in hundredths of a seed.
const CAPTURE_MARGIN: i16 = 300;

/// The search of one thread.
pub(super) struct Tree<'a, S> {
    rules: Ruleset,
    settings: Settings,
    /// For the player to move at the root, and for the opponent.
    scales: [Scale; 2],
    source: S,
    memory: ThreadMemory<'a>,
    pub clock: Clock<'a>,
    path: Path,
    order: MoveOrder,
    /// By ply, the principal variation from there on.
    pvs: Vec<Vec<u8>>,
    pub root: Root,
    /// The deepest ply that was searched.
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
    /// Whether bounds on the layer of the root do not hold because of the history of the game:
    /// they are estimates at the horizon there, and repetitions are searched for.
    pub by_history: bool,
}

/// What is known about a node that has to be searched, before its moves are.
struct KnownNode<'a> {
    hash_move: Option<u8>,
    proven: ProvenBounds,
    /// Where the transposition table has its entry.
    place: Place<'a>,
}

impl<'a, S: SearchSource> Tree<'a, S> {
    /// A search of a game that is not over, restricted to `allowed` pits: at least one.
    pub fn new(
        game: &Game,
        allowed: &[u8],
        settings: Settings,
        source: S,
        memory: ThreadMemory<'a>,
        clock: Clock<'a>,
    ) -> Tree<'a, S> {
        let Settings { aim, contempt, .. } = settings;
        Tree {
            rules: game.rules(),
            settings,
            scales: [-contempt, contempt].map(|draw| Scale::new(aim, draw)),
            source,
            memory,
            clock,
            path: Path::new(game, MAX_PLY),
            order: MoveOrder::new(MAX_PLY + 1),
            pvs: vec![Vec::new(); MAX_PLY + 1],
            root: Root::new(game, allowed, memory.hash),
            deepest_ply: 0,
        }
    }

    /// Searches some of the root's moves to a depth of 1 to [`MAX_DEPTH`]; `None` if the
    /// clock stopped the search. The bounds of the score are those of these moves.
    pub fn search(&mut self, depth: u8, window: Window, pits: &[u8]) -> Option<Found> {
        let node = self.root.node;
        self.root.best = None;
        self.pvs[0].clear();
        self.clock.tick()?;
        let mut picker = self.root.picker(pits);
        let bounds = node.proven_by_count();
        let (found, pit) = self.search_moves::<true>(&node, &mut picker, depth, window, bounds)?;
        if let Some(pit) = pit {
            // With the best move first, an interrupted next search finds no worse one.
            self.root.put_first(&[pit]);
        }
        // Earlier searches may have proven more.
        let proven = found.proven.intersect(self.root.proof_of_best(pits));
        Some(proven.clamp(self.scale(&node), found.score))
    }

    /// The score and the principal variation of the last search, if a move was better
    /// than the window's `alpha`. Of an interrupted search, the best so far.
    pub fn pv(&self) -> Option<(Found, &[u8])> {
        self.root.best.map(|best| (best, &self.pvs[0][..]))
    }

    /// How much of the transposition table has results of this search, in thousandths.
    pub fn hash_full(&self) -> u16 {
        self.memory.hash.permille_of_search()
    }

    /// The scores of margins for the mover of a node.
    pub fn scale(&self, node: &Node) -> &Scale {
        &self.scales[usize::from(node.is_opponents)]
    }

    /// The key of a node.
    fn key(&self, node: &Node) -> BoardKey {
        let key = BoardKey::of(node.board, node.lead);
        if self.settings.contempt != 0 && node.is_opponents {
            key.of_opponent()
        } else {
            key
        }
    }

    /// The score of the `number`-th move of a node: first with less depth and a null window, then
    /// with more as far as it turns out to be good.
    #[inline(always)]
    fn search_move<const IS_PV: bool>(
        &mut self,
        node: &Node,
        step: &Move,
        number: usize,
        depth: u8,
        window: Window,
    ) -> Option<Found> {
        let child = node.child(step);
        let mut tried = if number == 0 {
            window
        } else {
            Window::null(window.alpha)
        };
        // A product in place of a branch, which the processor could not guess.
        let is_reducible = self.settings.selective & step.is_quiet(node.seeds);
        let mut reduced = reduction(depth, number, IS_PV) * u8::from(is_reducible);
        if IS_PV {
            self.pvs[node.ply + 1].clear();
        }
        loop {
            let found = self.search_child(&child, step, depth - 1 - reduced, tried)?;
            if reduced > 0 && found.score > window.alpha {
                reduced = 0;
            } else if IS_PV && tried != window && window.contains(found.score) {
                tried = window;
            } else {
                return Some(found);
            }
        }
    }

    /// The score of the best of some moves of a node with these bounds, and its pit if it
    /// is better than the window's `alpha`.
    #[inline(always)]
    fn search_moves<const IS_PV: bool>(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        depth: u8,
        mut window: Window,
        bounds: ProvenBounds,
    ) -> Option<(Found, Option<u8>)> {
        let mut best = i16::MIN;
        let mut best_pit = None;
        let mut rests_on = Found::NOWHERE;
        let mut proven = ProvenBounds {
            lower: bounds.lower,
            upper: -MAX_SEEDS.cast_signed(),
        };
        self.path.set(node);
        for number in 0.. {
            if number > 0 && self.memory.deferred.is_active(depth - 1) {
                picker.defer(|step| self.is_searched_elsewhere(node, step, depth - 1));
            }
            let Some(step) = picker.next() else {
                break;
            };
            self.prefetch_next(node, picker, depth - 1);
            let mut found = self.search_move::<IS_PV>(node, &step, number, depth, window)?;
            if IS_PV && node.ply == 0 {
                found.proven = self.root.add_proof(step.pit, found.proven);
            }
            rests_on = rests_on.min(found.rests_on);
            proven.lower = proven.lower.max(found.proven.lower);
            proven.upper = proven.upper.max(found.proven.upper);
            best = best.max(found.score);
            if found.score <= window.alpha {
                continue;
            }
            window.alpha = found.score;
            best_pit = Some(step.pit);
            if IS_PV {
                self.update_pv(step.pit, node.ply, found);
            }
            if found.score >= window.beta {
                if picker.has_more() {
                    proven.upper = bounds.upper;
                }
                if step.gain == 0 {
                    self.order.record_cutoff(step.pit, node, depth);
                }
                break;
            }
        }
        let proven = bounds.intersect(proven);
        let found = Found {
            rests_on,
            ..proven.clamp(self.scale(node), best)
        };
        Some((found, best_pit))
    }

    /// Whether another thread is searching the board that a move leads to.
    fn is_searched_elsewhere(&self, node: &Node, step: &Move, depth: u8) -> bool {
        let key = self.key(&node.child(step));
        self.memory.deferred.is_marked(key, depth)
    }

    /// Starts to fetch what is known about the board that the next move leads to, which will be
    /// searched to this depth.
    #[inline(always)]
    fn prefetch_next(&self, node: &Node, picker: &MovePicker, depth: u8) {
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

    /// Sets the principal variation of a ply to a move and the one that follows it.
    fn update_pv(&mut self, pit: u8, ply: usize, found: Found) {
        let (here, after) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(pit);
        pv.extend(&after[0]);
        if ply == 0 {
            self.root.best = Some(found);
        }
    }

    /// The score of a move that leads to `child`. Other threads defer moves to it meanwhile.
    #[inline(always)]
    fn search_child(
        &mut self,
        child: &Node,
        step: &Move,
        depth: u8,
        window: Window,
    ) -> Option<Found> {
        if step.next == Next::Over {
            return Some(Found::certain(self.scale(child), child.lead));
        }
        let opponent_moves = step.next == Next::Opponent;
        let window = if opponent_moves {
            window.turned()
        } else {
            window
        };
        let mark = self.memory.deferred.mark(self.key(child), depth);
        let found = self.search_node(child, depth, window);
        mark.remove();
        if opponent_moves {
            found.map(Found::turned)
        } else {
            found
        }
    }

    /// Searches a node.
    #[inline(always)]
    fn search_node(&mut self, node: &Node, depth: u8, window: Window) -> Option<Found> {
        self.clock.tick()?;
        if let Some(repetition) = self.path.repetition(node) {
            let score = self.scale(node).score(node.lead + repetition.net);
            return Some(Found {
                rests_on: repetition.ply,
                ..Found::new(score, node.proven_by_count())
            });
        }
        if depth > 0 {
            self.search_inside(node, depth, window)
        } else {
            self.search_horizon(node, window)
        }
    }

    /// Searches a node inside the horizon. Apart from the search of nodes at the horizon, which
    /// are most and need less of the stack.
    #[inline(never)]
    fn search_inside(&mut self, node: &Node, depth: u8, window: Window) -> Option<Found> {
        let mut picker = MovePicker::new();
        let KnownNode {
            hash_move,
            proven,
            place,
        } = match self.known(node, depth, window, &mut picker) {
            Ok(known) => known,
            Err(found) => return Some(found),
        };
        if let Some(value) = picker.terminal_value() {
            return Some(Found::certain(self.scale(node), node.lead + value));
        }
        if let Some(pit) = hash_move
            && picker.put_first(pit)
        {
            self.prefetch_next(node, &picker, depth - 1);
        }
        // Without a good first move the search is worth less.
        let reduced = self.settings.selective && hash_move.is_none() && depth >= 5;
        let searched = depth - u8::from(reduced);
        let inner = proven.narrow(self.scale(node), window);
        let (found, pit) = if window.is_null() {
            self.search_moves::<false>(node, &mut picker, searched, inner, proven)?
        } else {
            self.search_moves::<true>(node, &mut picker, searched, inner, proven)?
        };
        let rests_on_path = usize::from(found.rests_on) < node.ply || self.is_after_history(node);
        let entry = HashEntry {
            score: found.score,
            bound: if rests_on_path {
                Bound::None
            } else {
                Bound::of(found.score, window)
            },
            depth: searched,
            pit,
            proven: found.proven,
        };
        self.memory.table(depth).store_at(place, entry);
        Some(found)
    }

    /// What is known about a node inside the horizon before its moves are searched, or the
    /// score that this settles. Fills the picker with the moves.
    ///
    /// The order of the lookups hides most of the waiting for memory. A value in the tables ends
    /// the search, so it comes first. Bounds rarely do: meanwhile the moves are made, and the
    /// tables are read only if the transposition table, whose entries include their bounds, knows
    /// nothing of the board. For shallow nodes that table is in the processor's cache and comes
    /// before the moves.
    #[inline(always)]
    fn known(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
        picker: &mut MovePicker,
    ) -> Result<KnownNode<'a>, Found> {
        let has_bounds = self.rules.has_bounds();
        let by_count = self.proven_by_count(node)?;
        let mut proven = by_count;
        if self.is_after_history(node) {
            self.make_moves(node, depth, picker);
            let place = self.memory.table(depth).locate(self.key(node));
            let entry = self.memory.table(depth).get_at(place);
            return Ok(KnownNode {
                hash_move: entry.and_then(|entry| entry.pit),
                proven,
                place,
            });
        }
        if !has_bounds {
            proven = self.proven_by_tables(node, depth, window, proven)?;
        }
        let is_shallow = depth <= SHALLOW_DEPTH;
        if !is_shallow {
            self.make_moves(node, depth, picker);
        }
        let table = self.memory.table(depth);
        let place = table.locate(self.key(node));
        let entry = match table.get_at(place) {
            // The large table does not know what a less deep search found.
            None if !is_shallow => self.memory.shallow.get(self.key(node)),
            entry => entry,
        };
        if let Some(entry) = entry {
            proven = proven.intersect(entry.proven);
            if let Some(found) = proven.cutoff(self.scale(node), window) {
                return Err(found);
            }
            // An estimate must not cut off the principal variation.
            if window.is_null() && entry.settles(depth, window) {
                return Err(proven.clamp(self.scale(node), entry.score));
            }
        }
        if is_shallow {
            self.make_moves(node, depth, picker);
        }
        // Where tables are on disk, the entry may be of a search that did not probe them.
        if has_bounds && (proven == by_count || !self.source.is_in_memory(node.seeds)) {
            proven = self.proven_by_tables(node, depth, window, proven)?;
        }
        Ok(KnownNode {
            hash_move: entry.and_then(|entry| entry.pit),
            proven,
            place,
        })
    }

    /// Fills the picker with the moves of a node that is searched to this depth, and starts to
    /// fetch what is known about the first one.
    #[inline(never)]
    fn make_moves(&self, node: &Node, depth: u8, picker: &mut MovePicker) {
        picker.make_moves(self.rules, node, &self.order);
        self.prefetch_next(node, picker, depth - 1);
    }

    /// What the seeds on the board and in the stores prove, or the score of a game that they
    /// decide.
    #[inline]
    fn proven_by_count(&self, node: &Node) -> Result<ProvenBounds, Found> {
        let proven = node.proven_by_count();
        if self.settings.aim == Aim::Result && (proven.lower > 0 || proven.upper < 0) {
            // A player has more than half of all seeds: the game is over.
            return Err(Found::new(self.scale(node).score(node.lead), proven));
        }
        Ok(proven)
    }

    /// Whether a node is in the layer of the root, so that bounds do not hold there if those of
    /// the root do not.
    #[inline(always)]
    fn is_after_history(&self, node: &Node) -> bool {
        self.settings.by_history && usize::from(node.quiet_plies) == node.ply
    }

    /// The estimate of a node that is not clear of the history of the game: the bounds of the
    /// tables are no proof there.
    #[cold]
    fn estimate_after_history(&mut self, node: &Node, estimate: i16) -> i16 {
        let mut bounds = self.source.bounds_in_memory(node.board, node.seeds);
        if bounds.is_none() {
            self.clock.read_soon();
            bounds = self.source.bounds(&node.board.to_board());
        }
        let Some(bounds) = bounds else {
            return estimate;
        };
        self.clock.count_table_hit();
        let [lower, upper] =
            [bounds.lower, bounds.upper].map(|net| i16::from(node.lead + net) * SEED);
        estimate.min(upper).max(lower)
    }

    /// These bounds and those of the tables, or the score that they settle.
    #[inline(always)]
    fn proven_by_tables(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
        mut proven: ProvenBounds,
    ) -> Result<ProvenBounds, Found> {
        let mut bounds = self.source.bounds_in_memory(node.board, node.seeds);
        if bounds.is_none() && self.source.is_worth_probing(node.seeds, depth) {
            self.clock.read_soon();
            bounds = self.source.bounds(&node.board.to_board());
        }
        if let Some(bounds) = bounds {
            self.clock.count_table_hit();
            proven = proven.intersect(ProvenBounds::of_value(node.lead, bounds));
        }
        match proven.cutoff(self.scale(node), window) {
            Some(found) => Err(found),
            None => Ok(proven),
        }
    }

    /// Searches a node at the horizon. A static evaluation is wrong by all that the next capture
    /// takes, so the mover may either accept it or capture, and so on, until no capture is left
    /// that could change the result (quiescence search).
    fn search_horizon(&mut self, node: &Node, window: Window) -> Option<Found> {
        self.deepest_ply = self.deepest_ply.max(node.ply);
        let is_after_history = self.is_after_history(node);
        let proven = self.proven_by_count(node).and_then(|proven| {
            if is_after_history {
                return Ok(proven);
            }
            self.proven_by_tables(node, 0, window, proven)
        });
        let proven = match proven {
            Ok(proven) => proven,
            Err(found) => return Some(found),
        };
        if !has_moves(self.rules, node.board)
            && let Some(value) = moves(self.rules, node.board, node.seeds).terminal_value()
        {
            return Some(Found::certain(self.scale(node), node.lead + value));
        }
        let estimate = evaluate_packed(self.rules, node.board, node.seeds);
        let mut estimate = i16::from(node.lead) * SEED + estimate;
        if is_after_history {
            estimate = self.estimate_after_history(node, estimate);
        }
        let accepted = proven.clamp_estimate(self.scale(node), estimate);
        let is_oware = matches!(self.rules, Ruleset::Oware(_));
        let is_quiet = !self.settings.selective || !is_oware || !can_capture(node.board);
        if is_quiet || accepted.score >= window.beta {
            return Some(accepted);
        }
        self.search_captures(node, window, accepted, estimate)
    }

    /// The score of a board with this estimate, or of a capture.
    fn search_captures(
        &mut self,
        node: &Node,
        mut window: Window,
        accepted: Found,
        estimate: i16,
    ) -> Option<Found> {
        let proven = accepted.proven;
        let mut best = accepted;
        window.alpha = window.alpha.max(best.score);
        let captures = captures(self.rules, node.board, node.seeds);
        for step in captures.as_slice() {
            self.source.prefetch(step.board, step.seeds);
        }
        for step in captures.as_slice() {
            // The most that this capture could still change.
            let reach = estimate + i16::from(step.gain) * SEED + CAPTURE_MARGIN;
            if proven.clamp_estimate(self.scale(node), reach).score <= window.alpha {
                break;
            }
            let score = if step.next == Next::Over {
                self.scale(node).score(node.lead + step.gain)
            } else {
                self.clock.tick()?;
                let found = self.search_horizon(&node.child(step), window.turned())?;
                -found.score
            };
            if score > best.score {
                best = proven.clamp(self.scale(node), score);
                if best.score >= window.beta {
                    break;
                }
                window.alpha = window.alpha.max(best.score);
            }
        }
        Some(best)
    }
}
