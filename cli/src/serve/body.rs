//! Bodies of requests: limited in size and time, and read by hand so that errors say what
//! is wrong.

use std::sync::Arc;

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use krou::internal::ogn::decode;
use krou_answers::limits::BOARDS;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tokio::time::timeout;

use super::Server;
use super::errors::ApiError;
use super::limits::BODY_BYTES;
use crate::messages::one_line;

/// A body as text, in any encoding that [`decode`] knows.
pub struct TextBody(pub String);

impl FromRequest<Arc<Server>> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<TextBody, ApiError> {
        if request.body().size_hint().lower() > BODY_BYTES as u64 {
            return Err(ApiError::BodyTooLong);
        }
        let bytes = Bytes::from_request(request, server);
        let Ok(bytes) = timeout(server.limits.client_timeout, bytes).await else {
            return Err(ApiError::parameters(
                "the body of the request did not come in time: send it faster",
            ));
        };
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::BodyTooLong,
            _ => ApiError::parameters("the body of the request cannot be read"),
        })?;
        Ok(TextBody(decode(&bytes).into_owned()))
    }
}

/// A list of boards as JSON: `{"boards": ["…", […], …]}`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct BoardsBody {
    #[serde(deserialize_with = "texts")]
    pub boards: Vec<String>,
}

/// Boards as text: each is given as text, or as an array.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected text or an array")]
    enum BoardJson {
        Text(String),
        Array(Vec<Value>),
    }
    let given: Vec<BoardJson> = Vec::deserialize(deserializer)?;
    let texts = given.into_iter().map(|board| match board {
        BoardJson::Text(text) => text,
        BoardJson::Array(pits) => Value::Array(pits).to_string(),
    });
    Ok(texts.collect())
}

impl FromRequest<Arc<Server>> for BoardsBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<BoardsBody, ApiError> {
        let TextBody(text) = TextBody::from_request(request, server).await?;
        let body: BoardsBody = json(&text, "{\"boards\": [\"…\", …]}")?;
        let given = body.boards.len();
        if given > BOARDS {
            let why = format!("'boards' has {given} boards: the limit is {BOARDS}");
            return Err(ApiError::parameters(why));
        }
        Ok(body)
    }
}

/// Reads a body as JSON of this form, which errors name.
pub fn json<T: DeserializeOwned>(text: &str, form: &str) -> Result<T, ApiError> {
    serde_json::from_str(text).map_err(|error| {
        let why = one_line(&error.to_string());
        ApiError::parameters(format!("the body must be {form}: {why}"))
    })
}
