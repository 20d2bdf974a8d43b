//! Errors of requests: message, code, HTTP status and log entry.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::internal::table::Fault;
use krou::rules::UnknownRuleset;
use krou::table::TableError;
use krou::tablebase::ProbeError;
use krou_answers::{AnswerError, Code, ErrorAnswer};
use thiserror::Error;

use super::limits;
use super::room::RoomError;
use crate::messages::with_causes;

/// Why a request fails. `Display` is the message for the client.
#[derive(Debug, Error)]
pub enum ApiError {
    #[error("there is no such endpoint: /api/v1/openapi.json lists them all")]
    NoAddress,
    #[error("this endpoint does not take that method: the header Allow lists those that it takes")]
    Method,
    #[error(
        "the address is too long: the limit is {} bytes",
        limits::ADDRESS_BYTES
    )]
    AddressTooLong,
    /// There is no answer, for a reason that concerns the client.
    #[error(transparent)]
    Answer(AnswerError),
    #[error(
        "the body of the request is too long: the limit is {} bytes",
        limits::BODY_BYTES
    )]
    BodyTooLong,
    /// A player may not do this in a room.
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("{0}")]
    Forbidden(String),
    #[error("the server is busy: try again in a second")]
    Busy,
    #[error("the server is stopping: try again later")]
    Stopping,
    #[error("the request timed out: ask for fewer boards, plies or seconds")]
    OutOfTime,
    #[error("a table cannot be read: see the server's log")]
    Table(TableError),
    #[error("the request failed: see the server's log")]
    Failed(String),
}

impl ApiError {
    /// A parameter or a body is wrong.
    pub fn parameters(why: impl Into<String>) -> ApiError {
        ApiError::Answer(AnswerError::Parameters(why.into()))
    }

    /// What programs tell errors apart by.
    fn code(&self) -> Code {
        match self {
            ApiError::NoAddress | ApiError::Room(RoomError::NoRoom) => Code::NotFound,
            ApiError::Method => Code::Method,
            ApiError::AddressTooLong | ApiError::BodyTooLong => Code::TooLong,
            ApiError::Answer(error) => error.code(),
            ApiError::Room(RoomError::Illegal(_)) => Code::Move,
            ApiError::Room(RoomError::Over) => Code::GameOver,
            ApiError::Room(RoomError::Unfitting(_)) => Code::Parameter,
            ApiError::Forbidden(_) | ApiError::Room(RoomError::NoSeat) => Code::Forbidden,
            ApiError::Busy | ApiError::Stopping => Code::Busy,
            ApiError::OutOfTime => Code::Timeout,
            ApiError::Table(_) => Code::Table,
            ApiError::Failed(_) => Code::Internal,
        }
    }

    /// The status of the response, on which the level of its line in the log depends.
    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::NoAddress
            | ApiError::Room(RoomError::NoRoom)
            | ApiError::Answer(AnswerError::Rules(_) | AnswerError::Missing { .. }) => {
                StatusCode::NOT_FOUND
            }
            ApiError::Forbidden(_) | ApiError::Room(RoomError::NoSeat) => StatusCode::FORBIDDEN,
            ApiError::Answer(_) | ApiError::Room(_) => StatusCode::BAD_REQUEST,
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::AddressTooLong => StatusCode::URI_TOO_LONG,
            ApiError::BodyTooLong => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Busy | ApiError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::OutOfTime => StatusCode::GATEWAY_TIMEOUT,
            ApiError::Table(_) | ApiError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The message for the log.
    pub fn cause(&self) -> Cause {
        Cause(match self {
            ApiError::Table(error) => with_causes(error),
            ApiError::Failed(why) => why.clone(),
            other => other.to_string(),
        })
    }
}

impl From<AnswerError> for ApiError {
    /// Faults of the server are hidden from clients.
    fn from(error: AnswerError) -> ApiError {
        match error {
            AnswerError::Probe(ProbeError::Table(error)) => match error.fault() {
                Fault::Crowded => ApiError::Busy,
                Fault::Stopped => ApiError::OutOfTime,
                _ => ApiError::Table(error),
            },
            AnswerError::Probe(other) => ApiError::Failed(with_causes(&other)),
            AnswerError::Stopped => ApiError::OutOfTime,
            other => ApiError::Answer(other),
        }
    }
}

impl From<UnknownRuleset> for ApiError {
    fn from(error: UnknownRuleset) -> ApiError {
        AnswerError::from(error).into()
    }
}

impl From<ApiError> for ErrorAnswer {
    fn from(error: ApiError) -> ErrorAnswer {
        match error {
            ApiError::Answer(error) => error.into(),
            other => ErrorAnswer::new(other.to_string(), other.code()),
        }
    }
}

/// Why a response is an error, as its extension for the log.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, cause) = (self.status(), self.cause());
        let mut response = (status, Json(ErrorAnswer::from(self))).into_response();
        response.extensions_mut().insert(cause);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
