//! The files of the page, which are compiled into the program: the server sends them, and
//! `krou site` writes them.

/// A file of the page.
pub struct File {
    /// Its name in `web/`.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! file {
    ($name:literal, $kind:literal) => {
        File {
            name: $name,
            kind: $kind,
            bytes: include_bytes!(concat!("../../../web/", $name)),
        }
    };
}

/// The page itself.
pub const PAGE: File = file!("index.html", "text/html; charset=utf-8");

/// The files that the page loads from `/web/`.
pub const FILES: [File; 33] = [
    file!("adapt.css", "text/css; charset=utf-8"),
    file!("board.css", "text/css; charset=utf-8"),
    file!("panels.css", "text/css; charset=utf-8"),
    file!("style.css", "text/css; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("analysis-card.js", "text/javascript; charset=utf-8"),
    file!("answer-error.js", "text/javascript; charset=utf-8"),
    file!("api.js", "text/javascript; charset=utf-8"),
    file!("board.js", "text/javascript; charset=utf-8"),
    file!("dialogs.js", "text/javascript; charset=utf-8"),
    file!("editor.js", "text/javascript; charset=utf-8"),
    file!("event-stream.js", "text/javascript; charset=utf-8"),
    file!("examples.js", "text/javascript; charset=utf-8"),
    file!("graph.js", "text/javascript; charset=utf-8"),
    file!("http-answers.js", "text/javascript; charset=utf-8"),
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
    file!("solver-card.js", "text/javascript; charset=utf-8"),
    file!("state.js", "text/javascript; charset=utf-8"),
    file!("status-card.js", "text/javascript; charset=utf-8"),
    file!("text-en.js", "text/javascript; charset=utf-8"),
    file!("text-fr.js", "text/javascript; charset=utf-8"),
    file!("texts.js", "text/javascript; charset=utf-8"),
    file!("verdict.js", "text/javascript; charset=utf-8"),
    file!("view.js", "text/javascript; charset=utf-8"),
];

/// The files of the page that only a page without a server needs, by their names in `web/`.
/// The service worker and the manifest have their place beside the page.
pub const SITE_FILES: [File; 10] = [
    file!("site/apple-touch-icon.png", "image/png"),
    file!("site/icon-192.png", "image/png"),
    file!("site/icon-512.png", "image/png"),
    file!("site/icon-maskable.png", "image/png"),
    file!("site/krou.js", "text/javascript; charset=utf-8"),
    file!("site/krou.wasm", "application/wasm"),
    file!("site/remote.js", "text/javascript; charset=utf-8"),
    file!("site/table-store.js", "text/javascript; charset=utf-8"),
    file!("site/worker-answers.js", "text/javascript; charset=utf-8"),
    file!("site/worker.js", "text/javascript; charset=utf-8"),
];

/// What the service worker does, without the list of files.
pub const SERVICE_WORKER: &str = include_str!("../../../web/site/service-worker.js");

/// The manifest, with which browsers install the page.
pub const MANIFEST: &str = include_str!("../../../web/site/manifest.webmanifest");
