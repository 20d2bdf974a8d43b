//! What requests ask for: the ruleset in the path, the rest behind the question
//! mark. Whatever does not fit is refused in a sentence.

use std::error::Error;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use krou::engine::{Level, Style};
use krou::rules::{Board, Position, Ruleset};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::errors::ApiError;
use super::game::{Rival, Script};
use super::limits;

/// The ruleset that the path begins with.
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

/// The parameters behind the question mark.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Parameters<T>, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(parameters)) => Ok(Parameters(parameters)),
            Err(rejection) => {
                let why = rejection.source().map(ToString::to_string);
                let why = why.unwrap_or_else(|| rejection.body_text());
                let why = format!("the parameters cannot be read: {why}");
                Err(ApiError::Parameters(why))
            }
        }
    }
}

/// A board to ask about.
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

/// A board, and how far to go on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineParameters {
    board: String,
    /// As wide as numbers are written, so that what is too much is told in numbers.
    plies: Option<u64>,
}

impl LineParameters {
    /// Plies of a line unless another number is asked for.
    const PLIES: usize = 40;

    pub fn position(&self) -> Result<Position, ApiError> {
        Ok(self.board.parse()?)
    }

    pub fn plies(&self) -> Result<usize, ApiError> {
        let Some(plies) = self.plies else {
            return Ok(LineParameters::PLIES);
        };
        let few = usize::try_from(plies).ok();
        few.filter(|plies| *plies <= limits::PLIES).ok_or_else(|| {
            ApiError::Parameters(format!(
                "'plies' cannot be {plies}: at most {} are told",
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
    pub fn script(&self, rules: Ruleset) -> Result<Script, ApiError> {
        script(rules, self.start.as_deref(), &self.moves)
    }
}

fn script(rules: Ruleset, start: Option<&str>, moves: &str) -> Result<Script, ApiError> {
    if moves.chars().count() > limits::MOVES {
        return Err(ApiError::Parameters(format!(
            "'moves' may have {} letters at most",
            limits::MOVES
        )));
    }
    let start = match start {
        Some(text) => text.parse()?,
        None => Position::from(Board::START),
    };
    Ok(Script {
        rules,
        start,
        moves: moves.to_owned(),
    })
}

/// A game, and who makes the next move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyParameters {
    start: Option<String>,
    #[serde(default)]
    moves: String,
    #[serde(with = "StyleWord")]
    opponent: Style,
    /// As wide as numbers are written, as above.
    level: Option<u64>,
    seed: Option<u64>,
}

/// The words for the ways of playing.
#[derive(Deserialize)]
#[serde(remote = "Style", rename_all = "lowercase")]
enum StyleWord {
    Engine,
    Perfect,
    Random,
}

impl ReplyParameters {
    pub fn script(&self, rules: Ruleset) -> Result<Script, ApiError> {
        script(rules, self.start.as_deref(), &self.moves)
    }

    pub fn rival(&self) -> Result<Rival, ApiError> {
        let level = self.level.unwrap_or_else(|| Level::DEFAULT.get().into());
        let known = u8::try_from(level).ok().and_then(Level::new);
        let level = known.ok_or_else(|| {
            ApiError::Parameters(format!("'level' cannot be {level}: choose 1 to 10"))
        })?;
        Ok(Rival {
            style: self.opponent,
            level,
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
        })
    }
}
