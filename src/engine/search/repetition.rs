//! Repetitions: boards that occurred before, on the searched path or in the game.

use super::node::Node;
use crate::engine::game::Game;
use crate::rules::{Endless, PackedBoard, Ruleset};

/// The path of boards from the root to the node being searched.
pub(super) struct Path {
    /// How endless play is settled; `None` in the store family, where no board repeats.
    endless: Option<Endless>,
    /// By ply. Those beyond the node being searched are old.
    boards: Vec<PackedBoard>,
    /// The boards that occurred so often in the game that one more occurrence ends it:
    /// those that the mover at the root faces, and those that the opponent does.
    from_game: [Vec<PackedBoard>; 2],
}

/// A board that occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repetition {
    /// Net seeds of endless play for the mover.
    pub net: i8,
    /// Plies from the root to the earlier occurrence; 0 if it is in the game.
    pub ply: u8,
}

impl Path {
    /// A path of the root and at most `plies` more boards.
    pub fn new(game: &Game, plies: usize) -> Path {
        let from_game = [game.to_move(), game.to_move().opponent()].map(|player| {
            let boards = game.boards_near_repetition();
            let faced = boards.filter(|(to_move, _)| *to_move == player);
            faced.map(|(_, board)| PackedBoard::of(&board)).collect()
        });
        Path {
            endless: match game.rules() {
                Ruleset::Oware(rules) => Some(rules.endless),
                Ruleset::Stores(_) => None,
            },
            boards: vec![PackedBoard::of(&game.board()); plies + 1],
            from_game,
        }
    }

    /// Puts a node whose children are searched next on the path.
    pub fn set(&mut self, node: &Node) {
        self.boards[node.ply] = node.board;
    }

    /// The repetition that a node is, if its board is on the path already or one more
    /// occurrence in the game ends it. A single repetition on the path is enough to show
    /// that play can go on for ever.
    pub fn repetition(&self, node: &Node) -> Option<Repetition> {
        let endless = self.endless?;
        let ply = self.earlier_ply(node)?;
        Some(Repetition {
            net: match endless {
                Endless::Even | Endless::Nobody => 0,
                Endless::BySide => node.board.net_of_rows(),
            },
            ply: ply as u8,
        })
    }

    /// The ply of the earlier occurrence, 0 if it is in the game.
    fn earlier_ply(&self, node: &Node) -> Option<usize> {
        // Quiet moves alternate between the players. No board repeats after two: the pits
        // that a move sows into would have to be emptied by the other, which empties one
        // pit and sows into those after it.
        let quiet_plies = usize::from(node.quiet_plies);
        let mut distance = 4;
        while distance <= quiet_plies {
            let ply = node.ply - distance;
            if self.boards[ply] == node.board {
                return Some(ply);
            }
            distance += 2;
        }
        let is_in_game = quiet_plies == node.ply
            && quiet_plies > 0
            && self.from_game[node.ply % 2].contains(&node.board);
        is_in_game.then_some(0)
    }
}
