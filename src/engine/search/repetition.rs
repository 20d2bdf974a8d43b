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
    /// By ply, from four before the root on: the [`bit`]s of the boards that one after four
    /// more quiet moves may repeat. They are those at the ply, two plies before, and so on, as
    /// far as the moves between are quiet; before the root, those of the game.
    repeatable: Vec<u64>,
    /// The boards that occurred so often in the game that one more occurrence ends it:
    /// those that the mover at the root faces, and those that the opponent does.
    from_game: [Vec<PackedBoard>; 2],
}

/// How many moves it takes to repeat a board. Quiet moves alternate between the players, and
/// no board repeats after two: the pits that a move sows into would have to be emptied by the
/// other, which empties one pit and sows into those after it.
const SHORTEST: usize = 4;

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
        let players = [game.to_move(), game.to_move().opponent()];
        let from_game: [Vec<PackedBoard>; 2] = players.map(|player| {
            let boards = game.boards_near_repetition();
            let faced = boards.filter(|(to_move, _)| *to_move == player);
            faced.map(|(_, board)| PackedBoard::of(&board)).collect()
        });
        let mut repeatable = vec![0; SHORTEST + plies + 1];
        for (ply, bits) in repeatable[..SHORTEST].iter_mut().enumerate() {
            let boards = from_game[ply % 2].iter();
            *bits = boards.fold(0, |bits, &board| bits | bit(board));
        }
        Path {
            endless: match game.rules() {
                Ruleset::Oware(rules) => Some(rules.endless),
                Ruleset::Stores(_) => None,
            },
            boards: vec![PackedBoard::of(&game.board()); plies + 1],
            repeatable,
            from_game,
        }
    }

    /// Puts a node whose children are searched next on the path.
    #[inline(always)]
    pub fn set(&mut self, node: &Node) {
        self.boards[node.ply] = node.board;
        // Without branches, which the processor could not guess.
        let is_quiet = usize::from(node.quiet_plies) >= node.ply.min(2);
        let before = self.repeatable[SHORTEST + node.ply - 2] * u64::from(is_quiet);
        self.repeatable[SHORTEST + node.ply] = before | bit(node.board);
    }

    /// The repetition that a node is, if its board is on the path already or one more
    /// occurrence in the game ends it. A single repetition on the path is enough to show
    /// that play can go on for ever.
    #[inline(always)]
    pub fn repetition(&self, node: &Node) -> Option<Repetition> {
        // Most nodes repeat nothing, which their bit shows.
        let is_quiet = usize::from(node.quiet_plies) >= node.ply.min(SHORTEST);
        let bits = bit(node.board) * u64::from(is_quiet);
        match bits & self.repeatable[node.ply] {
            0 => None,
            _ => self.find(node),
        }
    }

    /// As [`Path::repetition`], by comparing the node's board with all that it may repeat.
    #[cold]
    fn find(&self, node: &Node) -> Option<Repetition> {
        let endless = self.endless?;
        let ply = self.earlier_ply(node)?;
        Some(Repetition {
            net: match endless {
                Endless::Even | Endless::Nobody => 0,
                Endless::BySide | Endless::Open => node.board.net_of_rows(),
            },
            ply: ply as u8,
        })
    }

    /// The ply of the earlier occurrence, 0 if it is in the game.
    fn earlier_ply(&self, node: &Node) -> Option<usize> {
        let quiet_plies = usize::from(node.quiet_plies);
        let mut earlier = (SHORTEST..=quiet_plies)
            .step_by(2)
            .map(|plies| node.ply - plies);
        earlier
            .find(|&ply| self.boards[ply] == node.board)
            .or_else(|| {
                let is_in_game = quiet_plies == node.ply
                    && quiet_plies > 0
                    && self.from_game[node.ply % 2].contains(&node.board);
                is_in_game.then_some(0)
            })
    }
}

/// A bit that stands for a board, and for one in 64 of all others.
#[inline(always)]
fn bit(board: PackedBoard) -> u64 {
    let mover = board.mover.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let opponent = board.opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    1 << (mover.wrapping_add(opponent) >> 58)
}
