//! The plain search: every move to a fixed depth. It defines what the fast one finds.
//!
//! ```text
//! score(board, depth):
//!     came up before: what endless play gives
//!     otherwise, within what the oracle proves:
//!         no move: what the rules give
//!         depth 0: the oracle's value, or else the evaluation
//!         else: the best of gain − score(child), or gain + score(child) after 'again'
//! ```

use super::evaluate::evaluate;
use crate::engine::game::{Game, endless_shares};
use crate::engine::oracle::Oracle;
use crate::engine::player::Player;
use crate::rules::{Board, Next, Ruleset};

/// The score of a game that is not over, in hundredths of a seed.
pub(super) fn search(game: &Game, oracle: &mut dyn Oracle, depth: u8) -> i16 {
    let mut plain = Plain {
        game,
        oracle,
        line: vec![(game.to_move(), game.board())],
    };
    plain.best(depth)
}

struct Plain<'g> {
    game: &'g Game,
    oracle: &'g mut dyn Oracle,
    /// All boards from where the game stands, each with the player who moves.
    line: Vec<(Player, Board)>,
}

impl Plain<'_> {
    /// The best of the moves on the last board of the line.
    fn best(&mut self, depth: u8) -> i16 {
        let (player, board) = self.line[self.line.len() - 1];
        let moves = self.game.rules().moves(&board);
        let worths = moves.legal().map(|step| {
            let gain = i16::from(step.gain) * 100;
            let mover = match step.next {
                Next::Over => return gain,
                Next::Again => player,
                Next::Opponent => player.opponent(),
            };
            self.line.push((mover, step.board));
            let child = self.score(depth - 1);
            self.line.pop();
            if mover == player {
                gain + child
            } else {
                gain - child
            }
        });
        worths.max().expect("a board with moves")
    }

    fn score(&mut self, depth: u8) -> i16 {
        let (player, board) = self.line[self.line.len() - 1];
        let rules = self.game.rules();
        let before = &self.line[..self.line.len() - 1];
        if let Ruleset::Oware(choices) = rules
            && (before.contains(&(player, board)) || self.game.times_seen(player, &board) >= 2)
        {
            let (mover, opponent) = endless_shares(choices.endless, &board);
            return (i16::from(mover) - i16::from(opponent)) * 100;
        }
        let seeds = board.seeds().cast_signed();
        let told = self.oracle.bounds(&board);
        let (lower, upper) = told.unwrap_or((-seeds, seeds));
        let score = match self.game.rules().moves(&board).over() {
            _ if lower == upper => 0,
            Some(net) => i16::from(net) * 100,
            None if depth > 0 => self.best(depth),
            None => match told.and_then(|_| self.oracle.value(&board)) {
                Some(value) => i16::from(value) * 100,
                None => evaluate(rules, &board),
            },
        };
        score.clamp(i16::from(lower) * 100, i16::from(upper) * 100)
    }
}
