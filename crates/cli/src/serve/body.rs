//! Bodies of requests: limited in size and time, and read by hand so that errors say what
//! is wrong.

use std::sync::Arc;

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use krou::ogn::decode;
use tokio::time::timeout;

use super::Server;
use super::errors::ApiError;
use super::limits::BODY_BYTES;

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
