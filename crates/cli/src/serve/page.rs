//! The endpoints that send the files of the page.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::errors::ApiError;
use crate::web_files::{FILES, PAGE, in_folder};

/// The page loads and runs only its own files.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// For files whose address changes with their content.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// The name of a file in the path.
type Name = Result<Path<String>, PathRejection>;

/// `/`: the page, which names its files by their folder.
pub async fn index() -> Response {
    send("index.html", in_folder(PAGE))
}

/// `/web-…/…`: the files of the page, in a folder that is named after their content.
pub async fn file(name: Name) -> Result<Response, ApiError> {
    let mut response = plain_file(name).await?;
    let forever = HeaderValue::from_static(FOREVER);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, forever);
    Ok(response)
}

/// `/web/…`: the same for programs, which need not know that folder.
pub async fn plain_file(name: Name) -> Result<Response, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NoAddress)?;
    let found = FILES.iter().find(|file| file.name == name);
    let file = found.ok_or(ApiError::NoAddress)?;
    Ok(send(&file.name, file.bytes))
}

/// `/favicon.ico`: what browsers ask for where a page, such as an answer, names no icon.
pub async fn icon() -> Result<Response, ApiError> {
    plain_file(Ok(Path("icon.svg".to_owned()))).await
}

/// `/robots.txt`: search engines may read the page, but have no use for answers.
pub async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /api/\n"
}

fn send(name: &str, bytes: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type(name)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, bytes).into_response()
}

/// The media type of a file.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "json")) => "application/json",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
