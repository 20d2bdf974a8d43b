//! The move of an opponent.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::GameParameters;
use crate::limits::REPLY_TIME;
use crate::query::{FromQuery, Query, shown};
use krou::engine::TableErrors;
use krou::engine::{Level, Opponent, Style};
use krou::tablebase::Tablebase;

/// A game, and the opponent that makes the next move.
#[derive(Clone, Debug)]
pub struct ReplyParameters {
    game: GameParameters,
    style: Style,
    /// The strength of the engine.
    level: Level,
    /// The seed of random choices.
    seed: u64,
}

impl FromQuery for ReplyParameters {
    const NAMES: &'static [&'static str] =
        &["start", "moves", "repetitions", "opponent", "level", "seed"];

    fn from_query(query: &Query) -> Result<ReplyParameters, AnswerError> {
        let word = query.required("opponent")?;
        let style = Style::from_str(word).map_err(|why| {
            AnswerError::Parameters(format!("'opponent' cannot be '{}': {why}", shown(word)))
        })?;
        if query.optional("level").is_some() && style != Style::Engine {
            return Err(AnswerError::Parameters(format!(
                "the opponent '{style}' has no levels: leave out 'level'"
            )));
        }
        let level = query.number("level", 1..=Level::MAX.get(), Level::DEFAULT.get())?;
        Ok(ReplyParameters {
            style,
            level: Level::new(level).unwrap_or(Level::DEFAULT),
            seed: query.number("seed", 0..=u64::MAX, fastrand::u64(..))?,
            game: GameParameters::from_query(query)?,
        })
    }
}

/// The move of an opponent.
#[derive(Debug, Serialize)]
pub struct ReplyAnswer {
    letter: char,
    pit: u8,
    player: &'static str,
}

impl ReplyParameters {
    /// The opponent's move at the end of the game, by the rules of the tables; it decides
    /// at once when `stop` is set. `on_table_errors` learns which tables could not be read.
    ///
    /// # Errors
    /// If a move cannot be played, or the game cannot go on.
    pub fn answer(
        &self,
        tables: Tablebase,
        stop: &AtomicBool,
        on_table_errors: impl FnOnce(&TableErrors),
    ) -> Result<ReplyAnswer, AnswerError> {
        let rules = tables.rules();
        let record = self.game.record(rules)?;
        let game = record.game();
        let mut opponent = Opponent::new(self.style, self.level, rules, Some(tables), self.seed)
            .with_time_limit(REPLY_TIME);
        let pit = opponent.choose(game, stop).ok_or(AnswerError::Over)?;
        if let Some(errors) = opponent.table_errors() {
            on_table_errors(errors);
        }
        let player = game.to_move();
        Ok(ReplyAnswer {
            letter: player.letter(pit),
            pit,
            player: player.as_str(),
        })
    }
}
