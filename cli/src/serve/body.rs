//! Bodies of requests: limited in size and time, and read by hand so that errors say what
//! is wrong.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use krou::answers::limits::BOARDS;
use serde::Deserialize;
use tokio::time::timeout;

use super::Server;
use super::errors::ApiError;
use crate::messages::one_line;

/// A body as text.
pub struct TextBody(pub String);

impl FromRequest<Arc<Server>> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<TextBody, ApiError> {
        let text = String::from_request(request, server);
        let Ok(text) = timeout(server.limits.client_timeout, text).await else {
            return Err(ApiError::parameters(
                "the body of the request did not come in time: send it faster",
            ));
        };
        text.map(TextBody)
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => ApiError::BodyTooLong,
                _ => ApiError::parameters("the body of the request is not UTF-8 text"),
            })
    }
}

/// A list of boards as JSON: `{"boards": ["…", …]}`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct BoardsBody {
    pub boards: Vec<String>,
}

impl FromRequest<Arc<Server>> for BoardsBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<BoardsBody, ApiError> {
        let TextBody(text) = TextBody::from_request(request, server).await?;
        BoardsBody::parse(&text).map_err(ApiError::parameters)
    }
}

impl BoardsBody {
    fn parse(text: &str) -> Result<BoardsBody, String> {
        let body: BoardsBody = serde_json::from_str(text).map_err(|error| {
            let why = one_line(&error.to_string());
            format!("the body must be {{\"boards\": [\"…\", …]}}: {why}")
        })?;
        let given = body.boards.len();
        if given > BOARDS {
            return Err(format!(
                "'boards' has {given} boards: the limit is {BOARDS}"
            ));
        }
        Ok(body)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bodies_of_another_form_are_rejected() {
        let parsed = BoardsBody::parse(r#"{"boards": ["a", "b"]}"#);
        assert_eq!(parsed.unwrap().boards, ["a", "b"]);
        assert!(BoardsBody::parse(r#"{"boards": []}"#).is_ok());
        let long = json!({"boards": vec![""; BOARDS + 1]}).to_string();
        for body in [
            "",
            "{",
            "{}",
            r#"{"boards": "a"}"#,
            r#"{"boards": [1]}"#,
            r#"{"boards": [], "more": 1}"#,
            &long,
        ] {
            assert!(BoardsBody::parse(body).is_err(), "{body:.30}");
        }
    }
}
