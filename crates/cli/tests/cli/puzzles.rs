//! `krou puzzles`: values as `krou probe` has them, and Ctrl-C.

use serde_json::Value;

use crate::support::{call, words};

/// What `krou probe` says of the same boards.
#[test]
fn values_are_those_of_probe() {
    let puzzles = call(&words("puzzles --json --count 5")).success();
    assert_eq!(puzzles.lines().count(), 5);
    for puzzle in puzzles.lines() {
        let puzzle: Value = serde_json::from_str(puzzle).unwrap();
        assert_eq!(puzzle["rules"], "abapa");
        let board = puzzle["board"].to_string();
        let probed = call(&["probe", "--json", "--rules", "abapa", &board]).success();
        let probed: Value = serde_json::from_str(&probed).unwrap();
        assert_eq!(probed["value"], puzzle["moves"][0]["value"]);
        let values = |moves: &Value| {
            let moves = moves.as_array().unwrap().iter();
            let mut moves: Vec<_> = moves
                .map(|m| (m["pit"].as_u64(), m["value"].as_i64()))
                .collect();
            moves.sort_unstable();
            moves
        };
        assert_eq!(values(&probed["moves"]), values(&puzzle["moves"]));
    }
}

/// It prints the puzzles so far, whole, and ends.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_search_in_order() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use crate::program::{krou_in, send_signal};

    let home = tempfile::tempdir().unwrap();
    let mut krou = krou_in(home.path());
    krou.args(["puzzles", "--json", "--count", "1000000"]);
    let mut krou = krou.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(krou.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    send_signal("TERM", &krou);
    for line in lines {
        serde_json::from_str::<Value>(&line.unwrap()).unwrap();
    }
    assert_eq!(krou.wait().unwrap().code(), Some(143));
}
