//! Starting and stopping the server.

use std::io::{self, Read, Write};

#[cfg(unix)]
use crate::program::send_signal;
use crate::program::{krou_in, run};
use crate::support::Server;

/// The error message of a server that does not start.
fn startup_error(args: &[&str], variable: Option<(String, &str)>) -> String {
    let home = tempfile::tempdir().unwrap();
    run(krou_in(home.path()).arg("serve").args(args).envs(variable)).error()
}

#[test]
fn startup_errors_give_one_sentence() {
    let server = Server::start();
    let taken = server.address.to_string();
    let sentence = startup_error(&["--listen", &taken], None);
    assert!(
        sentence.contains(&taken) && sentence.contains("name another address"),
        "{sentence}"
    );
    for (address, part) in [
        ("nonsense", "the port is missing: write nonsense:7878"),
        ("127.0.0.1", "the port is missing: write 127.0.0.1:7878"),
        ("::1", "the port is missing: write [::1]:7878"),
        ("127.0.0.1:99999", "the port must be"),
        ("", "the port is missing"),
        ("no.such.host.invalid:1", "cannot listen on"),
    ] {
        let sentence = startup_error(&["--listen", address], None);
        assert!(sentence.contains(part), "{sentence}");
    }
    for options in [
        ["--max-connections", "0"],
        ["--queue-time", "soon"],
        ["--table-memory", "much"],
        ["--allow-host", "a:1"],
        ["--allow-host", "a b"],
        ["--allow-origin", "oware.example"],
        ["--allow-origin", "https://"],
        ["--allow-origin", "ftp://oware.example"],
        ["--allow-origin", "https://a b"],
        ["--max-queries", "1025"],
        ["--log", "loud"],
    ] {
        let sentence = startup_error(&options, None);
        assert!(sentence.contains(options[1]), "{sentence}");
        let name = options[0].to_uppercase().replace('-', "_");
        let variable = (name.replace("__", "KROU_SERVE_"), options[1]);
        assert_eq!(startup_error(&[], Some(variable)), sentence);
    }
    let sentence = startup_error(&["--listen", "127.0.0.1:0", "--dir", "nowhere"], None);
    assert!(sentence.contains("nowhere"), "{sentence}");
}

#[test]
fn the_first_line_names_address_and_tables() {
    let server = Server::start();
    let expected = format!(
        "krou: listening on http://{}, with tables of awari up to 9 seeds, abapa up to 9 seeds\n",
        server.address
    );
    assert_eq!(server.first_line(), expected);
}

#[cfg(unix)]
#[test]
fn signals_stop_the_server_despite_idle_connections() {
    // The runner of the tests may ignore others, which stay ignored.
    let mut server = Server::start();
    // A connection that stays open.
    let mut idle = server.connect();
    write!(idle, "GET /api/v1/rulesets HTTP/1.1\r\nHost: krou\r\n\r\n").unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    send_signal("TERM", &server.process);
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}

/// Searches end early, and requests that have begun are answered.
#[cfg(unix)]
#[test]
fn a_stopping_server_finishes_what_has_begun() {
    // On a busy machine the server may not have read the start of the request yet, and then
    // closes its connection.
    let mut tries = (0..5).map(|_| stop_within_a_request());
    let answer = tries.find_map(Result::ok).expect("one request had begun");
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.ends_with("{\"status\":\"stopping\"}"), "{answer}");
}

/// Stops a server while it sends events and while a request is half sent: the answer to that.
#[cfg(unix)]
fn stop_within_a_request() -> io::Result<String> {
    let mut server = Server::start();
    let mut health = server.connect();
    write!(health, "GET /health HTTP/1.1\r\nHost: local").unwrap();
    let mut analysis = server.connect();
    let path = "/api/v1/abapa/analysis?movetime=10000";
    write!(analysis, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    analysis.read_exact(&mut [0; 12]).unwrap();
    send_signal("TERM", &server.process);
    let mut events = String::new();
    analysis.read_to_string(&mut events).unwrap();
    assert!(events.contains("event: done\n"), "{events}");
    let mut answer = String::new();
    let sent = write!(health, "host\r\n\r\n").and_then(|()| health.read_to_string(&mut answer));
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
    match sent? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(answer),
    }
}
