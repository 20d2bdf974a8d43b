//! Repetitions: boards that occurred before, on the searched path or in the game.

use crate::engine::game::{Game, endless_shares};
use crate::rules::{Board, Endless, Ruleset};

/// The path of boards from the root to the node being searched.
pub(super) struct Path {
    /// How endless play is settled; `None` in the store family, where no board repeats.
    endless: Option<Endless>,
    visits: Vec<Visit>,
    /// The boards that occurred so often in the game that one more occurrence ends it:
    /// those that the mover at the root faces, and those that the opponent does.
    from_game: [Vec<Board>; 2],
}

#[derive(Clone, Copy)]
struct Visit {
    board: Board,
    /// Quiet steps since seeds last left the board.
    quiet_plies: usize,
}

impl Path {
    /// The path that consists of the root.
    pub fn new(game: &Game) -> Path {
        let from_game = [game.to_move(), game.to_move().opponent()].map(|player| {
            let boards = game.boards_near_repetition();
            let faced = boards.filter(|(to_move, _)| *to_move == player);
            faced.map(|(_, board)| board).collect()
        });
        Path {
            endless: match game.rules() {
                Ruleset::Oware(rules) => Some(rules.endless),
                Ruleset::Stores(_) => None,
            },
            visits: vec![Visit {
                board: game.board(),
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
    pub fn push(&mut self, board: Board, is_quiet: bool) {
        let before = self.visits.last().map_or(0, |visit| visit.quiet_plies);
        let quiet_plies = if is_quiet { before + 1 } else { 0 };
        self.visits.push(Visit { board, quiet_plies });
    }

    /// Removes the last board.
    pub fn pop(&mut self) {
        self.visits.pop();
    }

    /// The net seeds of endless play for the mover, if the last board is a repetition:
    /// it is on the path already, or one more occurrence ends the game. A single
    /// repetition on the path is enough to show that play can go on for ever.
    pub fn repetition_value(&self) -> Option<i8> {
        let endless = self.endless?;
        let (last, before) = self.visits.split_last()?;
        // Quiet steps alternate between the players.
        let on_path = before
            .iter()
            .rev()
            .take(last.quiet_plies)
            .skip(1)
            .step_by(2);
        let plies = before.len();
        let in_game =
            || last.quiet_plies == plies && self.from_game[plies % 2].contains(&last.board);
        if !on_path
            .map(|visit| visit.board)
            .any(|board| board == last.board)
            && !in_game()
        {
            return None;
        }
        let (mover, opponent) = endless_shares(endless, &last.board);
        Some(mover.cast_signed() - opponent.cast_signed())
    }
}
