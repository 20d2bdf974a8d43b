//! The files of the page, and the headers of files and answers.

use std::fs;
use std::path::Path;

use crate::support::Server;

/// The files of `web/` and its `text/`, by name, without those of the page without a server.
fn page_files() -> Vec<(String, String)> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut files = Vec::new();
    for folder in ["", "text/"] {
        for entry in fs::read_dir(web.join(folder)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                let name = format!("{folder}{}", entry.file_name().to_str().unwrap());
                files.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    files
}

#[test]
fn files_have_their_media_types() {
    let server = Server::start();
    let files = page_files();
    assert!(files.len() > 8);
    // The folder is named after their content.
    let page = server.get("/").body;
    let folder = page
        .split('"')
        .find(|word| word.starts_with("web-"))
        .unwrap();
    let (folder, _) = folder.split_once('/').unwrap();
    assert_eq!(folder.len(), "web-0123456789abcdef".len());
    assert_eq!(server.get("/web-0123456789abcdef/main.js").status, 404);
    assert_eq!(
        server.get("/web/main.js").headers["cache-control"],
        "no-cache"
    );
    for (name, text) in files {
        let (path, text) = match name.as_str() {
            "index.html" => (
                "/".to_owned(),
                text.replace("\"web/", &format!("\"{folder}/")),
            ),
            name => (format!("/{folder}/{name}"), text),
        };
        let response = server.get(&path);
        assert_eq!((response.status, &response.body), (200, &text), "{path}");
        let kept = match name.as_str() {
            "index.html" => "no-cache",
            _ => "public, max-age=31536000, immutable",
        };
        assert_eq!(response.headers["cache-control"], kept);
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
    }
}

#[test]
fn icon_and_robots_are_where_programs_look() {
    let server = Server::start();
    let icon = server.get("/favicon.ico");
    assert_eq!(
        (icon.status, icon.headers["content-type"].as_str()),
        (200, "image/svg+xml")
    );
    let robots = server.get("/robots.txt");
    assert!(robots.headers["content-type"].starts_with("text/plain"));
    assert!(
        robots.body.starts_with("User-agent: *\n"),
        "{}",
        robots.body
    );
}

#[test]
fn the_page_loads_nothing_from_other_origins() {
    for (name, text) in page_files() {
        // The names of SVG, and of the server that `no-start.js` tells people to start.
        let text = text.replace("http://www.w3.org/2000/svg", "");
        let text = text.replace("http://localhost:8000/", "");
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
        "/api/v1/rulesets",
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

#[test]
fn answers_that_the_client_has_are_not_sent_again() {
    let server = Server::start();
    let board = "/api/v1/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";
    for path in [
        "/",
        "/web/main.js",
        "/api/v1/rulesets",
        board,
        "/api/v1/awari/game?moves=Fe",
    ] {
        let tag = server.get(path).headers["etag"].clone();
        let strong = tag.strip_prefix("W/").unwrap();
        for (known, status) in [
            (tag.clone(), 304),
            (strong.to_owned(), 304),
            (format!("\"0\", {tag}"), 304),
            ("*".to_owned(), 304),
            ("\"0\"".to_owned(), 200),
            ("nonsense".to_owned(), 200),
        ] {
            let response = server.request("GET", path, &format!("If-None-Match: {known}\r\n"));
            assert_eq!(response.status, status, "{path} {known}");
            assert_eq!(response.headers["etag"], tag);
            assert_eq!(response.body.is_empty(), status == 304);
        }
    }
    // Another answer has another tag; errors and random answers have none.
    let other = server.get("/awari?board=0,0,0,0,0,1,3,0,0,0,0,1");
    assert_ne!(other.headers["etag"], server.get(board).headers["etag"]);
    for path in ["/nowhere", "/api/v1/awari/reply?opponent=random"] {
        assert!(!server.get(path).headers.contains_key("etag"), "{path}");
    }
}

#[test]
fn long_answers_are_compressed_on_request() {
    let server = Server::start();
    let game = "/api/v1/awari/game?start=1-0-1-0-1-0-1-0-1-0-2-2-20-19-S&moves=AeEcFdAeCf";
    for path in ["/", "/web/style.css", game] {
        let plain = server.get(path);
        assert!(!plain.headers.contains_key("content-encoding"));
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n"
        );
        let packed = server.exchange(request.as_bytes());
        let head = packed
            .windows(4)
            .position(|end| end == b"\r\n\r\n")
            .unwrap();
        let (head, body) = packed.split_at(head);
        let head = String::from_utf8(head.to_vec()).unwrap().to_lowercase();
        assert!(
            head.contains("content-encoding: gzip") && head.contains("vary:"),
            "{head}"
        );
        assert!(body.len() < plain.body.len() / 2, "{path}");
        // Both have the same tag.
        assert!(head.contains(&format!("etag: {}", plain.headers["etag"].to_lowercase())));
    }
    let short = server.request("GET", "/health", "Accept-Encoding: gzip\r\n");
    assert!(!short.headers.contains_key("content-encoding"));
}
