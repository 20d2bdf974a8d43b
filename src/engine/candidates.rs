//! What each legal move is worth, not only the best one.
//!
//! A search only has to prove that the other moves are no better. Somebody who wants
//! to choose among all of them, or to learn what a move gave away, needs a worth for
//! each: every move is made, and the board it leads to is searched by itself.

use std::sync::atomic::AtomicBool;

use super::game::Game;
use super::player::{Player, Stores};
use super::search::{Engine, Limits, Score};

/// A legal move, and what it is worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The worth of the rest of the game from before the move, with what it takes.
    pub score: Score,
    /// The move and the best ones of both sides after it, as pits 0 to 5 of whoever
    /// moves. Never empty.
    pub line: Vec<u8>,
}

impl Candidate {
    /// The pit that is played, 0 to 5.
    pub fn pit(&self) -> u8 {
        self.line[0]
    }
}

impl Engine {
    /// What each legal move is worth, by pit; empty if the game is over. The board
    /// after each move is searched within the limits; once `stop` is set, in no time.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::engine::{Engine, EngineOptions, Game, Limits, Player, Stores};
    /// use krou::rules::Ruleset;
    ///
    /// let board = "0 0 0 0 1 1 / 2 0 0 0 0 9".parse()?;
    /// let game = Game::from_position(Ruleset::AWARI, board, Stores::default(), Player::South)?;
    /// let limits = Limits { depth: Some(1), ..Limits::default() };
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
        let mut line = vec![pit];
        if let Some(outcome) = after.outcome() {
            let net = net(outcome.stores, turn.player) - net(game.stores(), turn.player);
            let score = Score::exact(net);
            return Some(Candidate { score, line });
        }
        let report = self.search(&after, limits, stop, &mut |_| ())?;
        line.extend(report.line);
        let same_player = after.to_move() == turn.player;
        let score = before(turn.step.gain, report.score, same_player);
        Some(Candidate { score, line })
    }
}

/// The worth before a move that gains so much and leads to a board of this score.
fn before(gain: i8, child: Score, same_player: bool) -> Score {
    let child_of_mover = match same_player {
        true => child.hundredths(),
        false => -child.hundredths(),
    };
    match child.is_exact() {
        // Never more seeds than there are.
        true => Score::exact(gain + (child_of_mover / 100) as i8),
        false => Score::estimate(i16::from(gain) * 100 + child_of_mover),
    }
}

/// How many seeds more than his opponent the player has.
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
    fn tables_tell_what_each_move_is_worth() {
        let text = "0 1 1 0 2 2 / 0 1 0 1 1 0";
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let known = tables.moves(&text.parse().unwrap()).unwrap();
        let found = candidates(Ruleset::AWARI, text);
        assert_eq!(found.len(), known.len());
        for candidate in found {
            let ranked = known.iter().find(|m| m.step.pit == candidate.pit());
            let value = ranked.unwrap().result.unwrap().value;
            assert_eq!(candidate.score, Score::exact(value), "{candidate:?}");
        }
    }

    #[test]
    fn a_move_that_ends_the_game_is_worth_what_both_have_then() {
        // A forced grand slam; a penalty; and a majority, with 2 seeds not shared out.
        for (rules, text, pit, seeds) in [
            (Ruleset::AWARI, "0 0 0 0 0 1 / 1 0 0 0 0 0", 5, 2),
            (Ruleset::PRATT, "1 0 0 0 0 1 / 0 0 0 0 0 0", 0, -2),
            (Ruleset::AWARI, "0 0 0 0 0 1 / 2 1 0 0 0 1", 5, 3),
        ] {
            let found = candidates(rules, text);
            let candidate = found.iter().find(|c| c.pit() == pit).unwrap();
            assert_eq!(candidate.score, Score::exact(seeds), "{text}");
            assert_eq!(candidate.line, [pit]);
        }
    }

    #[test]
    fn a_player_who_moves_again_keeps_the_sign() {
        assert_eq!(before(1, Score::exact(2), true), Score::exact(3));
        assert_eq!(before(1, Score::exact(2), false), Score::exact(-1));
        assert_eq!(before(1, Score::estimate(-45), true), Score::estimate(55));
        assert_eq!(before(1, Score::estimate(-45), false), Score::estimate(145));
    }

    #[test]
    fn there_are_none_when_the_game_is_over() {
        assert_eq!(candidates(Ruleset::AWARI, "0 0 0 0 0 0 / 1 2 0 0 0 0"), []);
    }
}
