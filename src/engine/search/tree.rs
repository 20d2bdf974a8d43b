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

use super::aim::{Aim, SEED, Scale};
use super::bounded_score::{BoundedScore, ProvenBounds};
use super::clock::Clock;
use super::deferred::DeferredMoves;
use super::evaluate::evaluate;
use super::key::Key;
use super::move_order::MoveOrder;
use super::packed::{Move, MoveList, PackedBoard, captures, has_moves, moves};
use super::reductions::reduction;
use super::repetition::Path;
use super::transposition::{Bound, Entry, TranspositionTable};
use super::window::Window;
use crate::engine::game::Game;
use crate::engine::table_source::TableSource;
use crate::rules::{MAX_SEEDS, Next, ROW, Ruleset};

/// The maximum depth in plies. A step after which the same player moves again is a ply
/// too.
pub(super) const MAX_DEPTH: u8 = 120;

/// The deepest ply: each capture beyond the horizon takes a seed.
const MAX_PLY: usize = MAX_DEPTH as usize + MAX_SEEDS as usize + 1;

/// The search of one thread.
pub(super) struct Tree<'a, S> {
    rules: Ruleset,
    settings: Settings,
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

/// The root of the tree.
struct Root {
    node: Node,
    moves: MoveList,
    /// The pits to search, in this order.
    pits: Vec<u8>,
    /// The best score of the current search so far.
    best: Option<BoundedScore>,
    /// What is proven about each move, by pit.
    proofs: [ProvenBounds; ROW],
    deepest_ply: usize,
}

/// A board in the tree.
#[derive(Clone, Copy)]
struct Node {
    board: PackedBoard,
    /// Seeds on the board.
    seeds: u8,
    /// The mover's store minus the opponent's.
    lead: i8,
    /// Plies from the root.
    ply: usize,
    /// Whether the opponent of the player to move at the root is to move.
    is_opponents: bool,
}

impl Node {
    /// The node that a move leads to.
    fn child(&self, found: &Move) -> Node {
        let lead = self.lead + found.gain;
        Node {
            board: found.board,
            seeds: found.seeds,
            lead: if found.next == Next::Opponent {
                -lead
            } else {
                lead
            },
            ply: self.ply + 1,
            is_opponents: self.is_opponents ^ (found.next == Next::Opponent),
        }
    }
}

/// The result of a search of a node.
#[derive(Clone, Copy)]
struct Found {
    score: BoundedScore,
    /// The earliest ply of the path on which the score rests because a board below
    /// repeats the one there; [`NOWHERE`] if there is none.
    rests_on: u8,
}

/// A ply beyond all others.
const NOWHERE: u8 = u8::MAX;

impl Found {
    fn free(score: BoundedScore) -> Found {
        Found {
            score,
            rests_on: NOWHERE,
        }
    }
}

impl<'a, S: TableSource> Tree<'a, S> {
    /// A search of a game that is not over, restricted to `allowed` pits, of which there
    /// is at least one.
    pub fn new(
        game: &Game,
        allowed: &[u8],
        settings: Settings,
        source: S,
        shared: Shared<'a>,
        clock: Clock<'a>,
    ) -> Tree<'a, S> {
        let rules = game.rules();
        let node = Node {
            board: PackedBoard::of(&game.board()),
            seeds: game.board().seeds(),
            lead: game.lead(game.to_move()),
            ply: 0,
            is_opponents: false,
        };
        let order = MoveOrder::new(MAX_PLY + 1);
        let hash_move = shared.hash.get(Key::of(node.board, node.lead));
        let hash_move = hash_move.and_then(|entry| entry.pit);
        let moves = moves(rules, node.board, node.seeds);
        let ordered = order.sort(&moves, node.board, hash_move, 0);
        let pits = ordered.as_slice().iter().map(|found| found.pit);
        Tree {
            rules,
            settings,
            source,
            shared,
            clock,
            path: Path::new(game),
            order,
            pvs: vec![Vec::new(); MAX_PLY + 1],
            root: Root {
                node,
                moves,
                pits: pits.filter(|pit| allowed.contains(pit)).collect(),
                best: None,
                proofs: [ProvenBounds::of_seeds(node.lead, node.seeds); ROW],
                deepest_ply: 0,
            },
        }
    }

    /// Searches some of the root's moves to a depth of 1 to [`MAX_DEPTH`]; `None` if the
    /// clock stopped the search. The bounds of the score are those of these moves.
    pub fn search(&mut self, depth: u8, window: Window, pits: &[u8]) -> Option<BoundedScore> {
        let node = self.root.node;
        self.root.best = None;
        self.path.reset();
        self.pvs[0].clear();
        self.clock.tick()?;
        let mut moves = self.order.sort(&self.root.moves, node.board, None, 0);
        let rank = |pit| self.root.pits.iter().position(|&other| other == pit);
        moves
            .as_mut_slice()
            .sort_by_key(|found| rank(found.pit).unwrap_or(usize::MAX));
        moves.retain(pits);
        let bounds = ProvenBounds::of_seeds(node.lead, node.seeds);
        let (found, pit) = self.search_moves(&node, moves.as_mut_slice(), depth, window, bounds)?;
        if let Some(pit) = pit {
            // With the best move first, an interrupted next search finds no worse one.
            self.put_first(&[pit]);
        }
        // Earlier searches may have proven more.
        let proven = found.score.proven.intersect(self.proof_of_best(pits));
        Some(proven.clamp(self.scale(&node), found.score.score))
    }

    /// Searches these moves of the root before all others from now on.
    pub fn put_first(&mut self, pits: &[u8]) {
        let rank = |pit| pits.iter().position(|&other| other == pit);
        let root = &mut self.root.pits;
        root.sort_by_key(|&pit| rank(pit).unwrap_or(usize::MAX));
    }

    /// What is proven about a move of the root.
    pub fn proof(&self, pit: u8) -> ProvenBounds {
        self.root.proofs[usize::from(pit)]
    }

    /// What is proven about the best of some moves of the root.
    pub fn proof_of_best(&self, pits: &[u8]) -> ProvenBounds {
        let proofs = || pits.iter().map(|&pit| self.proof(pit));
        let node = &self.root.node;
        ProvenBounds {
            lower: proofs().map(|proof| proof.lower).max().unwrap_or(node.lead),
            upper: proofs().map(|proof| proof.upper).max().unwrap_or(node.lead),
        }
    }

    /// The score of a certain margin in seeds for the player to move at the root.
    pub fn score(&self, margin: i8) -> i16 {
        self.scale(&self.root.node).score(margin)
    }

    /// Adds what tables prove about a move of the root.
    pub fn add_proof(&mut self, pit: u8, proven: ProvenBounds) {
        let proof = &mut self.root.proofs[usize::from(pit)];
        *proof = proof.intersect(proven);
    }

    /// The score and the principal variation of the last search, if a move was better
    /// than the window's `alpha`. Of an interrupted search, the best so far.
    pub fn pv(&self) -> Option<(BoundedScore, &[u8])> {
        self.root.best.map(|best| (best, &self.pvs[0][..]))
    }

    /// The pits that may be played, in the order in which to search them; at least one.
    pub fn pits(&self) -> &[u8] {
        &self.root.pits
    }

    /// The lead of the player to move at the root, in seeds.
    pub fn lead(&self) -> i8 {
        self.root.node.lead
    }

    /// The clock.
    pub fn clock(&self) -> &Clock<'a> {
        &self.clock
    }

    /// How much of the transposition table has results of this search, in thousandths.
    pub fn hash_full(&self) -> u16 {
        self.shared.hash.permille_of_search()
    }

    /// The deepest ply that was searched.
    pub fn deepest_ply(&self) -> usize {
        self.root.deepest_ply
    }
}

impl<S: TableSource> Tree<'_, S> {
    fn search_node(&mut self, node: &Node, depth: u8, window: Window) -> Option<Found> {
        self.clock.tick()?;
        let scale = self.scale(node);
        if let Some(repetition) = self.path.repetition() {
            let score = scale.score(node.lead + repetition.net);
            let proven = ProvenBounds::of_seeds(node.lead, node.seeds);
            return Some(Found {
                score: BoundedScore { score, proven },
                rests_on: repetition.ply,
            });
        }
        let mut proven = match self.proven_before_moves(node, depth, window) {
            Ok(proven) => proven,
            Err(score) => return Some(Found::free(score)),
        };
        if depth == 0 {
            return self.search_captures(node, proven, window);
        }
        let key = self.key(node);
        let entry = self.shared.hash.get(key);
        if let Some(entry) = entry {
            proven = proven.intersect(entry.proven);
            if let Some(score) = proven.cutoff(scale, window) {
                return Some(Found::free(score));
            }
            // An estimate must not cut off the principal variation.
            if window.is_null() && entry.settles(depth, window) {
                return Some(Found::free(proven.clamp(scale, entry.score)));
            }
        }
        let list = moves(self.rules, node.board, node.seeds);
        if let Some(value) = list.over() {
            let proven = ProvenBounds::exact(node.lead + value);
            return Some(Found::free(proven.clamp(scale, scale.score(proven.lower))));
        }
        let hash_move = entry.and_then(|entry| entry.pit);
        let mut depth = depth;
        if self.settings.selective && hash_move.is_none() && depth >= 5 {
            // Without a good first move the search is worth less.
            depth -= 1;
        }
        let mut ordered = self.order.sort(&list, node.board, hash_move, node.ply);
        let inner = proven.narrow(scale, window);
        let (found, pit) = self.search_moves(node, ordered.as_mut_slice(), depth, inner, proven)?;
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
        self.shared.hash.store(key, entry);
        Some(found)
    }

    /// What is proven about a board without its moves, or the score that this settles.
    fn proven_before_moves(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
    ) -> Result<ProvenBounds, BoundedScore> {
        let scale = self.scale(node);
        let mut proven = ProvenBounds::of_seeds(node.lead, node.seeds);
        if self.settings.aim == Aim::Result && (proven.lower > 0 || proven.upper < 0) {
            // A player has more than half of all seeds: the game is over.
            let score = scale.score(node.lead);
            return Err(BoundedScore { score, proven });
        }
        if self.source.is_worth_probing(node.seeds, depth)
            && let Some(bounds) = self.source.bounds(&node.board.to_board())
        {
            self.clock.count_table_hit();
            proven = proven.intersect(ProvenBounds::of_value(node.lead, bounds));
        }
        match proven.cutoff(scale, window) {
            Some(score) => Err(score),
            None => Ok(proven),
        }
    }

    /// The score at the horizon: of the board as it is, or of a capture.
    fn search_captures(
        &mut self,
        node: &Node,
        proven: ProvenBounds,
        mut window: Window,
    ) -> Option<Found> {
        let scale = self.scale(node);
        self.root.deepest_ply = self.root.deepest_ply.max(node.ply);
        if !has_moves(self.rules, node.board)
            && let Some(value) = moves(self.rules, node.board, node.seeds).over()
        {
            let proven = ProvenBounds::exact(node.lead + value);
            return Some(Found::free(proven.clamp(scale, scale.score(proven.lower))));
        }
        let estimate = evaluate(self.rules, &node.board.to_board());
        let estimate = i16::from(node.lead) * SEED + estimate;
        let mut best = proven.clamp_estimate(scale, estimate);
        let is_oware = matches!(self.rules, Ruleset::Oware(_));
        if !self.settings.selective || !is_oware || best.score >= window.beta {
            return Some(Found::free(best));
        }
        window.alpha = window.alpha.max(best.score);
        for found in captures(self.rules, node.board, node.seeds).as_slice() {
            if found.gain <= 0 {
                break;
            }
            // The most that this capture could still change.
            let reach = estimate + i16::from(found.gain) * SEED + CAPTURE_MARGIN;
            if proven.clamp_estimate(scale, reach).score <= window.alpha {
                break;
            }
            let child = node.child(found);
            let score = if found.next == Next::Over {
                let margin = node.lead + found.gain;
                scale.score(margin)
            } else {
                self.clock.tick()?;
                let inner = window.turned();
                match self.proven_before_moves(&child, 0, inner) {
                    Ok(proven) => -self.search_captures(&child, proven, inner)?.score.score,
                    Err(score) => -score.score,
                }
            };
            if score > best.score {
                best = proven.clamp(scale, score);
                if best.score >= window.beta {
                    break;
                }
                window.alpha = window.alpha.max(best.score);
            }
        }
        Some(Found::free(best))
    }

    /// The scores of certain margins for the mover of a node.
    fn scale(&self, node: &Node) -> Scale {
        let Settings { aim, contempt, .. } = self.settings;
        Scale::new(
            aim,
            if node.is_opponents {
                contempt
            } else {
                -contempt
            },
        )
    }

    /// The key of a node. If draws are worth something, both sides score a board
    /// differently.
    fn key(&self, node: &Node) -> Key {
        let key = Key::of(node.board, node.lead);
        match self.settings.contempt != 0 && node.is_opponents {
            true => key.for_opponent(),
            false => key,
        }
    }

    /// The score of the best of some moves of a node with these bounds, and its pit if it
    /// is better than the window's `alpha`.
    fn search_moves(
        &mut self,
        node: &Node,
        moves: &mut [Move],
        depth: u8,
        mut window: Window,
        bounds: ProvenBounds,
    ) -> Option<(Found, Option<u8>)> {
        let scale = self.scale(node);
        let is_pv = !window.is_null();
        let mut best: Option<BoundedScore> = None;
        let mut best_pit = None;
        let mut rests_on = NOWHERE;
        let mut proven = ProvenBounds {
            lower: bounds.lower,
            upper: -MAX_SEEDS.cast_signed(),
        };
        for number in 0..moves.len() {
            if number > 0 && self.shared.deferred.is_active() {
                self.defer_moves(node, &mut moves[number..], depth);
            }
            let step = moves[number];
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
                (score.score, score.proven.lower) > (best.score, best.proven.lower)
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
                if number + 1 < moves.len() {
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
            score: proven.clamp(scale, best?.score),
            rests_on,
        };
        Some((found, best_pit))
    }

    /// Moves the first move whose child no other thread is searching to the front.
    fn defer_moves(&self, node: &Node, moves: &mut [Move], depth: u8) {
        let is_free = |found: &Move| {
            let key = self.key(&node.child(found));
            !self.shared.deferred.is_marked(key, depth - 1)
        };
        if let Some(free) = moves.iter().position(is_free) {
            moves[..=free].rotate_right(1);
        }
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
        self.pvs[child.ply].clear();
        if step.next == Next::Over {
            let proven = ProvenBounds::exact(child.lead);
            let score = self.scale(&child).score(child.lead);
            return Some(Found::free(BoundedScore { score, proven }));
        }
        self.path.push(step.board, step.is_quiet(node.seeds));
        let Shared { deferred, .. } = self.shared;
        let is_turned = step.next == Next::Opponent;
        let window = if is_turned { window.turned() } else { window };
        let found = match deferred.is_active() {
            true => {
                let key = self.key(&child);
                deferred.while_marked(key, depth, || self.search_node(&child, depth, window))
            }
            false => self.search_node(&child, depth, window),
        }?;
        self.path.pop();
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

/// The most that the evaluation is expected to change by a capture apart from the seeds
/// captured, in hundredths of a seed.
const CAPTURE_MARGIN: i16 = 300;
