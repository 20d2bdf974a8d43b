//! The endpoints that send the files of the page.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::errors::ApiError;
use crate::web_files::{FILES, File, PAGE};

/// The page loads and runs only its own files.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `/`: the page.
pub async fn index() -> Response {
    send(&PAGE)
}

/// `/web/…`: the files of the page.
pub async fn file(name: Result<Path<String>, PathRejection>) -> Response {
    let name = name.ok();
    let found = name.and_then(|Path(name)| FILES.iter().find(|file| file.name == name));
    match found {
        Some(file) => send(file),
        None => ApiError::NoAddress.into_response(),
    }
}

fn send(file: &File) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type(file.name)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, file.bytes).into_response()
}

/// The media type of a file.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
