//! `krou analyse`: its JSON, its limits, and that it is exact where tables reach.

use serde_json::{Value, json};

use crate::support::call;
#[cfg(unix)]
use crate::support::krou_in;

const START: &str = "4 4 4 4 4 4 / 4 4 4 4 4 4";
const WON: &str = "0 0 1 0 1 2 / 0 0 0 0 1 1";

fn analysed(args: &[&str]) -> Value {
    let args = [&["analyse", "--json"], args].concat();
    serde_json::from_str(&call(&args).success()).unwrap()
}

#[test]
fn positions_beyond_the_tables_have_estimates() {
    let answer = analysed(&["--rules", "abapa", "--depth", "8", "--lines", "6", START]);
    assert_eq!(answer["board"], json!(vec![4; 12]));
    assert_eq!(
        (&answer["rules"], &answer["depth"]),
        (&json!("abapa"), &json!(8))
    );
    assert_eq!(answer["exact"], false);
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 6);
    assert_eq!(answer["score"], lines[0]["score"]);
    for line in lines {
        let moves = line["moves"].as_str().unwrap();
        assert!(
            moves.starts_with(line["letter"].as_str().unwrap()),
            "{line}"
        );
        assert_eq!(
            (line["exact"].as_bool(), line["score"].is_f64()),
            (Some(false), true)
        );
    }
    let scores: Vec<f64> = lines
        .iter()
        .map(|line| line["score"].as_f64().unwrap())
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    // The same search has the same result.
    let again = analysed(&[
        "--rules", "abapa", "--depth", "8", "--lines", "6", "startpos",
    ]);
    assert_eq!(again, answer);
}

#[test]
fn positions_in_the_tables_are_exact() {
    let answer = analysed(&[WON]);
    assert_eq!(
        (&answer["exact"], &answer["score"]),
        (&json!(true), &json!(6))
    );
    let probed: Value = serde_json::from_str(&call(&["probe", "--json", WON]).success()).unwrap();
    let lines = answer["lines"].as_array().unwrap();
    for (line, m) in lines.iter().zip(probed["moves"].as_array().unwrap()) {
        assert_eq!((&line["pit"], &line["letter"]), (&m["pit"], &m["letter"]));
        assert_eq!(line["score"], m["value"]);
    }
    let one = analysed(&["--lines", "1", WON]);
    assert_eq!(one["lines"], json!([lines[0]]));
}

#[test]
fn a_game_that_is_over_has_its_result() {
    let answer = analysed(&["0 0 0 0 0 0 / 0 0 0 0 1 1"]);
    assert_eq!(
        (&answer["exact"], &answer["score"]),
        (&json!(true), &json!(-2))
    );
    assert_eq!(answer["lines"], json!([]));
    let text = call(&["analyse", "0 0 0 0 0 0 / 0 0 0 0 1 1"]).success();
    assert!(
        text.contains("awari, 2 seeds: -2, the game is over"),
        "{text}"
    );
}

#[test]
fn every_limit_ends_a_search() {
    for limit in [["--depth", "3"], ["--nodes", "1000"], ["--time", "50"]] {
        let text = call(&["analyse", limit[0], limit[1], START]).success();
        assert!(text.contains("awari, 48 seeds: "), "{text}");
    }
    for wrong in [["--depth", "0"], ["--lines", "7"], ["--time", "x"]] {
        let error = call(&["analyse", wrong[0], wrong[1], START]).error();
        assert!(error.contains("give a whole number"), "{error}");
    }
}

/// Ctrl-C ends a search with its best line so far.
#[cfg(unix)]
#[test]
fn an_interrupted_search_has_a_result() {
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    let home = tempfile::tempdir().unwrap();
    let mut command = krou_in(home.path());
    let command = command.args(["analyse", "--json", "--time", "600000", START]);
    let process = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Long enough for a start on a busy machine.
    sleep(Duration::from_secs(3));
    let pid = i32::try_from(process.id()).unwrap();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["lines"].as_array().unwrap().len(), 3);
}
