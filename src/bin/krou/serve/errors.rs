//! Errors of requests: message, HTTP status, and whether they are logged.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::rules::{ParseBoardError, Ruleset, TooManySeeds, UnknownRuleset};
use krou::table::TableError;
use krou::tablebase::ProbeError;
use serde::Serialize;
use thiserror::Error;

use super::answers::BoardAnswer;
use super::limits;
use crate::messages::with_causes;

/// Why a request fails. `Display` is the message for the client.
#[derive(Debug, Error)]
pub enum ApiError {
    #[error("there is no such endpoint: docs/server.md lists them all")]
    NoAddress,
    #[error("only GET and HEAD are supported")]
    Method,
    #[error(
        "the address is too long: the limit is {} bytes",
        limits::ADDRESS_BYTES
    )]
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
    #[error("the game is over: there is no player to move")]
    Over,
    #[error("there is no table for {rules} with {seeds} seeds")]
    Missing {
        rules: Ruleset,
        seeds: u8,
        /// The board and its moves, which need no table.
        board: Box<BoardAnswer>,
    },
    #[error("the server is busy: try again in a second")]
    Busy,
    #[error("the request takes too long: ask for less")]
    OutOfTime,
    #[error("a table cannot be read: see the server's log")]
    Table(#[from] TableError),
    #[error("the request failed: see the server's log")]
    Failed(String),
}

/// How severe a failure is for the operator of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// A client error, which is not logged.
    Client,
    /// The server is overloaded.
    Load,
    /// A fault of the server.
    Fault,
}

impl ApiError {
    /// A board whose layer is missing, with what is known all the same.
    pub fn missing(rules: Ruleset, seeds: u8, board: BoardAnswer) -> ApiError {
        ApiError::Missing {
            rules,
            seeds,
            board: Box::new(board),
        }
    }

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
            ApiError::Table(_) | ApiError::Failed(_) => Level::Fault,
            _ => Level::Client,
        }
    }

    /// The message for the log.
    fn cause(&self) -> String {
        match self {
            ApiError::Table(error) => with_causes(error),
            ApiError::Failed(why) => why.clone(),
            other => other.to_string(),
        }
    }
}

impl From<ProbeError> for ApiError {
    fn from(error: ProbeError) -> ApiError {
        match error {
            ProbeError::Table(error) => ApiError::Table(error),
            other => ApiError::Failed(with_causes(&other)),
        }
    }
}

/// What a failed response carries to the log, as an extension.
#[derive(Clone, Debug)]
pub struct Failure {
    pub level: Level,
    pub cause: String,
}

#[derive(Serialize)]
struct ErrorBody {
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
        let body = ErrorBody {
            error: self.to_string(),
            board: match self {
                ApiError::Missing { board, .. } => Some(board),
                _ => None,
            },
        };
        let mut response = (status, Json(body)).into_response();
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
    fn server_errors_are_logged_and_client_errors_are_not() {
        for (error, status, level) in [
            (ApiError::Busy, 503, Level::Load),
            (ApiError::OutOfTime, 504, Level::Load),
            (ApiError::Failed("on purpose".to_owned()), 500, Level::Fault),
            (ApiError::Over, 400, Level::Client),
        ] {
            let response = error.into_response();
            assert_eq!(response.status(), status);
            let failure: &Failure = response.extensions().get().unwrap();
            assert_eq!(failure.level, level, "{status}");
        }
    }
}
