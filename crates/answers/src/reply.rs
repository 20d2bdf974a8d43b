//! The move of an opponent.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::error::AnswerError;
use crate::game::{GameParameters, MOVES, REPETITIONS, START};
use crate::limits::REPLY_TIME;
use crate::parameter::Parameter;
use crate::query::{FromQuery, Query, shown};
use krou::engine::TableErrors;
use krou::engine::{Level, Opponent, Style};
use krou::tablebase::Tablebase;

const OPPONENT: Parameter = Parameter::word("opponent", "Who plays.", || {
    Style::ALL.iter().map(|style| style.as_str()).collect()
});
const LEVEL: Parameter = Parameter::number(
    "level",
    "Strength, only of the engine.",
    1..=Level::MAX.get() as u64,
    Some(Level::DEFAULT.get() as u64),
);
const SEED: Parameter = Parameter::number(
    "seed",
    "Seed of random choices, at random by default.",
    0..=u64::MAX,
    None,
);

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
    const PARAMETERS: &'static [Parameter] = &[START, MOVES, REPETITIONS, OPPONENT, LEVEL, SEED];

    fn from_query(query: &Query) -> Result<ReplyParameters, AnswerError> {
        let word = query.text(&OPPONENT)?;
        let style = Style::from_str(word).map_err(|why| {
            AnswerError::Parameters(format!("'opponent' cannot be '{}': {why}", shown(word)))
        })?;
        if query.given(&LEVEL).is_some() && style != Style::Engine {
            return Err(AnswerError::Parameters(format!(
                "the opponent '{style}' has no levels: leave out 'level'"
            )));
        }
        let level = query.number(&LEVEL)?;
        Ok(ReplyParameters {
            style,
            level: Level::new(level).unwrap_or(Level::DEFAULT),
            seed: match query.given(&SEED) {
                None => fastrand::u64(..),
                Some(_) => query.number(&SEED)?,
            },
            game: GameParameters::from_query(query)?,
        })
    }
}

/// The move of an opponent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplyAnswer {
    /// A to F for South, a to f for North.
    letter: char,
    /// Counted from 0.
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
