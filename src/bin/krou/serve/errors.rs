//! Errors of requests: message, HTTP status, and whether they are logged.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::engine::ReadGameError;
use krou::rules::{ParseBoardError, Ruleset, TooManySeeds, UnknownRuleset};
use krou::table::TableError;
use krou::tablebase::ProbeError;
use serde::Serialize;
use thiserror::Error;

use super::answers::BoardAnswer;
use super::limits;
use crate::messages::{one_line, with_causes};

/// Why a request fails. `Display` is the message for the client.
#[derive(Debug, Error)]
pub enum ApiError {
    #[error("there is no such endpoint: docs/server.md lists them all")]
    NoAddress,
    #[error("this endpoint does not have the method: the header Allow lists those that it has")]
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
    #[error("move {ply}, '{}': {why}", one_line(&letter.to_string()))]
    Move {
        /// Counted from 1.
        ply: usize,
        letter: char,
        /// The legal moves before it.
        before: String,
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
    #[error(
        "the body of the request is too long: the limit is {} bytes",
        limits::BODY_BYTES
    )]
    BodyTooLong,
    #[error(transparent)]
    Ogn(#[from] ReadGameError),
    #[error("{0}")]
    Forbidden(String),
    #[error("the server is busy: try again in a second")]
    Busy,
    #[error("the server is stopping: try again later")]
    Stopping,
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

    /// What programs tell errors apart by.
    pub fn code(&self) -> Code {
        match self {
            ApiError::NoAddress => Code::NotFound,
            ApiError::Method => Code::Method,
            ApiError::AddressTooLong | ApiError::BodyTooLong => Code::TooLong,
            ApiError::Rules(_) => Code::UnknownRuleset,
            ApiError::Parameters(_) => Code::Parameter,
            ApiError::Board(_) | ApiError::TooManySeeds(_) => Code::Board,
            ApiError::Move { .. } => Code::Move,
            ApiError::Over => Code::GameOver,
            ApiError::Missing { .. } => Code::MissingTable,
            ApiError::Ogn(error) => ogn_code(error),
            ApiError::Forbidden(_) => Code::Forbidden,
            ApiError::Busy | ApiError::Stopping => Code::Busy,
            ApiError::OutOfTime => Code::Timeout,
            ApiError::Table(_) => Code::Table,
            ApiError::Failed(_) => Code::Internal,
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::Parameters(_)
            | ApiError::Board(_)
            | ApiError::TooManySeeds(_)
            | ApiError::Move { .. }
            | ApiError::Ogn(_)
            | ApiError::Over => StatusCode::BAD_REQUEST,
            ApiError::NoAddress | ApiError::Rules(_) | ApiError::Missing { .. } => {
                StatusCode::NOT_FOUND
            }
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::AddressTooLong => StatusCode::URI_TOO_LONG,
            ApiError::BodyTooLong => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Forbidden(_) => StatusCode::FORBIDDEN,
            ApiError::Busy | ApiError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::OutOfTime => StatusCode::GATEWAY_TIMEOUT,
            ApiError::Table(_) | ApiError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn level(&self) -> Level {
        match self {
            ApiError::Busy | ApiError::Stopping | ApiError::OutOfTime => Level::Load,
            ApiError::Table(_) | ApiError::Failed(_) => Level::Fault,
            _ => Level::Client,
        }
    }

    /// What the log says about it.
    pub fn failure(&self) -> Failure {
        Failure {
            level: self.level(),
            cause: self.cause(),
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

/// Defines the codes and their list.
macro_rules! codes {
    ($($code:ident),* $(,)?) => {
        /// The kinds of errors, as words that do not change.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code {
            $($code),*
        }

        impl Code {
            /// All of them.
            #[cfg(test)]
            pub const ALL: &[Code] = &[$(Code::$code),*];
        }
    };
}

codes![
    NotFound,
    UnknownRuleset,
    Method,
    TooLong,
    Parameter,
    Board,
    Move,
    GameOver,
    MissingTable,
    Forbidden,
    Busy,
    Timeout,
    Table,
    Internal,
];

fn ogn_code(error: &ReadGameError) -> Code {
    match error {
        ReadGameError::TooLong { .. } => Code::TooLong,
        ReadGameError::Rules { .. } => Code::UnknownRuleset,
        ReadGameError::Start { .. } => Code::Board,
        ReadGameError::Turn { .. } | ReadGameError::Move { .. } => Code::Move,
        _ => Code::Parameter,
    }
}

/// An error as JSON.
#[derive(Serialize)]
pub struct ErrorBody {
    error: String,
    code: Code,
    #[serde(flatten)]
    at: Option<MoveFields>,
    #[serde(flatten)]
    board: Option<Box<BoardAnswer>>,
}

/// The move that cannot be played, and the legal moves before it.
#[derive(Serialize)]
struct MoveFields {
    ply: usize,
    letter: char,
    moves: String,
}

impl From<ApiError> for ErrorBody {
    fn from(error: ApiError) -> ErrorBody {
        let (message, code) = (error.to_string(), error.code());
        let (at, board) = match error {
            ApiError::Missing { board, .. } => (None, Some(board)),
            ApiError::Move {
                ply,
                letter,
                before: moves,
                ..
            } => (Some(MoveFields { ply, letter, moves }), None),
            _ => (None, None),
        };
        ErrorBody {
            error: message,
            code,
            at,
            board,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let failure = self.failure();
        let mut response = (status, Json(ErrorBody::from(self))).into_response();
        response.extensions_mut().insert(failure);
        if status == StatusCode::SERVICE_UNAVAILABLE {
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
