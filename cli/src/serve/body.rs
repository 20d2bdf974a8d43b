//! Bodies of requests: limited in size and time, and read by hand so that errors say what
//! is wrong.

use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use http_body_util::LengthLimitError;
use krou::answers::limits::BOARDS;
use serde_json::Value;
use tokio::time::timeout;

use super::errors::ApiError;
use super::{Server, limits};

/// A body as text.
pub struct TextBody(pub String);

impl FromRequest<Arc<Server>> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<TextBody, ApiError> {
        let bytes = read(request.into_body(), server).await?;
        match String::from_utf8(bytes.into()) {
            Ok(text) => Ok(TextBody(text)),
            Err(_) => Err(invalid("the body is not UTF-8 text")),
        }
    }
}

/// A list of boards as JSON: `{"boards": ["…", …]}`.
pub struct BoardsBody(pub Vec<String>);

impl FromRequest<Arc<Server>> for BoardsBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<BoardsBody, ApiError> {
        let bytes = read(request.into_body(), server).await?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            invalid(&format!(
                "the body is not JSON: line {line}, column {column}"
            ))
        })?;
        boards(value).map(BoardsBody)
    }
}

fn boards(value: Value) -> Result<Vec<String>, ApiError> {
    const FORM: &str = "the body must be {\"boards\": [\"…\", …]}";
    let Value::Object(mut fields) = value else {
        return Err(invalid(FORM));
    };
    let Some(Value::Array(values)) = fields.remove("boards").filter(|_| fields.is_empty()) else {
        return Err(invalid(FORM));
    };
    if values.len() > BOARDS {
        let (given, limit) = (values.len(), BOARDS);
        return Err(invalid(&format!(
            "'boards' has {given} boards: the limit is {limit}"
        )));
    }
    let texts = values
        .into_iter()
        .zip(1..)
        .map(|(value, number)| match value {
            Value::String(text) => Ok(text),
            _ => Err(invalid(&format!("board {number} is not a string"))),
        });
    texts.collect()
}

async fn read(body: Body, server: &Server) -> Result<Bytes, ApiError> {
    let whole = to_bytes(body, limits::BODY_BYTES);
    let bytes = timeout(server.limits.client_timeout, whole).await;
    let bytes = bytes.map_err(|_| invalid("the body of the request did not come in time"))?;
    bytes.map_err(|error| {
        let cause = error.source();
        match cause.is_some_and(<dyn Error>::is::<LengthLimitError>) {
            true => ApiError::BodyTooLong,
            false => invalid("the body of the request could not be read"),
        }
    })
}

fn invalid(why: &str) -> ApiError {
    ApiError::parameters(why)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bodies_of_another_form_are_rejected() {
        assert_eq!(boards(json!({"boards": ["a", "b"]})).unwrap(), ["a", "b"]);
        assert!(boards(json!({"boards": []})).unwrap().is_empty());
        for body in [
            json!([]),
            json!({}),
            json!({"boards": "a"}),
            json!({"boards": [1]}),
            json!({"boards": [], "more": 1}),
            json!({"boards": vec![""; BOARDS + 1]}),
        ] {
            assert!(boards(body).is_err());
        }
    }
}
