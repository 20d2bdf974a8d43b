//! Starting and stopping the server.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;

use crate::program::{krou_in, run};
use crate::support::Server;

/// The error message of a server that does not start.
fn startup_error(args: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("damaged")).unwrap();
    fs::write(
        home.path().join("damaged/awari-02.value.krou"),
        "not a table",
    )
    .unwrap();
    run(krou_in(home.path()).arg("serve").args(args)).error()
}

#[test]
fn startup_errors_give_one_sentence() {
    let server = Server::start();
    let taken = server.address.to_string();
    let sentence = startup_error(&["--listen", &taken]);
    assert!(
        sentence.contains(&taken) && sentence.contains("name another address"),
        "{sentence}"
    );
    for address in ["nonsense", "127.0.0.1:99999", "127.0.0.1", ""] {
        let sentence = startup_error(&["--listen", address]);
        assert!(sentence.contains("cannot listen on"), "{sentence}");
    }
    let sentence = startup_error(&["--listen", "127.0.0.1:0", "--dir", "nowhere"]);
    assert!(sentence.contains("nowhere"), "{sentence}");
    let sentence = startup_error(&["--listen", "127.0.0.1:0", "--dir", "damaged"]);
    assert!(sentence.contains("awari-02.value.krou"), "{sentence}");
}

#[test]
fn the_first_line_names_address_and_tables() {
    let server = Server::start();
    let expected = format!(
        "krou: listening on http://{}, with tables of awari up to 9 seeds\n",
        server.address
    );
    assert_eq!(server.first_line(), expected);
}

#[cfg(unix)]
#[test]
fn signals_stop_the_server_despite_idle_connections() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start();
        // A connection that stays open.
        let mut idle = server.connect();
        write!(idle, "GET /rulesets HTTP/1.1\r\nHost: krou\r\n\r\n").unwrap();
        let mut first = [0; 12];
        idle.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        let id = server.process.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(server.process.wait().unwrap().code(), Some(0));
    }
}
