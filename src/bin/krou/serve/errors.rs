//! What can go wrong with a request: its sentence, its status and whether the log
//! hears of it.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::rules::{ParseBoardError, Ruleset, TooManySeeds, UnknownRuleset};
use krou::table::TableError;
use serde::Serialize;
use thiserror::Error;

use super::answers::BoardAnswer;
use super::limits;

/// Why a request has no answer. What is shown is what the client is told.
#[derive(Debug, Error)]
pub enum ApiError {
    #[error("there is nothing at this address: docs/server.md lists what there is")]
    NoAddress,
    #[error("only GET and HEAD are answered here")]
    Method,
    #[error("the address is too long: it may have {} bytes", limits::ADDRESS_BYTES)]
    AddressTooLong,
    #[error(transparent)]
    Rules(#[from] UnknownRuleset),
    #[error("{0}")]
    Parameters(String),
    #[error(transparent)]
    Board(#[from] ParseBoardError),
    #[error(transparent)]
    TooManySeeds(#[from] TooManySeeds),
    #[error("move {number}, '{}': {why}", letter.escape_default())]
    Move {
        /// Counted from 1.
        number: usize,
        letter: char,
        why: String,
    },
    #[error("the game is over: nobody is to move")]
    Over,
    #[error("there is no table for {rules} with {seeds} seeds here")]
    Missing {
        rules: Ruleset,
        seeds: u8,
        /// What can be told all the same.
        board: Box<BoardAnswer>,
    },
    #[error("too much is being asked at the moment: try again in a second")]
    Busy,
    #[error("the answer takes too long: ask for less")]
    OutOfTime,
    #[error("a table cannot be read: the server's log says why")]
    Table(#[from] TableError),
    #[error("the answer failed: the server's log says why")]
    Failed(String),
}

/// How much a failure matters to whoever runs the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The client's own affair: not logged.
    Client,
    /// The server could not keep up.
    Load,
    /// Something is broken.
    Broken,
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::Parameters(_)
            | ApiError::Board(_)
            | ApiError::TooManySeeds(_)
            | ApiError::Move { .. }
            | ApiError::Over => StatusCode::BAD_REQUEST,
            ApiError::NoAddress | ApiError::Rules(_) | ApiError::Missing { .. } => {
                StatusCode::NOT_FOUND
            }
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::AddressTooLong => StatusCode::URI_TOO_LONG,
            ApiError::Busy => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::OutOfTime => StatusCode::GATEWAY_TIMEOUT,
            ApiError::Table(_) | ApiError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn level(&self) -> Level {
        match self {
            ApiError::Busy | ApiError::OutOfTime => Level::Load,
            ApiError::Table(_) | ApiError::Failed(_) => Level::Broken,
            _ => Level::Client,
        }
    }

    /// What the log is told, and the client is not.
    fn cause(&self) -> String {
        match self {
            ApiError::Table(error) => error.to_string(),
            ApiError::Failed(why) => why.clone(),
            other => other.to_string(),
        }
    }
}

/// What a failed response carries to the log.
#[derive(Clone, Debug)]
pub struct Failure {
    pub level: Level,
    pub cause: String,
}

#[derive(Serialize)]
struct Refusal {
    error: String,
    #[serde(flatten)]
    board: Option<Box<BoardAnswer>>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let failure = Failure {
            level: self.level(),
            cause: self.cause(),
        };
        let busy = matches!(self, ApiError::Busy);
        let refusal = Refusal {
            error: self.to_string(),
            board: match self {
                ApiError::Missing { board, .. } => Some(board),
                _ => None,
            },
        };
        let mut response = (status, Json(refusal)).into_response();
        response.extensions_mut().insert(failure);
        if busy {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_could_not_do_is_told_to_the_log() {
        for (error, status, level) in [
            (ApiError::Busy, 503, Level::Load),
            (ApiError::OutOfTime, 504, Level::Load),
            (ApiError::Failed("by chance".to_owned()), 500, Level::Broken),
            (ApiError::Over, 400, Level::Client),
        ] {
            let response = error.into_response();
            assert_eq!(response.status(), status);
            let failure: &Failure = response.extensions().get().unwrap();
            assert_eq!(failure.level, level, "{status}");
        }
    }
}
