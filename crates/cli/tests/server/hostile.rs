//! Clients that send random bytes, send slowly or do not send at all.

#[cfg(target_os = "linux")]
use std::fs;
use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::thread;
use std::time::Duration;

use fastrand::Rng;

use crate::support::Server;

const VALID: &str = "/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";

/// Checks that the server still answers, and that nothing in it has panicked.
fn assert_healthy(server: Server) {
    assert_eq!(server.get_ok(VALID)["value"], 4);
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}

#[test]
fn random_bytes_do_not_disturb_the_server() {
    let mut random = Rng::with_seed(7);
    let pieces: [&[u8]; 16] = [
        b"GET ",
        b"HEAD ",
        b"POST ",
        b"/awari",
        b"?board=",
        b"0,0,0,0,0,1,2,0,0,0,0,1",
        b" HTTP/1.1\r\n",
        b"Host: localhost\r\n",
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
    assert!(count_answers(&sent) > 100);
}

/// Sends these bytes to a server, in parallel, and returns the number of answers. None may be
/// an error of the server, which must still work afterwards.
fn count_answers(sent: &[Vec<u8>]) -> usize {
    let server = Server::start();
    let send_all = |requests: &[Vec<u8>]| {
        let mut answers = 0;
        for bytes in requests {
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
            .map(|requests| scope.spawn(move || send_all(requests)))
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert_healthy(server);
    answers
}

#[test]
fn idle_and_half_open_connections_block_no_others() {
    let server = Server::start();
    let idle: Vec<_> = (0..100)
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
    assert_eq!(server.get_ok(VALID)["value"], 4);
    drop(idle);
    assert_healthy(server);
}

#[test]
fn closed_connections_stop_their_opponents() {
    let server = Server::start();
    for _ in 0..50 {
        let mut stream = server.connect();
        let path = "/api/v1/awari/reply?opponent=engine&level=14";
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    }
    // If the server finished all of them, this request would time out.
    server.get_ok("/api/v1/awari/reply?opponent=random");
    assert_healthy(server);
}

#[test]
fn busy_server_returns_503() {
    let server = Server::with_options(&["--max-analyses", "1", "--queue-time", "0"]);
    let path = "/api/v1/abapa/analysis?movetime=10000";
    let mut searching = server.connect();
    write!(searching, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    searching.read_exact(&mut [0; 12]).unwrap();
    let response = server.get(path);
    assert_eq!(response.status, 503, "{}", response.body);
    assert_eq!(response.headers["retry-after"], "1");
    let answer = response.json();
    assert_eq!(answer["code"], "busy");
    assert!(answer["error"].as_str().unwrap().contains("try again"));
    // Neither probes nor opponents wait for analyses.
    assert_eq!(server.get_ok(VALID)["value"], 4);
    server.get_ok("/api/v1/awari/reply?opponent=engine&level=1");
    let log = server.log();
    assert!(log.contains("WARN request{"), "{log}");
    assert!(log.contains(path) && log.contains("status=503"), "{log}");
    drop(searching);
}

/// Only reviews that run have an engine, and none keeps the threads that answer busy.
#[cfg(target_os = "linux")]
#[test]
fn waiting_reviews_take_no_memory() {
    let server = Server::with_options(&["--max-analyses", "2"]);
    let path = "/api/v1/awari/review?movetime=200&moves=FeCbAaFfEdBcDe";
    let reviews: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            stream
        })
        .collect();
    thread::sleep(Duration::from_secs(2));
    let status = fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 300_000, "{peak}");
    drop(reviews);
    assert_healthy(server);
}

/// Two analyses without end take all places, and two more wait.
#[cfg(target_os = "linux")]
#[test]
fn analyses_of_several_clients_share_time() {
    let server = Server::with_options(&["--max-analyses", "2", "--queue-time", "60"]);
    let path = "/api/v1/abapa/analysis?movetime=10000";
    let begin = |client| {
        let mut stream = server.connect_from([127, 0, 0, client]);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        stream
    };
    let others: Vec<_> = (30..34).map(begin).collect();
    thread::sleep(Duration::from_secs(1));
    // Each gets its first estimate long before the first of them ends.
    let started = std::time::Instant::now();
    for mut stream in others.into_iter().chain([begin(34)]) {
        let mut text = Vec::new();
        while !text.windows(11).any(|part| part == b"event: info") {
            let mut part = [0; 1024];
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "{}", String::from_utf8_lossy(&text));
            text.extend(&part[..length]);
        }
    }
    assert!(started.elapsed() < Duration::from_secs(6));
    assert_healthy(server);
}

/// An analysis that gives way now and then reports each depth once, and ends at its limit.
#[test]
fn an_analysis_goes_on_after_its_pauses() {
    let server = Server::with_options(&["--max-analyses", "1", "--queue-time", "60"]);
    let path = "/api/v1/abapa/analysis?movetime=2500&lines=1";
    let analyses = thread::scope(|scope| {
        let all: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| server.events(path)))
            .collect();
        let all = all.into_iter().map(|analysis| analysis.join().unwrap());
        all.collect::<Vec<_>>()
    });
    for events in analyses {
        let (done, infos) = events.split_last().unwrap();
        assert_eq!(
            (done.0.as_str(), &done.1),
            ("done", &infos.last().unwrap().1)
        );
        let depths: Vec<_> = infos
            .iter()
            .map(|(_, info)| info["depth"].as_u64())
            .collect();
        assert!(depths.is_sorted(), "{depths:?}");
        assert!(done.1["time_ms"].as_u64().unwrap() <= 3000, "{}", done.1);
    }
}

#[test]
fn endless_request_heads_are_cut_off() {
    let server = Server::with_options(&["--client-timeout", "1"]);
    let mut stream = server.connect();
    let mut writer = stream.try_clone().unwrap();
    thread::spawn(move || {
        // A byte now and then until the connection is closed.
        while writer.write_all(b"G").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    // The server closes the connection before the client's read times out.
    let read = stream.read_to_end(&mut Vec::new());
    assert!(!read.is_err_and(|error| is_timeout(&error)));
    assert_healthy(server);
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), WouldBlock | TimedOut)
}

#[test]
fn clients_that_do_not_read_are_disconnected() {
    let server = Server::with_options(&["--client-timeout", "1"]);
    let mut stream = server.connect();
    // Until the server no longer takes requests, as it cannot send its answers.
    let requests = b"GET /web/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    let error = loop {
        if let Err(error) = stream.write_all(&requests) {
            break error;
        }
    };
    assert!(!is_timeout(&error));
    assert_healthy(server);
}

#[test]
fn request_bodies_that_do_not_come_are_refused() {
    let server = Server::with_options(&["--client-timeout", "1"]);
    let lines = "Content-Length: 10\r\n";
    let response = server.request("POST", "/api/v1/ogn", lines);
    assert_eq!(response.status, 400);
    assert!(
        response.body.contains("did not come in time"),
        "{}",
        response.body
    );
}

/// Idle connections are closed before the system refuses to open one more.
#[cfg(unix)]
#[test]
fn few_open_files_leave_room_for_others() {
    let server = Server::after("ulimit -n 40");
    let open: Vec<_> = (0..60).map(|_| server.connect()).collect();
    server.get_ok(VALID);
    drop(open);
    assert_eq!(server.log(), "");
}

/// The soft limit of open files is raised to the hard limit.
#[cfg(unix)]
#[test]
fn a_low_soft_limit_of_open_files_does_not_limit_connections() {
    let server = Server::after("ulimit -Sn 32");
    let open: Vec<_> = (0..60).map(|_| server.connect()).collect();
    server.get_ok(VALID);
    drop(open);
    assert_eq!(server.log(), "");
}
