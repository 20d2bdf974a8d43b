//! `krou analyse`: Ctrl-C.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::program::{krou_in, send_signal};

/// Ctrl-C ends a search with its best line so far.
#[test]
fn an_interrupted_search_has_a_result() {
    let home = tempfile::tempdir().unwrap();
    let mut command = krou_in(home.path());
    let command = command.args(["analyse", "--json", "--time", "600000", "startpos"]);
    let process = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Long enough for a start on a busy machine.
    sleep(Duration::from_secs(3));
    send_signal("TERM", &process);
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["lines"].as_array().unwrap().len(), 3);
}
