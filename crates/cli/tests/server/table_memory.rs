//! Layers that are loaded into memory while the server answers.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::files::damage;
#[cfg(unix)]
use crate::program::send_signal;
use crate::program::{krou_in, run};
use crate::support::Server;

const BOARD: &str = "/api/v1/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";
/// Bytes of the built-in layers of abapa, two for each board.
const ABAPA: u64 = 293_475;

/// Asks the server until its layers in memory take this much.
fn wait_for_memory(server: &Server, bytes: u64) {
    let expected = format!("krou_table_memory_bytes {bytes}");
    let mut metrics = String::new();
    for _ in 0..3000 {
        metrics = server.get("/metrics").body;
        if metrics.lines().any(|line| line == expected) {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{expected} is not in {metrics}");
}

/// 500 KiB hold the built-in layers of awari, and those of abapa up to 8 seeds.
#[test]
fn rulesets_share_the_memory_and_answers_stay_the_same() {
    let plain = Server::start();
    let server = Server::with_options(&["--table-memory", "500K"]);
    let expected = plain.get_ok(BOARD);
    assert_eq!(server.get_ok(BOARD), expected);
    wait_for_memory(&server, 293_475 + 125_879);
    assert_eq!(server.get_ok(BOARD), expected);
    assert_eq!(server.log(), "");
    wait_for_memory(&plain, 0);
}

#[test]
fn a_table_that_cannot_be_loaded_is_logged() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("tables")).unwrap();
    let mut build = krou_in(home.path());
    build.args(["build", "--seeds", "4", "--codec", "raw"]);
    assert_eq!(run(&mut build).code, Some(0));
    damage(home.path().join("tables/awari-04.value.krou"));
    let server = Server::in_folder_with(home, &["--table-memory", "1"]);
    // The layers of awari below the damaged one.
    wait_for_memory(&server, 455 + ABAPA);
    server.get_ok("/api/v1/awari?board=0,0,0,0,0,1,1,0,0,0,0,1");
    let log = server.log();
    assert!(
        log.contains("ERROR") && log.contains("awari-04.value.krou"),
        "{log}"
    );
}

#[cfg(unix)]
#[test]
fn a_signal_stops_the_server_while_it_loads() {
    let mut server = Server::with_options(&["--table-memory", "1"]);
    send_signal("TERM", &server.process);
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}
