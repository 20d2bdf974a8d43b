//! How the server starts and ends.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;

use crate::program::{ended, krou_in};
use crate::support::Server;

/// The error message of a server that does not start.
fn refused(args: &[&str]) -> String {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("damaged")).unwrap();
    fs::write(
        place.path().join("damaged/awari-02.value.krou"),
        "Dear diary",
    )
    .unwrap();
    ended(krou_in(place.path()).arg("serve").args(args)).refused()
}

#[test]
fn startup_errors_give_one_sentence() {
    let server = Server::start();
    let taken = server.address.to_string();
    let sentence = refused(&["--listen", &taken]);
    assert!(
        sentence.contains(&taken) && sentence.contains("name another address"),
        "{sentence}"
    );
    for address in ["nonsense", "127.0.0.1:99999", "127.0.0.1", ""] {
        let sentence = refused(&["--listen", address]);
        assert!(sentence.contains("cannot listen on"), "{sentence}");
    }
    let sentence = refused(&["--listen", "127.0.0.1:0", "--dir", "nowhere"]);
    assert!(sentence.contains("nowhere"), "{sentence}");
    let sentence = refused(&["--listen", "127.0.0.1:0", "--dir", "damaged"]);
    assert!(sentence.contains("awari-02.value.krou"), "{sentence}");
}

#[test]
fn the_first_line_has_address_and_tables() {
    let server = Server::start();
    let expected = format!(
        "krou: listening on http://{}, with tables of awari up to 9 seeds\n",
        server.address
    );
    assert_eq!(server.first_line(), expected);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_despite_idle_connections() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start();
        // This connection stays open.
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
