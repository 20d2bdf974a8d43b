//! Tags of answers that do not change, so that a client that has one is sent nothing.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use xxhash_rust::xxh3::xxh3_64;

use super::errors::ApiError;

/// Adds the tag of the content, or answers 304 if the client has that content. The tag is
/// weak: it stays the same when the content is compressed.
pub async fn tag(request: Request, next: Next) -> Response {
    let known = request.headers().typed_get::<IfNoneMatch>();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // These answers are in memory already.
    let content = match to_bytes(body, usize::MAX).await {
        Ok(content) => content,
        Err(error) => return ApiError::Failed(error.to_string()).into_response(),
    };
    let tag = format!("W/\"{:016x}\"", xxh3_64(&content));
    let Ok(tag) = tag.parse::<ETag>() else {
        return Response::from_parts(parts, Body::from(content));
    };
    let is_known = known.is_some_and(|known| !known.precondition_passes(&tag));
    parts.headers.typed_insert(tag);
    if !is_known {
        return Response::from_parts(parts, Body::from(content));
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::empty())
}
