//! The files of the page, which are compiled into the program: the server sends them, and
//! `krou site` writes them.
//!
//! They have their place in a folder that is named after their content, so that browsers may
//! keep them for ever, and a new version loads none of the former one.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use xxhash_rust::xxh3::Xxh3;

/// A file of the page.
pub struct File {
    /// Its name in `web/`.
    pub name: String,
    pub bytes: &'static [u8],
}

/// The page itself.
pub const PAGE: &str = include_str!("../web/index.html");

/// The code of the service worker, without its list of files.
pub const SERVICE_WORKER: &str = include_str!("../web/site/service-worker.js");

/// What the head of the page has besides, where workers answer.
pub const HEAD: &str = include_str!("../web/site/head.html");

/// The manifest, with which browsers install the page.
pub const MANIFEST: &str = include_str!("../web/site/manifest.webmanifest");

/// The files that the page loads. Only a page without a server needs those in `site/`.
pub static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    static WEB: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/web");
    let mut files = Vec::new();
    collect(&WEB, &mut files);
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
});

/// The files of a folder and of those in it. The page, the service worker and the manifest
/// have places of their own.
fn collect(folder: &Dir<'static>, files: &mut Vec<File>) {
    for file in folder.files() {
        let name = file.path().to_string_lossy().replace('\\', "/");
        let bytes = file.contents();
        if ![PAGE, HEAD, SERVICE_WORKER, MANIFEST]
            .map(str::as_bytes)
            .contains(&bytes)
        {
            files.push(File { name, bytes });
        }
    }
    for folder in folder.dirs() {
        collect(folder, files);
    }
}

/// The folder of the files: `web-` and a hash of them all.
pub fn folder() -> &'static str {
    static FOLDER: LazyLock<String> = LazyLock::new(|| {
        let mut hash = Xxh3::new();
        for file in FILES.iter() {
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
