//! Parameters of requests: the ruleset in the path and the query string.

use std::error::Error;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use krou::engine::{Level, Style};
use krou::rules::{Board, Position, Ruleset};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::errors::ApiError;
use super::game::{GameSpec, OpponentSpec};
use super::limits;

/// The ruleset at the start of the path.
pub struct Rules(pub Ruleset);

impl<S: Send + Sync> FromRequestParts<S> for Rules {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Rules, ApiError> {
        let Path(name) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::NoAddress)?;
        Ok(Rules(Ruleset::from_str(&name)?))
    }
}

/// The parameters of the query string.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Parameters<T>, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(parameters)) => Ok(Parameters(parameters)),
            Err(rejection) => {
                let why = rejection.source().map(ToString::to_string);
                let why = why.unwrap_or_else(|| rejection.body_text());
                let why = format!("invalid parameters: {why}");
                Err(ApiError::Parameters(why))
            }
        }
    }
}

/// A board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardParameters {
    board: String,
}

impl BoardParameters {
    pub fn position(&self) -> Result<Position, ApiError> {
        Ok(self.board.parse()?)
    }
}

/// A board, and the length of its best line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineParameters {
    board: String,
    /// Wider than needed, so that the error message can repeat a number that is too
    /// large.
    plies: Option<u64>,
}

impl LineParameters {
    /// Default number of plies.
    const DEFAULT_PLIES: usize = 40;

    pub fn position(&self) -> Result<Position, ApiError> {
        Ok(self.board.parse()?)
    }

    pub fn plies(&self) -> Result<usize, ApiError> {
        let Some(plies) = self.plies else {
            return Ok(LineParameters::DEFAULT_PLIES);
        };
        let count = usize::try_from(plies).ok();
        count
            .filter(|plies| *plies <= limits::PLIES)
            .ok_or_else(|| {
                ApiError::Parameters(format!(
                    "'plies' cannot be {plies}: the limit is {}",
                    limits::PLIES
                ))
            })
    }
}

/// A game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameParameters {
    start: Option<String>,
    #[serde(default)]
    moves: String,
}

impl GameParameters {
    pub fn game(&self, rules: Ruleset) -> Result<GameSpec, ApiError> {
        game_spec(rules, self.start.as_deref(), &self.moves)
    }
}

fn game_spec(rules: Ruleset, start: Option<&str>, moves: &str) -> Result<GameSpec, ApiError> {
    if moves.chars().count() > limits::MOVES {
        return Err(ApiError::Parameters(format!(
            "'moves' has too many letters: the limit is {}",
            limits::MOVES
        )));
    }
    let start = match start {
        Some(text) => text.parse()?,
        None => Position::from(Board::START),
    };
    Ok(GameSpec {
        rules,
        start,
        moves: moves.to_owned(),
    })
}

/// A game, and the opponent that makes the next move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyParameters {
    start: Option<String>,
    #[serde(default)]
    moves: String,
    #[serde(with = "StyleWord")]
    opponent: Style,
    /// Wide, as above.
    level: Option<u64>,
    seed: Option<u64>,
}

/// The words for the styles of play.
#[derive(Deserialize)]
#[serde(remote = "Style", rename_all = "lowercase")]
enum StyleWord {
    Engine,
    Perfect,
    Random,
}

impl ReplyParameters {
    pub fn game(&self, rules: Ruleset) -> Result<GameSpec, ApiError> {
        game_spec(rules, self.start.as_deref(), &self.moves)
    }

    pub fn opponent(&self) -> Result<OpponentSpec, ApiError> {
        let level = self.level.unwrap_or_else(|| Level::DEFAULT.get().into());
        let known = u8::try_from(level).ok().and_then(Level::new);
        let level = known.ok_or_else(|| {
            ApiError::Parameters(format!("'level' cannot be {level}: choose 1 to 10"))
        })?;
        Ok(OpponentSpec {
            style: self.opponent,
            level,
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
        })
    }
}
