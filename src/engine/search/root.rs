//! The root of the search tree: which moves may be played, in which order to search
//! them, and what is known about each.

use std::iter;

use super::entry::BoardKey;
use super::moves::{MoveOrder, MovePicker};
use super::node::Node;
use super::packed::MoveList;
use super::score::{Found, ProvenBounds};
use super::transposition::TranspositionTable;
use crate::engine::game::Game;
use crate::rules::ROW;

/// The root of the tree.
pub(super) struct Root {
    pub node: Node,
    moves: MoveList,
    /// The pits that may be played, in the order in which to search them; at least one.
    pits: Vec<u8>,
    /// The best move of the current search so far.
    pub best: Option<Found>,
    /// What is proven about each move, by pit.
    proofs: [ProvenBounds; ROW],
    /// Whether what is proven about the board that a move leads to holds in this game, by pit.
    holds: [bool; ROW],
}

impl Root {
    /// The root of a game that is not over, restricted to `allowed` pits: at least one.
    pub fn new(game: &Game, allowed: &[u8], hash: &TranspositionTable) -> Root {
        let node = Node::root(game);
        let mut picker = MovePicker::new();
        picker.make_moves(game.rules(), &node, &MoveOrder::new(1));
        let entry = hash.get(BoardKey::of(node.board, node.lead));
        if let Some(pit) = entry.and_then(|entry| entry.pit) {
            picker.put_first(pit);
        }
        let moves = *picker.moves();
        let mut holds = [false; ROW];
        for step in game.moves().legal() {
            holds[usize::from(step.pit)] = game.bounds_hold_after(&step);
        }
        let ordered = iter::from_fn(|| Some(picker.next()?.pit));
        Root {
            node,
            moves,
            pits: ordered.filter(|pit| allowed.contains(pit)).collect(),
            best: None,
            proofs: [node.proven_by_count(); ROW],
            holds,
        }
    }

    /// The moves of some of the pits, in their order.
    pub fn picker(&self, pits: &[u8]) -> MovePicker {
        let ordered = self.pits.iter().filter(|pit| pits.contains(pit));
        MovePicker::in_order(self.moves, ordered.copied())
    }

    /// The pits that may be played, in the order in which to search them; at least one.
    pub fn pits(&self) -> &[u8] {
        &self.pits
    }

    /// Searches these moves before all others from now on.
    pub fn put_first(&mut self, pits: &[u8]) {
        let rank = |pit| pits.iter().position(|&other| other == pit);
        self.pits
            .sort_by_key(|&pit| rank(pit).unwrap_or(usize::MAX));
    }

    /// Whether what is proven about the board that a move leads to holds in this game.
    pub fn holds(&self, pit: u8) -> bool {
        self.holds[usize::from(pit)]
    }

    /// Adds what is proven about a move and the board that it leads to, if that holds in this
    /// game. Returns what is proven of the game.
    pub fn add_proof(&mut self, pit: u8, proven: ProvenBounds) -> ProvenBounds {
        if !self.holds(pit) {
            return self.node.proven_by_count();
        }
        let proof = &mut self.proofs[usize::from(pit)];
        *proof = proof.intersect(proven);
        proven
    }

    /// What is proven about a move.
    pub fn proof(&self, pit: u8) -> ProvenBounds {
        self.proofs[usize::from(pit)]
    }

    /// What is proven about the best of some moves.
    pub fn proof_of_best(&self, pits: &[u8]) -> ProvenBounds {
        let proofs = || pits.iter().map(|&pit| self.proof(pit));
        let lead = self.node.lead;
        ProvenBounds {
            lower: proofs().map(|proof| proof.lower).max().unwrap_or(lead),
            upper: proofs().map(|proof| proof.upper).max().unwrap_or(lead),
        }
    }
}
