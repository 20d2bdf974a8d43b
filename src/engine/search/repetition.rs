//! Repetitions: boards that occurred before, on the searched path or in the game.

use super::packed::PackedBoard;
use crate::engine::game::Game;
use crate::rules::{Endless, Ruleset};

/// The path of boards from the root to the node being searched.
pub(super) struct Path {
    /// How endless play is settled; `None` in the store family, where no board repeats.
    endless: Option<Endless>,
    visits: Vec<Visit>,
    /// The boards that occurred so often in the game that one more occurrence ends it:
    /// those that the mover at the root faces, and those that the opponent does.
    from_game: [Vec<PackedBoard>; 2],
}

#[derive(Clone, Copy)]
struct Visit {
    board: PackedBoard,
    /// Quiet steps since seeds last left the board.
    quiet_plies: usize,
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
    /// The path that consists of the root.
    pub fn new(game: &Game) -> Path {
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
            visits: vec![Visit {
                board: PackedBoard::of(&game.board()),
                quiet_plies: 0,
            }],
            from_game,
        }
    }

    /// Returns to the root.
    pub fn reset(&mut self) {
        self.visits.truncate(1);
    }

    /// Appends a board.
    pub fn push(&mut self, board: PackedBoard, is_quiet: bool) {
        let before = self.visits.last().map_or(0, |visit| visit.quiet_plies);
        let quiet_plies = if is_quiet { before + 1 } else { 0 };
        self.visits.push(Visit { board, quiet_plies });
    }

    /// Removes the last board.
    pub fn pop(&mut self) {
        self.visits.pop();
    }

    /// The repetition that the last board is, if it is on the path already or one more
    /// occurrence in the game ends it. A single repetition on the path is enough to show
    /// that play can go on for ever.
    pub fn repetition(&self) -> Option<Repetition> {
        let endless = self.endless?;
        let (last, before) = self.visits.split_last()?;
        if last.quiet_plies == 0 {
            return None;
        }
        // Quiet steps alternate between the players.
        let earliest = before.len().saturating_sub(last.quiet_plies);
        let mut on_path = (earliest..before.len()).rev().skip(1).step_by(2);
        let ply = on_path
            .find(|&ply| before[ply].board == last.board)
            .or_else(|| {
                let plies = before.len();
                let in_game =
                    last.quiet_plies == plies && self.from_game[plies % 2].contains(&last.board);
                in_game.then_some(0)
            })?;
        Some(Repetition {
            net: match endless {
                Endless::Even | Endless::Nobody => 0,
                Endless::BySide => last.board.net_of_rows(),
            },
            ply: ply as u8,
        })
    }
}
