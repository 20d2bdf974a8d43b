//! The files of the page, which are compiled into the program: the server sends them, and
//! `krou site` writes them.
//!
//! They have their place in a folder that is named after their content, so that browsers may
//! keep them for ever, and a new version loads none of the former one.

use std::sync::LazyLock;

use xxhash_rust::xxh3::Xxh3;

/// A file of the page.
pub struct File {
    /// Its name in `web/`.
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! file {
    ($name:literal) => {
        File {
            name: $name,
            bytes: include_bytes!(concat!("../web/", $name)),
        }
    };
}

/// The page itself.
pub const PAGE: File = file!("index.html");

/// The files that the page loads from `/web/`.
pub const FILES: [File; 67] = [
    file!("adapt.css"),
    file!("board.css"),
    file!("motion.css"),
    file!("panels.css"),
    file!("study.css"),
    file!("style.css"),
    file!("icon.svg"),
    file!("analysis-card.js"),
    file!("answer-error.js"),
    file!("api.js"),
    file!("board.js"),
    file!("dialogs.js"),
    file!("dragging.js"),
    file!("editing.js"),
    file!("editor.js"),
    file!("event-stream.js"),
    file!("examples.js"),
    file!("first-paint.js"),
    file!("graph.js"),
    file!("help-text-en.js"),
    file!("help-text-fr.js"),
    file!("http-answers.js"),
    file!("keys.js"),
    file!("knowledge.js"),
    file!("learn-boards.js"),
    file!("learn-text-en.js"),
    file!("learn-text-fr.js"),
    file!("learn.js"),
    file!("lesson-card.js"),
    file!("lesson-progress.js"),
    file!("lesson-record.js"),
    file!("lesson-store.js"),
    file!("lesson-text-en.js"),
    file!("lesson-text-fr.js"),
    file!("lesson.js"),
    file!("main.js"),
    file!("move-list.js"),
    file!("moves.js"),
    file!("notice.js"),
    file!("opponents.js"),
    file!("piles.js"),
    file!("play.js"),
    file!("puzzles-card.js"),
    file!("puzzles-judge.js"),
    file!("puzzles-sets.js"),
    file!("puzzles-text-en.js"),
    file!("puzzles-text-fr.js"),
    file!("puzzles.js"),
    file!("review.js"),
    file!("rulesets.js"),
    file!("session.js"),
    file!("settings-dialog.js"),
    file!("settings.js"),
    file!("solver-card.js"),
    file!("solver-progress.js"),
    file!("sound.js"),
    file!("sowing.js"),
    file!("state.js"),
    file!("status-card.js"),
    file!("text-en.js"),
    file!("text-fr.js"),
    file!("texts.js"),
    file!("trainer.js"),
    file!("variations.js"),
    file!("verdict.js"),
    file!("view.js"),
    file!("views.js"),
];

/// The files of the page that only a page without a server needs, by their names in `web/`.
/// The service worker and the manifest have their place beside the page.
pub const SITE_FILES: [File; 10] = [
    file!("site/apple-touch-icon.png"),
    file!("site/icon-192.png"),
    file!("site/icon-512.png"),
    file!("site/icon-maskable.png"),
    file!("site/krou.js"),
    file!("site/krou.wasm"),
    file!("site/remote.js"),
    file!("site/table-store.js"),
    file!("site/worker-answers.js"),
    file!("site/worker.js"),
];

/// The code of the service worker, without its list of files.
pub const SERVICE_WORKER: &str = include_str!("../web/site/service-worker.js");

/// The manifest, with which browsers install the page.
pub const MANIFEST: &str = include_str!("../web/site/manifest.webmanifest");

/// The folder of the files: `web-` and a hash of them all.
pub fn folder() -> &'static str {
    static FOLDER: LazyLock<String> = LazyLock::new(|| {
        let mut hash = Xxh3::new();
        for file in FILES.iter().chain(&SITE_FILES) {
            hash.update(file.name.as_bytes());
            hash.update(file.bytes);
        }
        format!("web-{:016x}", hash.digest())
    });
    &FOLDER
}

/// A text that names files in `web/`, with their folder.
pub fn in_folder(text: &str) -> String {
    text.replace("\"web/", &format!("\"{}/", folder()))
}
