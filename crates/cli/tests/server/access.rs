//! Who may use the server, and how much of it: other sites, and clients that take too much.

use std::io::{BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

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
        "/api/v1/awari/reply?opponent=random",
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
            ("LOCALHOST:7878", "", 200),
            ("[::1]:7878", "", 200),
            ("192.0.2.1", "", 200),
            ("127.0.0.1.other.example", "", 403),
            ("localhost.other", "", 403),
            ("localhost", "Origin: http://localhost:8080\r\n", 403),
            ("localhost", "Origin: null\r\n", 403),
            ("localhost", "Sec-Fetch-Site: none\r\n", 200),
            ("localhost", "Sec-Fetch-Site: same-site\r\n", 403),
            (
                "localhost",
                "Sec-Fetch-Site: cross-site\r\nOrigin: https://friend.example\r\n",
                200,
            ),
            // Browsers send nothing else to a server in the same network.
            ("192.0.2.1", "Referer: http://192.0.2.1/?view=play\r\n", 200),
            ("192.0.2.1", "Referer: http://other.example/\r\n", 403),
            ("192.0.2.1", "Referer: https://friend.example/page\r\n", 200),
            (
                "192.0.2.1",
                "Referer: https://friend.example.evil/\r\n",
                403,
            ),
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

/// RFC 9112, section 3.2.
#[test]
fn a_request_has_one_host() {
    let server = Server::start();
    let status = |head: &str| {
        let answer = server.send(format!("{head}Connection: close\r\n\r\n").as_bytes());
        answer[9..12].parse::<u16>().unwrap()
    };
    let host = "Host: localhost\r\n";
    let evil = "Host: other.example\r\n";
    let user = "Host: other.example@localhost\r\n";
    for path in ["/health", REPLY] {
        assert_eq!(status(&format!("GET {path} HTTP/1.1\r\n{host}")), 200);
        for hosts in ["", user, &[host, host].concat(), &[host, evil].concat()] {
            assert_eq!(status(&format!("GET {path} HTTP/1.1\r\n{hosts}")), 400);
        }
        assert_eq!(status(&format!("GET {path} HTTP/1.0\r\n")), 200);
    }
    // The host of an absolute address counts.
    for (address, header, expected) in [
        ("localhost", evil, 200),
        ("other.example", host, 403),
        ("localhost", host, 200),
    ] {
        let head = format!("GET http://{address}{REPLY} HTTP/1.1\r\n{header}");
        assert_eq!(status(&head), expected, "{head}");
    }
}

#[test]
fn a_body_that_is_too_long_is_refused_before_it_comes() {
    let server = Server::start();
    let head = "POST /api/v1/ogn HTTP/1.1\r\nHost: localhost\r\n";
    let answer = server.send(format!("{head}Content-Length: 9999999999\r\n\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("too-long"), "{answer}");
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

/// With all places taken by clients that send nothing more, the next one is served at once,
/// and the oldest connection is closed.
#[test]
fn idle_connections_make_place_for_others() {
    let server = Server::with_options(&["--max-connections", "3", "--client-timeout", "60"]);
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
    let begin = Instant::now();
    assert_eq!(server.get(BOARD).status, 200);
    assert!(begin.elapsed() < Duration::from_secs(5));
    let _ = idle[0].read_to_end(&mut Vec::new());
    // The others go on.
    let mut last = &idle[2];
    write!(
        last,
        "ari?board=1,0,0,0,0,0,0,0,0,0,0,0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    .unwrap();
    assert!(
        BufReader::new(last)
            .lines()
            .any(|line| line.unwrap().contains("HTTP/1.1 200"))
    );
}

/// Clients of several addresses that send slowly cannot keep another one waiting.
#[cfg(target_os = "linux")]
#[test]
fn slow_clients_do_not_lock_others_out() {
    let server = Server::with_options(&["--max-connections", "64", "--client-timeout", "60"]);
    let slow: Vec<_> = (0..100)
        .map(|n| {
            let mut stream = server.connect_from([127, 0, 0, 10 + n % 8]);
            // Some have sent the head of a request, and are slow with its body.
            let head = "POST /api/v1/ogn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n";
            let part = if n < 90 { "GET /aw" } else { head };
            stream.write_all(part.as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..10 {
        let begin = Instant::now();
        assert_eq!(server.get(BOARD).status, 200);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
    drop(slow);
}
