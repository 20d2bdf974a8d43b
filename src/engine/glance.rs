//! How a weak player sees a board: their own moves and the replies to them, but not all of
//! what these bring.

use fastrand::Rng;

use super::game::Game;
use crate::rules::Moves;

/// How often a player overlooks what a move brings, in percent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    /// What a move of their own captures, or what it brings to end the game.
    pub own: u8,
    /// What a reply captures, or that there is none and the game ends.
    pub replies: u8,
}

impl Glance {
    /// Sees nothing, so that all moves look equal.
    pub const BLIND: Glance = Glance {
        own: 100,
        replies: 100,
    };

    /// The pits of the moves that look best.
    pub fn best(self, game: &Game, random: &mut Rng) -> Vec<u8> {
        let (rules, steps) = (game.rules(), game.moves());
        let moves = steps.legal().map(|step| {
            let gain = noticed(step.gain, self.own, random);
            let reply = self.reply(&rules.moves(&step.board), random);
            (step.pit, step.next.value(gain, reply))
        });
        let moves: Vec<(u8, i8)> = moves.collect();
        let most = moves.iter().map(|(_, worth)| *worth).max();
        let best = moves.iter().filter(|(_, worth)| Some(*worth) == most);
        best.map(|(pit, _)| *pit).collect()
    }

    /// What the best of these moves seems to bring.
    fn reply(self, moves: &Moves, random: &mut Rng) -> i8 {
        if let Some(net) = moves.terminal_value() {
            return noticed(net, self.replies, random);
        }
        let gains = moves.legal().map(|step| step.gain);
        let noticed = gains.map(|gain| noticed(gain, self.replies, random));
        noticed.max().unwrap_or(0)
    }
}

/// These net seeds, or 0 if they are overlooked.
fn noticed(net: i8, overlooked: u8, random: &mut Rng) -> i8 {
    let is_overlooked = match overlooked {
        0 => false,
        100 => true,
        percent => random.u8(..100) < percent,
    };
    if is_overlooked { 0 } else { net }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, Ruleset};

    /// The pits that look best to someone who overlooks so much.
    fn best(own: u8, replies: u8, rules: Ruleset, board: &str) -> Vec<u8> {
        let game = Game::from_position(rules, board.parse::<Position>().unwrap()).unwrap();
        Glance { own, replies }.best(&game, &mut Rng::with_seed(1))
    }

    #[test]
    fn who_overlooks_nothing_sees_captures() {
        // Pit 5 captures three seeds.
        let board = "1 0 0 0 1 1 / 2 0 0 0 0 1";
        assert_eq!(best(0, 100, Ruleset::ABAPA, board), [5]);
        assert_eq!(best(100, 100, Ruleset::ABAPA, board), [0, 4, 5]);
    }

    #[test]
    fn who_overlooks_nothing_sees_replies() {
        // Pit 11 would capture two seeds in pit 1, unless its seed moves on.
        let board = "0 1 0 0 1 0 / 3 0 0 0 0 2";
        assert_eq!(best(0, 0, Ruleset::ABAPA, board), [1]);
        assert_eq!(best(0, 100, Ruleset::ABAPA, board), [1, 4]);
    }

    #[test]
    fn who_overlooks_nothing_sees_that_starving_is_penalised() {
        let board = "1 0 0 0 0 1 / 0 0 0 0 0 0";
        assert_eq!(best(0, 0, Ruleset::PRATT, board), [5]);
        assert_eq!(best(100, 100, Ruleset::PRATT, board), [0, 5]);
    }
}
