//! Nodes of the search tree.

use super::packed::Move;
use super::score::ProvenBounds;
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
    pub fn child(&self, step: &Move) -> Node {
        let lead = self.lead + step.gain;
        let opponent_moves = step.next == Next::Opponent;
        Node {
            board: step.board,
            seeds: step.seeds,
            lead: if opponent_moves { -lead } else { lead },
            ply: self.ply + 1,
            quiet_plies: if step.is_quiet(self.seeds) {
                self.quiet_plies + 1
            } else {
                0
            },
            is_opponents: self.is_opponents ^ opponent_moves,
        }
    }

    /// The bounds that the seeds on the board and in the stores prove.
    pub fn proven_by_count(&self) -> ProvenBounds {
        ProvenBounds::of_seeds(self.lead, self.seeds)
    }
}
