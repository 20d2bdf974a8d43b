//! The root of the search tree: which moves may be played, in which order to search
//! them, and what is known about each.

use std::iter;

use super::aim::Scale;
use super::bounded_score::{BoundedScore, ProvenBounds};
use super::clock::Clock;
use super::key::{Key, View};
use super::memory::Memory;
use super::move_order::Killers;
use super::move_picker::MovePicker;
use super::node::{Node, Pv};
use super::packed::moves;
use super::repetition::Path;
use super::tree::{MAX_PLY, Root, Settings, Tree};
use super::window::Window;
use crate::engine::game::Game;
use crate::engine::table_source::SearchSource;
use crate::rules::ROW;

impl<'a, S: SearchSource> Tree<'a, S> {
    /// A search of a game that is not over, restricted to `allowed` pits, of which there
    /// is at least one.
    pub fn new(
        game: &Game,
        allowed: &[u8],
        settings: Settings,
        source: S,
        memory: Memory<'a>,
        clock: Clock<'a>,
    ) -> Tree<'a, S> {
        let rules = game.rules();
        let node = Node::root(game);
        let killers = Killers::new(MAX_PLY + 1);
        let hash_move = memory
            .hash
            .get(Key::of(node.board, node.lead, View::SHARED));
        let hash_move = hash_move.and_then(|entry| entry.pit);
        let mut picker = MovePicker::new();
        picker.make_moves(rules, node.board, node.seeds, &killers, 0);
        if let Some(pit) = hash_move {
            picker.put_first(pit);
        }
        let ordered = iter::from_fn(|| Some(picker.next()?.pit));
        let pits = ordered.filter(|pit| allowed.contains(pit)).collect();
        Tree {
            rules,
            settings,
            scales: [-settings.contempt, settings.contempt]
                .map(|draw| Scale::new(settings.aim, draw)),
            // If draws are worth something, both sides score a board differently.
            views: match settings.contempt {
                0 => [View::SHARED; 2],
                _ => [View::SHARED, View::OWN],
            },
            source,
            memory,
            clock,
            path: Path::new(game, MAX_PLY),
            killers,
            pvs: vec![Vec::new(); MAX_PLY + 1],
            root: Root {
                node,
                pits,
                moves: moves(rules, node.board, node.seeds),
                best: None,
                proofs: [ProvenBounds::of_seeds(node.lead, node.seeds); ROW],
                deepest_ply: 0,
            },
        }
    }

    /// Searches some of the root's moves to a depth of 1 to `tree::MAX_DEPTH`; `None` if the
    /// clock stopped the search. The bounds of the score are those of these moves.
    pub fn search(&mut self, depth: u8, window: Window, pits: &[u8]) -> Option<BoundedScore> {
        let node = self.root.node;
        self.root.best = None;
        self.pvs[0].clear();
        self.clock.tick()?;
        let ordered = self.root.pits.iter().filter(|pit| pits.contains(pit));
        let ordered: Vec<u8> = ordered.copied().collect();
        let bounds = ProvenBounds::of_seeds(node.lead, node.seeds);
        let mut picker = MovePicker::in_order(self.root.moves, &killersed);
        let (found, pit) = self.search_moves::<Pv>(&node, &mut picker, depth, window, bounds)?;
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
        self.memory.hash.permille_of_search()
    }

    /// The deepest ply that was searched.
    pub fn deepest_ply(&self) -> usize {
        self.root.deepest_ply
    }
}
