//! The move of an opponent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::error::AnswerError;
use super::game::GameSpec;
use super::limits::REPLY_TIME;
use crate::engine::{Level, Opponent, Style, TableErrors};
use crate::tablebase::Tablebase;

/// An opponent to play against.
#[derive(Clone, Copy, Debug)]
pub struct OpponentSpec {
    /// How it plays.
    pub style: Style,
    /// Its strength, if it is the engine.
    pub level: Level,
    /// What its random choices depend on.
    pub seed: u64,
}

/// The move of an opponent.
#[derive(Debug, Serialize)]
pub struct ReplyAnswer {
    letter: char,
    pit: u8,
    player: &'static str,
}

impl OpponentSpec {
    /// The opponent's move at the end of a game; it decides at once when `stop` is set.
    /// `on_table_errors` learns of the tables that could not be read.
    ///
    /// # Errors
    /// If a move cannot be played, or the game is over.
    pub fn reply(
        self,
        spec: &GameSpec,
        tables: Arc<Tablebase>,
        stop: &AtomicBool,
        on_table_errors: impl FnOnce(&TableErrors),
    ) -> Result<ReplyAnswer, AnswerError> {
        let record = spec.record()?;
        let game = record.game();
        let OpponentSpec { style, level, seed } = self;
        let opponent = Opponent::new(style, level, spec.rules, Some(tables), seed);
        let mut opponent = opponent.with_time_limit(REPLY_TIME);
        let pit = opponent.choose(game, stop).ok_or(AnswerError::Over)?;
        if let Some(errors) = opponent.table_errors() {
            on_table_errors(errors);
        }
        let player = game.to_move();
        Ok(ReplyAnswer {
            letter: player.letter(pit),
            pit,
            player: player.word(),
        })
    }
}
