//! The files of the page, and the headers of files and answers.

use std::fs;
use std::path::Path;

use crate::support::Server;

/// The files of `web/`, by name.
fn page_files() -> Vec<(String, String)> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let entries = fs::read_dir(web).unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn files_have_their_media_types() {
    let server = Server::start();
    let files = page_files();
    assert!(files.len() > 8);
    for (name, text) in files {
        let path = match name.as_str() {
            "index.html" => "/".to_owned(),
            name => format!("/web/{name}"),
        };
        let response = server.get(&path);
        assert_eq!((response.status, &response.body), (200, &text), "{path}");
        let kind = match name.rsplit('.').next().unwrap() {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{other}"),
        };
        assert_eq!(response.headers["content-type"], kind);
        assert_eq!(response.headers["x-content-type-options"], "nosniff");
        assert!(response.headers["content-security-policy"].starts_with("default-src 'self';"));
        assert!(!response.headers.contains_key("access-control-allow-origin"));
        // A file that the browser has cached is not sent again.
        let tag = &response.headers["etag"];
        let again = server.request("GET", &path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.body.as_str()), (304, ""));
        assert_eq!(again.headers["etag"], *tag);
        let other = server.request("GET", &path, "If-None-Match: \"0\"\r\n");
        assert_eq!(other.status, 200);
    }
}

#[test]
fn the_page_loads_nothing_from_other_origins() {
    for (name, text) in page_files() {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for part in [
            "http:",
            "https:",
            "//cdn",
            "@import",
            "eval(",
            "innerHTML",
            " style=",
            "<script>",
        ] {
            assert!(!text.contains(part), "{name} has {part}");
        }
    }
}

#[test]
fn answers_allow_every_origin() {
    let server = Server::start();
    for path in [
        "/rulesets",
        "/awari?board=1,0,0,0,0,0,0,0,0,0,0,0",
        "/awari?board=1",
        "/nowhere",
    ] {
        let response = server.get(path);
        assert_eq!(
            response.headers["access-control-allow-origin"], "*",
            "{path}"
        );
        assert_eq!(response.headers["cache-control"], "no-cache");
        assert_eq!(response.headers["x-content-type-options"], "nosniff");
        // The same response without its body.
        let head = server.request("HEAD", path, "");
        assert_eq!((head.status, head.body.as_str()), (response.status, ""));
        assert_eq!(
            head.headers["content-length"],
            response.body.len().to_string()
        );
    }
}
