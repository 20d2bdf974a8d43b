//! Who may use the server, and how much of it: other sites, and clients that take too much.

use std::io::{Read, Write};

use crate::support::Server;

const BOARD: &str = "/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";
const REPLY: &str = "/api/v1/awari/reply?opponent=random&seed=1";

#[test]
fn searches_are_refused_to_other_sites() {
    let server = Server::with_options(&[
        "--allow-origin",
        "https://friend.example",
        "--allow-host",
        "oware.example",
    ]);
    for path in [
        REPLY,
        "/awari/reply?opponent=random",
        "/api/v1/awari/analysis?depth=1",
    ] {
        for (host, lines, status) in [
            ("localhost", "", 200),
            ("oware.example:80", "", 200),
            ("other.example", "", 403),
            ("localhost", "Origin: http://localhost\r\n", 200),
            ("localhost", "Origin: https://other.example\r\n", 403),
            ("localhost", "Origin: https://friend.example\r\n", 200),
            ("localhost", "Sec-Fetch-Site: cross-site\r\n", 403),
            ("localhost", "Sec-Fetch-Site: same-origin\r\n", 200),
        ] {
            let response = server.request_from(host, "GET", path, lines, "");
            assert_eq!(response.status, status, "{path} {host} {lines}");
            if status == 403 {
                assert_eq!(response.json()["code"], "forbidden");
            }
        }
    }
    let lines = "Origin: https://other.example\r\nContent-Length: 1\r\n";
    let upload = server.request_from("localhost", "POST", "/api/v1/ogn", lines, "A");
    assert_eq!(upload.status, 403);
}

#[test]
fn exact_values_are_open_to_all_sites() {
    let server = Server::with_options(&["--allow-origin", "https://friend.example"]);
    let lines = "Origin: https://other.example\r\nSec-Fetch-Site: cross-site\r\n";
    let response = server.request_from("other.example", "GET", BOARD, lines, "");
    assert_eq!(response.status, 200);
    assert_eq!(response.headers["access-control-allow-origin"], "*");
    // Only allowed origins may read what the engine finds.
    let allowed = |origin: &str| {
        let lines = format!("Origin: {origin}\r\n");
        let response = server.request("GET", REPLY, &lines);
        response.headers.get("access-control-allow-origin").cloned()
    };
    assert_eq!(allowed("https://other.example"), None);
    assert_eq!(
        allowed("https://friend.example").as_deref(),
        Some("https://friend.example")
    );
    // A browser asks first whether a page may send JSON.
    let lines = "Origin: https://friend.example\r\nAccess-Control-Request-Method: POST\r\n\
                 Access-Control-Request-Headers: content-type\r\n";
    let response = server.request("OPTIONS", "/api/v1/awari/boards", lines);
    assert_eq!(response.status, 200);
    assert!(response.headers["access-control-allow-methods"].contains("POST"));
}

#[test]
fn one_client_has_a_limited_number_of_connections() {
    let server = Server::with_options(&["--max-connections-per-client", "4"]);
    let open: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET {BOARD} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            stream.read_exact(&mut [0; 12]).unwrap();
            stream
        })
        .collect();
    // One more is closed at once, without an answer.
    let mut refused = server.connect();
    let mut answer = Vec::new();
    let _ = refused.read_to_end(&mut answer);
    assert_eq!(answer, b"");
    drop(open);
}

/// With all places taken by clients that send nothing, the next one is served when their time
/// is over.
#[test]
fn idle_connections_make_place_for_others() {
    let server = Server::with_options(&["--max-connections", "3", "--client-timeout", "1"]);
    let mut idle: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = server.connect();
            write!(
                stream,
                "GET {BOARD} HTTP/1.1\r\nHost: localhost\r\n\r\nGET /aw"
            )
            .unwrap();
            stream.read_exact(&mut [0; 12]).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get(BOARD).status, 200);
    for stream in &mut idle {
        stream.read_to_end(&mut Vec::new()).unwrap();
    }
}
