//! Plain minimax: every move to a fixed depth, without pruning. It defines the result of
//! the fast search.
//!
//! ```text
//! score(board, depth):
//!     a repetition: the value of endless play
//!     otherwise, clamped to the bounds of the tables:
//!         no legal move: the value of the terminal position
//!         depth 0: the evaluation
//!         else: the maximum of gain − score(child), or gain + score(child) if the
//!             same player moves again
//! ```

use super::evaluate::evaluate;
use crate::engine::game::{Game, net_of_endless};
use crate::engine::table_source::TableSource;
use crate::rules::{Board, Bounds, Next, Player, Ruleset};

/// The score of a game that is not over, in hundredths of a seed.
pub(super) fn search(game: &Game, source: &mut dyn TableSource, depth: u8) -> i16 {
    let mut minimax = Minimax {
        game,
        source,
        path: vec![(game.to_move(), game.board())],
    };
    minimax.best(depth)
}

struct Minimax<'g> {
    game: &'g Game,
    source: &'g mut dyn TableSource,
    /// All boards from the root on, each with the player to move.
    path: Vec<(Player, Board)>,
}

impl Minimax<'_> {
    /// The score of the best move on the last board of the path.
    fn best(&mut self, depth: u8) -> i16 {
        let (player, board) = self.path[self.path.len() - 1];
        let moves = self.game.rules().moves(&board);
        let scores = moves.legal().map(|step| {
            let gain = i16::from(step.gain) * 100;
            let next = match step.next {
                Next::Over => return gain,
                Next::Again => player,
                Next::Opponent => player.opponent(),
            };
            self.path.push((next, step.board));
            let child = self.score(depth - 1);
            self.path.pop();
            if next == player {
                gain + child
            } else {
                gain - child
            }
        });
        scores.max().expect("a board with moves")
    }

    fn score(&mut self, depth: u8) -> i16 {
        let (player, board) = self.path[self.path.len() - 1];
        let rules = self.game.rules();
        let before = &self.path[..self.path.len() - 1];
        if let Ruleset::Oware(choices) = rules
            && (before.contains(&(player, board)) || self.game.times_seen(player, &board) >= 2)
        {
            return i16::from(net_of_endless(choices.endless, &board)) * 100;
        }
        let seeds = board.seeds().cast_signed();
        let bounds = self.source.bounds(&board);
        let Bounds { lower, upper } = bounds.unwrap_or(Bounds {
            lower: -seeds,
            upper: seeds,
        });
        let score = match self.game.rules().moves(&board).terminal_value() {
            _ if lower == upper => 0,
            Some(net) => i16::from(net) * 100,
            None if depth > 0 => self.best(depth),
            None => evaluate(rules, &board),
        };
        score.clamp(i16::from(lower) * 100, i16::from(upper) * 100)
    }
}
