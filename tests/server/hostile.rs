//! Clients that send random bytes, send slowly or do not send at all.

use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::thread;
use std::time::Duration;

use fastrand::Rng;

use crate::support::Server;

const SOUND: &str = "/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";

/// The server still answers, and nothing in it panics.
fn assert_well(server: Server) {
    assert_eq!(server.good(SOUND)["value"], 4);
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}

#[test]
fn random_bytes_do_no_harm() {
    let mut random = Rng::with_seed(7);
    let pieces: [&[u8]; 16] = [
        b"GET ",
        b"HEAD ",
        b"POST ",
        b"/awari",
        b"?board=",
        b"0,0,0,0,0,1,2,0,0,0,0,1",
        b" HTTP/1.1\r\n",
        b"Host: krou\r\n",
        b"Content-Length: 18446744073709551616\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"\r\n",
        b"%",
        b"%zz%f",
        b"\xff\xfe\0",
        b"/reply?opponent=random&seed=",
        b"99999999999999999999",
    ];
    let mut sent = Vec::new();
    for n in 0..300 {
        let mut bytes = Vec::new();
        for _ in 0..random.usize(..12) {
            match random.usize(..8) {
                0 => bytes.extend((0..random.u8(..64)).map(|_| random.u8(..))),
                _ => bytes.extend(pieces[random.usize(..pieces.len())]),
            }
        }
        if n % 2 == 0 {
            bytes.extend(b"\r\n\r\n");
        }
        sent.push(bytes);
    }
    assert!(answered(&sent) > 100);
}

/// Sends each of these to a server, some at the same time, and gives the number of
/// answers. None may be an error of the server, which must work afterwards.
fn answered(sent: &[Vec<u8>]) -> usize {
    let server = Server::start();
    let ask = |some: &[Vec<u8>]| {
        let mut answers = 0;
        for bytes in some {
            let answer = server.send(bytes);
            assert!(
                answer.is_empty() || answer.starts_with("HTTP/1."),
                "{answer:.60}"
            );
            for failure in ["HTTP/1.1 5", "HTTP/1.0 5"] {
                assert!(!answer.starts_with(failure), "{answer}");
            }
            answers += usize::from(!answer.is_empty());
        }
        answers
    };
    let answers = thread::scope(|scope| {
        let parts: Vec<_> = sent
            .chunks(sent.len().div_ceil(8))
            .map(|some| scope.spawn(move || ask(some)))
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert_well(server);
    answers
}

#[test]
fn requests_with_one_byte_changed_do_no_harm() {
    let mut random = Rng::with_seed(8);
    let paths = [
        SOUND,
        "/awari/mainline?board=0,0,0,0,0,1,2,0,0,0,0,1&plies=20",
        "/awari/game?start=0-2-0-1-0-1-2-1-0-0-1-1-0-0-S&moves=FfEe",
        "/kalah/reply?start=0-2-0-1-0-1-2-1-0-0-1-1-0-0-S&moves=F&opponent=random&level=3&seed=1",
        "/web/main.js",
    ];
    let mut sent = Vec::new();
    for n in 0..300 {
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: krou\r\nConnection: close\r\n\r\n",
            paths[n % paths.len()]
        );
        let mut bytes = request.into_bytes();
        let place = random.usize(..bytes.len());
        bytes[place] = random.u8(..);
        sent.push(bytes);
    }
    assert!(answered(&sent) > 250);
}

#[test]
fn idle_and_half_open_connections_block_nobody() {
    let server = Server::start();
    let idle: Vec<_> = (0..300)
        .map(|n| {
            let mut stream = server.connect();
            match n % 3 {
                0 => {}
                1 => stream.write_all(b"GET /awari?boa").unwrap(),
                _ => stream.shutdown(Shutdown::Write).unwrap(),
            }
            stream
        })
        .collect();
    assert_eq!(server.good(SOUND)["value"], 4);
    drop(idle);
    assert_well(server);
}

#[test]
fn a_closed_connection_stops_its_opponent() {
    let server = Server::start();
    for _ in 0..50 {
        let mut stream = server.connect();
        let path = "/awari/reply?opponent=engine&level=10";
        write!(stream, "GET {path} HTTP/1.1\r\nHost: krou\r\n\r\n").unwrap();
    }
    // If the server finished all of them, this one would wait too long.
    server.good("/awari/reply?opponent=random");
    assert_well(server);
}

/// On one core one opponent thinks at a time, and a request does not wait until all of
/// the others have thought.
#[cfg(target_os = "linux")]
#[test]
fn busy_server_returns_503() {
    let server = Server::on_one_core();
    let path = "/awari/reply?opponent=engine&level=10";
    let thinking: Vec<_> = (0..480)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: krou\r\n\r\n").unwrap();
            stream
        })
        .collect();
    let refused = server.get(path);
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert_eq!(refused.headers["retry-after"], "1");
    let sentence = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(sentence.contains("try again"), "{sentence}");
    // Probes do not wait for opponents.
    assert_eq!(server.good(SOUND)["value"], 4);
    let log = server.log();
    assert!(log.contains("krou: warning: GET /awari/reply?"), "{log}");
    drop(thinking);
}

#[test]
fn an_endless_head_is_cut_off() {
    let server = Server::start();
    let mut stream = server.connect();
    let mut drip = stream.try_clone().unwrap();
    thread::spawn(move || {
        // A byte each second until the connection is closed.
        while drip.write_all(b"G").is_ok() {
            thread::sleep(Duration::from_secs(1));
        }
    });
    // The server closes the connection before the client runs out of patience.
    let read = stream.read_to_end(&mut Vec::new());
    let too_long = |error: io::Error| matches!(error.kind(), WouldBlock | TimedOut);
    assert!(!read.is_err_and(too_long));
    assert_well(server);
}

#[test]
fn concurrent_clients_are_all_answered() {
    let server = Server::start();
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(server.good(SOUND)["value"], 4);
                }
            });
        }
    });
    assert_eq!(server.log(), "");
}
