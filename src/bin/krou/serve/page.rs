//! The files of the page, which are compiled into the program.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::errors::ApiError;

struct File {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! file {
    ($name:literal, $kind:literal) => {
        File {
            name: $name,
            kind: $kind,
            text: include_str!(concat!("../../../../web/", $name)),
        }
    };
}

const PAGE: File = file!("index.html", "text/html; charset=utf-8");

/// The files that the page loads from `/web/`.
const FILES: [File; 30] = [
    file!("adapt.css", "text/css; charset=utf-8"),
    file!("board.css", "text/css; charset=utf-8"),
    file!("panels.css", "text/css; charset=utf-8"),
    file!("style.css", "text/css; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("analysis-card.js", "text/javascript; charset=utf-8"),
    file!("api.js", "text/javascript; charset=utf-8"),
    file!("board.js", "text/javascript; charset=utf-8"),
    file!("dialogs.js", "text/javascript; charset=utf-8"),
    file!("editor.js", "text/javascript; charset=utf-8"),
    file!("event-stream.js", "text/javascript; charset=utf-8"),
    file!("examples.js", "text/javascript; charset=utf-8"),
    file!("graph.js", "text/javascript; charset=utf-8"),
    file!("keys.js", "text/javascript; charset=utf-8"),
    file!("knowledge.js", "text/javascript; charset=utf-8"),
    file!("main.js", "text/javascript; charset=utf-8"),
    file!("move-list.js", "text/javascript; charset=utf-8"),
    file!("notice.js", "text/javascript; charset=utf-8"),
    file!("opponent.js", "text/javascript; charset=utf-8"),
    file!("review.js", "text/javascript; charset=utf-8"),
    file!("rulesets.js", "text/javascript; charset=utf-8"),
    file!("session.js", "text/javascript; charset=utf-8"),
    file!("settings.js", "text/javascript; charset=utf-8"),
    file!("state.js", "text/javascript; charset=utf-8"),
    file!("status-card.js", "text/javascript; charset=utf-8"),
    file!("text-en.js", "text/javascript; charset=utf-8"),
    file!("text-fr.js", "text/javascript; charset=utf-8"),
    file!("texts.js", "text/javascript; charset=utf-8"),
    file!("verdict.js", "text/javascript; charset=utf-8"),
    file!("view.js", "text/javascript; charset=utf-8"),
];

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
        (header::CONTENT_TYPE, file.kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, file.text).into_response()
}
