//! Errors of requests: message, HTTP status, and whether they are logged.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use krou::answers::{AnswerError, Code, ErrorAnswer};
use krou::rules::UnknownRuleset;
use krou::table::TableError;
use krou::tablebase::ProbeError;
use thiserror::Error;

use super::limits;
use crate::messages::with_causes;

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
    /// There is no answer, for a reason that concerns the client.
    #[error(transparent)]
    Answer(AnswerError),
    #[error(
        "the body of the request is too long: the limit is {} bytes",
        limits::BODY_BYTES
    )]
    BodyTooLong,
    #[error("{0}")]
    Forbidden(String),
    #[error("the server is busy: try again in a second")]
    Busy,
    #[error("the server is stopping: try again later")]
    Stopping,
    #[error("the request takes too long: ask for less")]
    OutOfTime,
    #[error("a table cannot be read: see the server's log")]
    Table(TableError),
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
    /// A parameter or a body is wrong.
    pub fn parameters(why: impl Into<String>) -> ApiError {
        ApiError::Answer(AnswerError::Parameters(why.into()))
    }

    /// What programs tell errors apart by.
    fn code(&self) -> Code {
        match self {
            ApiError::NoAddress => Code::NotFound,
            ApiError::Method => Code::Method,
            ApiError::AddressTooLong | ApiError::BodyTooLong => Code::TooLong,
            ApiError::Answer(error) => error.code(),
            ApiError::Forbidden(_) => Code::Forbidden,
            ApiError::Busy | ApiError::Stopping => Code::Busy,
            ApiError::OutOfTime => Code::Timeout,
            ApiError::Table(_) => Code::Table,
            ApiError::Failed(_) => Code::Internal,
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::NoAddress
            | ApiError::Answer(AnswerError::Rules(_) | AnswerError::Missing { .. }) => {
                StatusCode::NOT_FOUND
            }
            ApiError::Answer(_) => StatusCode::BAD_REQUEST,
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

impl From<AnswerError> for ApiError {
    /// Faults of the server are hidden from clients.
    fn from(error: AnswerError) -> ApiError {
        match error {
            AnswerError::Probe(ProbeError::Table(error)) => ApiError::Table(error),
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

/// What a failed response carries to the log, as an extension.
#[derive(Clone, Debug)]
pub struct Failure {
    pub level: Level,
    pub cause: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let failure = self.failure();
        let mut response = (status, Json(ErrorAnswer::from(self))).into_response();
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
            (ApiError::Answer(AnswerError::Over), 400, Level::Client),
        ] {
            let response = error.into_response();
            assert_eq!(response.status(), status);
            let failure: &Failure = response.extensions().get().unwrap();
            assert_eq!(failure.level, level, "{status}");
        }
    }
}
