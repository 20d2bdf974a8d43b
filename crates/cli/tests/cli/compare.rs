//! `krou compare`: equal values, differences, and files that it rejects.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

#[cfg(unix)]
use crate::files::make_pipe;
use crate::support::{Outcome, build_in, built, call_in, words};

fn compare(home: &Path, options: &str) -> Outcome {
    call_in(home, &words(&format!("compare {options}")))
}

/// Exports layers of the tables of a folder, or of the embedded ones.
fn export(home: &Path, options: &str) {
    let line = format!("export --format vu {options}");
    call_in(home, &words(&line)).success();
}

#[test]
fn exports_compare_equal() {
    let home = tempfile::tempdir().unwrap();
    export(home.path(), "--seeds 6 --out scores.6");
    export(home.path(), "--seeds 0 --out scores.0");
    for options in [
        "scores.6 --format vu --seeds 6",
        "scores.6 --seeds 6",
        "--seeds 6 --most 1 scores.6",
    ] {
        assert_eq!(
            compare(home.path(), options).success(),
            "awari, 6 seeds: scores.6 agrees for 12,375 boards\n"
        );
    }
    assert_eq!(
        compare(home.path(), "scores.0 --seeds 0").success(),
        "awari, 0 seeds: scores.0 agrees for 1 board\n"
    );
}

#[test]
fn differences_are_listed_with_their_boards() {
    let home = tempfile::tempdir().unwrap();
    export(home.path(), "--seeds 6 --out scores.6");
    let file = home.path().join("scores.6");
    let mut scores = fs::read(&file).unwrap();
    scores[2642] = 127;
    fs::write(&file, &scores).unwrap();
    assert_eq!(
        compare(home.path(), "scores.6 --seeds 6").exit_1(),
        "\
awari, 6 seeds: scores.6 differs in 1 of 12,375 boards
        offset  ours  theirs  board
          2642    -6    +127  0 1 2 0 0 0 / 1 0 2 0 0 0
"
    );
    for byte in &mut scores[5000..5030] {
        *byte ^= 1;
    }
    fs::write(&file, &scores).unwrap();
    for (most, shown) in [("", 10), ("--most 3", 3), ("--most 100", 31)] {
        let options = format!("scores.6 --seeds 6 {most}");
        let output = compare(home.path(), &options).exit_1();
        let first = output.lines().next().unwrap();
        assert!(first.contains("in 31 of 12,375 boards"), "{first}");
        let says_how_many = first.ends_with(&format!("; the first {shown}:"));
        assert_eq!(says_how_many, shown < 31, "{first}");
        let offsets = output.lines().skip(2);
        let offsets: Vec<&str> = offsets.map(|line| words(line)[0]).collect();
        assert_eq!(offsets.len(), shown, "{output}");
        assert_eq!(offsets[..3], ["2642", "5000", "5001"]);
    }
    let output = compare(home.path(), "scores.6 --seeds 6 --most 1").exit_1();
    assert!(output.lines().next().unwrap().ends_with("; the first:"));
}

/// A file does not name its ruleset, so only its values can differ.
#[test]
fn json_has_the_differences() {
    let home = tempfile::tempdir().unwrap();
    let exported = call_in(
        home.path(),
        &words("export --format vu --seeds 3 --out scores.3 --json"),
    );
    let exported: Value = serde_json::from_str(&exported.success()).unwrap();
    assert_eq!(
        exported,
        json!({"file": "scores.3", "rules": "awari", "seeds": 3, "boards": 364, "bytes": 364})
    );
    let mut scores = fs::read(home.path().join("scores.3")).unwrap();
    scores[7] ^= 1;
    fs::write(home.path().join("scores.3"), scores).unwrap();
    let answer = compare(home.path(), "scores.3 --seeds 3 --json").exit_1();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        (&answer["boards"], &answer["differing"]),
        (&json!(364), &json!(1))
    );
    let first = &answer["first"][0];
    assert_eq!(
        (&first["offset"], answer["first"].as_array().unwrap().len()),
        (&json!(7), 1)
    );
    // Ours is the value of the board.
    let board = first["board"].to_string();
    let probed = call_in(home.path(), &["probe", "--json", &board]).success();
    let probed: Value = serde_json::from_str(&probed).unwrap();
    assert_eq!(first["ours"], probed["value"]);
}

#[test]
fn files_of_other_rulesets_differ() {
    let home = built("--seeds 5 --rules pratt");
    export(home.path(), "--seeds 5 --out scores.5 --rules pratt");
    compare(home.path(), "scores.5 --seeds 5 --rules pratt").success();
    build_in(home.path(), "--seeds 5");
    let output = compare(home.path(), "scores.5 --seeds 5").exit_1();
    assert!(output.starts_with("awari, 5 seeds: scores.5 differs in "));
}

#[test]
fn invalid_arguments_give_one_sentence() {
    let home = built("--seeds 4");
    export(home.path(), "--seeds 4 --out scores.4");
    fs::create_dir(home.path().join("folder")).unwrap();
    fs::write(home.path().join("empty"), "").unwrap();
    for (options, parts) in [
        (
            "scores.4 --seeds 3",
            ["scores.4 has 1365 bytes", "364 for 3 seeds"],
        ),
        ("empty --seeds 4", ["empty has 0 bytes", "1365 for 4 seeds"]),
        ("nowhere --seeds 4", ["nowhere", "cannot be read"]),
        (
            "scores.4/under --seeds 4",
            ["scores.4/under", "cannot be read"],
        ),
        ("folder --seeds 4", ["folder", "not a file"]),
        (
            "scores.4 --seeds 10",
            ["no value table for awari", "--seeds 10"],
        ),
        ("scores.4 --seeds 47", ["47 seeds", "0 to 46 or 48"]),
        (
            "scores.4 --seeds 4 --rules kalah",
            ["kalah", "oware family"],
        ),
        ("scores.4 --seeds 4 --format csv", ["csv", "vu"]),
        ("scores.4 --seeds 4 --most 0", ["--most", "from 1 to"]),
        ("scores.4 --seeds 4 --most -1", ["--most", "-1"]),
        (
            "scores.4 --seeds 4 --dir nowhere",
            ["nowhere", "not a folder"],
        ),
        ("scores.4", ["--seeds", ""]),
        ("--seeds 4", ["FILE", ""]),
    ] {
        let message = compare(home.path(), options).error();
        for part in parts {
            assert!(message.contains(part), "krou compare {options}: {message}");
        }
    }
}

/// Reading one could block.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    make_pipe(&home.path().join("pipe"));
    for file in ["pipe", "/dev/zero", "/dev/stdin"] {
        let message = compare(home.path(), &format!("{file} --seeds 4")).error();
        assert!(
            message.contains(file) && message.contains("not a file"),
            "{message}"
        );
    }
}
