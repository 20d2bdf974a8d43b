//! Nodes of the search tree, and what a search of one finds.

use super::bounded_score::{BoundedScore, ProvenBounds};
use super::entry::Entry;
use super::packed::Move;
use super::transposition::{self, TranspositionTable};
use crate::engine::game::Game;
use crate::rules::{Next, PackedBoard};

/// A board in the tree.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub board: PackedBoard,
    /// Seeds on the board.
    pub seeds: u8,
    /// The mover's store minus the opponent's.
    pub lead: i8,
    /// Plies from the root.
    pub ply: usize,
    /// Quiet moves since seeds last left the board, or since the root.
    pub quiet_plies: u8,
    /// Whether the opponent of the player to move at the root is to move.
    pub is_opponents: bool,
}

impl Node {
    /// The root of a game's search.
    pub fn root(game: &Game) -> Node {
        let board = game.board();
        Node {
            board: PackedBoard::of(&board),
            seeds: board.seeds(),
            lead: game.lead(game.to_move()),
            ply: 0,
            quiet_plies: 0,
            is_opponents: false,
        }
    }

    /// The node that a move leads to.
    pub fn child(&self, found: &Move) -> Node {
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
            quiet_plies: match found.is_quiet(self.seeds) {
                true => self.quiet_plies + 1,
                false => 0,
            },
            is_opponents: self.is_opponents ^ (found.next == Next::Opponent),
        }
    }
}

/// What is known about a node that has to be searched, before its moves are.
pub(super) struct Opened<'a> {
    /// The transposition table for it, and where that has it.
    pub table: &'a TranspositionTable,
    pub place: transposition::Place<'a>,
    pub entry: Option<Entry>,
    pub proven: ProvenBounds,
}

/// The kinds of nodes inside the horizon. The code that goes through their moves is
/// compiled for each of them.
pub(super) trait NodeKind {
    /// Whether the node may be part of the principal variation.
    const IS_PV: bool;
    /// Whether all its moves lead to nodes at the horizon.
    const IS_FRONTIER: bool;
}

/// The root, and nodes that are searched with an open window.
pub(super) struct Pv;
/// Nodes that are searched with a null window.
pub(super) struct Null;
/// Nodes one ply above the horizon that are searched with a null window.
pub(super) struct Frontier;

impl NodeKind for Pv {
    const IS_PV: bool = true;
    const IS_FRONTIER: bool = false;
}
impl NodeKind for Null {
    const IS_PV: bool = false;
    const IS_FRONTIER: bool = false;
}
impl NodeKind for Frontier {
    const IS_PV: bool = false;
    const IS_FRONTIER: bool = true;
}

/// The result of a search of a node.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub score: BoundedScore,
    /// The earliest ply of the path on which the score rests because a board below
    /// repeats the one there; [`NOWHERE`] if there is none.
    pub rests_on: u8,
}

/// A ply beyond all others.
pub(super) const NOWHERE: u8 = u8::MAX;

impl Found {
    pub fn free(score: BoundedScore) -> Found {
        Found {
            score,
            rests_on: NOWHERE,
        }
    }
}
