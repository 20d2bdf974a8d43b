//! What came up before: on the line that is being searched, and in the game.

use crate::engine::game::{Game, endless_shares};
use crate::rules::{Board, Endless, Ruleset};

/// The boards from where the game stands to the one that is being looked at.
pub(super) struct History {
    /// How endless play is settled; nothing repeats in the store family.
    endless: Option<Endless>,
    line: Vec<Visit>,
    /// The boards that came up twice in the game, as whoever moves now faces them,
    /// and as his opponent does.
    twice: [Vec<Board>; 2],
}

#[derive(Clone, Copy)]
struct Visit {
    board: Board,
    /// Quiet steps since seeds last left the board.
    quiet: usize,
}

impl History {
    pub fn new(game: &Game) -> History {
        let twice = [game.to_move(), game.to_move().opponent()].map(|player| {
            let often = game.nearly_endless().filter(|(faced, _)| *faced == player);
            often.map(|(_, board)| board).collect()
        });
        History {
            endless: match game.rules() {
                Ruleset::Oware(rules) => Some(rules.endless),
                Ruleset::Stores(_) => None,
            },
            line: vec![Visit {
                board: game.board(),
                quiet: 0,
            }],
            twice,
        }
    }

    /// Goes back to where the game stands.
    pub fn restart(&mut self) {
        self.line.truncate(1);
    }

    /// Goes on to a board.
    pub fn enter(&mut self, board: Board, is_quiet: bool) {
        let before = self.line.last().map_or(0, |visit| visit.quiet);
        let quiet = if is_quiet { before + 1 } else { 0 };
        self.line.push(Visit { board, quiet });
    }

    /// Goes back to the board before.
    pub fn leave(&mut self) {
        self.line.pop();
    }

    /// Net seeds for the mover if the play has come round: the board was on this line
    /// before, or twice in the game. A line need not go round twice to show that it can.
    pub fn endless(&self) -> Option<i8> {
        let endless = self.endless?;
        let (last, before) = self.line.split_last()?;
        // Who moves alternates with quiet steps.
        let on_line = before.iter().rev().take(last.quiet).skip(1).step_by(2);
        let plies = before.len();
        let in_game = || last.quiet == plies && self.twice[plies % 2].contains(&last.board);
        if !on_line
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
