//! Scores of all legal moves, not only of the best one.
//!
//! A search only has to prove that the other moves are no better. A caller that chooses
//! among all moves, or compares a move with the best one, needs a score for each: every
//! move is made, and the board after it is searched separately.

use std::sync::atomic::AtomicBool;

use super::game::Game;
use super::player::{Player, Stores};
use super::search::{Engine, Limits, Score};

/// A legal move with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The score for the player who makes the move, with what the move captures.
    pub score: Score,
    /// The principal variation: the move and the best ones of both sides after it, as
    /// pits 0 to 5 of whoever moves. Never empty.
    pub pv: Vec<u8>,
}

impl Candidate {
    /// The pit of the move, 0 to 5.
    pub fn pit(&self) -> u8 {
        self.pv[0]
    }
}

impl Engine {
    /// The legal moves with their scores, by pit; none if the game is over. The limits
    /// apply to the search after each move; setting `stop` ends all of them.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::engine::{Engine, EngineOptions, Game, Limits, Player, Stores};
    /// use krou::rules::Ruleset;
    ///
    /// let board = "0 0 0 0 1 1 / 2 0 0 0 0 9".parse()?;
    /// let game = Game::from_position(Ruleset::AWARI, board, Stores::default(), Player::South)?;
    /// let limits = Limits::default().with_depth(1);
    /// let mut engine = Engine::new(Ruleset::AWARI, None, EngineOptions::default());
    /// let candidates = engine.candidates(&game, &limits, &AtomicBool::new(false));
    /// let pits: Vec<u8> = candidates.iter().map(|candidate| candidate.pit()).collect();
    /// assert_eq!(pits, [4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn candidates(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Vec<Candidate> {
        let moves = game.moves();
        let pits = moves.legal().map(|step| step.pit);
        pits.filter_map(|pit| self.candidate(game, pit, limits, stop))
            .collect()
    }

    fn candidate(
        &mut self,
        game: &Game,
        pit: u8,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<Candidate> {
        let mut after = game.clone();
        let turn = after.play(pit).ok()?;
        let mut pv = vec![pit];
        if let Some(outcome) = after.outcome() {
            let net = net(outcome.stores, turn.player) - net(game.stores(), turn.player);
            let score = Score::exact(net);
            return Some(Candidate { score, pv });
        }
        let report = self.search(&after, limits, stop, &mut |_| ())?;
        pv.extend(report.pv);
        let same_player = after.to_move() == turn.player;
        let score = score_of_step(turn.step.gain, report.score, same_player);
        Some(Candidate { score, pv })
    }
}

/// The score of a step with this gain, from the score of the child.
fn score_of_step(gain: i8, child: Score, same_player: bool) -> Score {
    let child_for_mover = match same_player {
        true => child.hundredths(),
        false => -child.hundredths(),
    };
    match child.is_exact() {
        // At most the number of seeds, which fits.
        true => Score::exact(gain + (child_for_mover / 100) as i8),
        false => Score::estimate(i16::from(gain) * 100 + child_for_mover),
    }
}

/// The player's seeds minus the opponent's.
fn net(stores: Stores, player: Player) -> i8 {
    stores.of(player).cast_signed() - stores.of(player.opponent()).cast_signed()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::EngineOptions;
    use crate::rules::Ruleset;
    use crate::tablebase::Tablebase;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn candidates(rules: Ruleset, text: &str) -> Vec<Candidate> {
        let tables = Arc::new(Tablebase::embedded(rules));
        let mut engine = Engine::new(rules, Some(tables), EngineOptions::default());
        let board = text.parse().unwrap();
        let stores = Stores::default();
        let game = Game::from_position(rules, board, stores, Player::South).unwrap();
        engine.candidates(&game, &Limits::default(), &NEVER)
    }

    #[test]
    fn inside_the_tables_scores_are_the_values_of_the_moves() {
        let text = "0 1 1 0 2 2 / 0 1 0 1 1 0";
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let expected = tables.moves(&text.parse().unwrap()).unwrap();
        let found = candidates(Ruleset::AWARI, text);
        assert_eq!(found.len(), expected.len());
        for candidate in found {
            let ranked = expected.iter().find(|m| m.step.pit == candidate.pit());
            let value = ranked.unwrap().result.unwrap().value;
            assert_eq!(candidate.score, Score::exact(value), "{candidate:?}");
        }
    }

    #[test]
    fn moves_that_end_the_game_are_scored_by_the_final_stores() {
        // A forced grand slam; a penalty; and a majority, with 2 seeds not shared out.
        for (rules, text, pit, seeds) in [
            (Ruleset::AWARI, "0 0 0 0 0 1 / 1 0 0 0 0 0", 5, 2),
            (Ruleset::PRATT, "1 0 0 0 0 1 / 0 0 0 0 0 0", 0, -2),
            (Ruleset::AWARI, "0 0 0 0 0 1 / 2 1 0 0 0 1", 5, 3),
        ] {
            let found = candidates(rules, text);
            let candidate = found.iter().find(|c| c.pit() == pit).unwrap();
            assert_eq!(candidate.score, Score::exact(seeds), "{text}");
            assert_eq!(candidate.pv, [pit]);
        }
    }

    #[test]
    fn the_sign_changes_only_if_the_opponent_moves_next() {
        let of_step = score_of_step;
        assert_eq!(of_step(1, Score::exact(2), true), Score::exact(3));
        assert_eq!(of_step(1, Score::exact(2), false), Score::exact(-1));
        assert_eq!(of_step(1, Score::estimate(-45), true), Score::estimate(55));
        assert_eq!(
            of_step(1, Score::estimate(-45), false),
            Score::estimate(145)
        );
    }

    #[test]
    fn finished_games_have_no_candidates() {
        assert_eq!(candidates(Ruleset::AWARI, "0 0 0 0 0 0 / 1 2 0 0 0 0"), []);
    }
}
