//! `krou compare`: equal values, differences, and files that it refuses.

use std::fs;
use std::path::Path;

use crate::support::{Ended, built, call_in, words};

fn compare(place: &Path, options: &str) -> Ended {
    call_in(place, &words(&format!("compare {options}")))
}

/// Exports layers of the tables of a folder, or of the embedded ones.
fn export(place: &Path, options: &str) {
    let line = format!("export --format vu {options}");
    call_in(place, &words(&line)).good();
}

#[test]
fn exports_compare_equal() {
    let place = tempfile::tempdir().unwrap();
    export(place.path(), "--seeds 6 --out scores.6");
    export(place.path(), "--seeds 0 --out scores.0");
    for options in [
        "scores.6 --format vu --seeds 6",
        "scores.6 --seeds 6",
        "--seeds 6 --most 1 scores.6",
    ] {
        assert_eq!(
            compare(place.path(), options).good(),
            "awari, 6 seeds: scores.6 agrees for all 12375 boards\n"
        );
    }
    assert_eq!(
        compare(place.path(), "scores.0 --seeds 0").good(),
        "awari, 0 seeds: scores.0 agrees for the only board\n"
    );
}

#[test]
fn differences_are_listed_with_their_boards() {
    let place = tempfile::tempdir().unwrap();
    export(place.path(), "--seeds 6 --out scores.6");
    let file = place.path().join("scores.6");
    let mut scores = fs::read(&file).unwrap();
    scores[2642] = 127;
    fs::write(&file, &scores).unwrap();
    assert_eq!(
        compare(place.path(), "scores.6 --seeds 6").no(),
        "\
awari, 6 seeds: scores.6 differs in 1 of 12375 boards
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
        let told = compare(place.path(), &options).no();
        let first = told.lines().next().unwrap();
        assert!(first.contains("in 31 of 12375 boards"), "{first}");
        let says_so = first.ends_with(&format!("; the first {shown}:"));
        assert_eq!(says_so, shown < 31, "{first}");
        let offsets = told.lines().skip(2);
        let offsets: Vec<&str> = offsets.map(|line| words(line)[0]).collect();
        assert_eq!(offsets.len(), shown, "{told}");
        assert_eq!(offsets[..3], ["2642", "5000", "5001"]);
    }
    let told = compare(place.path(), "scores.6 --seeds 6 --most 1").no();
    assert!(told.lines().next().unwrap().ends_with("; the first:"));
}

/// A file does not say its ruleset, so only its values can differ.
#[test]
fn other_rulesets_differ() {
    let place = built("--seeds 5 --rules pratt");
    export(place.path(), "--seeds 5 --out scores.5 --rules pratt");
    let same = compare(place.path(), "scores.5 --seeds 5 --rules pratt");
    same.good();
    crate::support::build_in(place.path(), "--seeds 5");
    let told = compare(place.path(), "scores.5 --seeds 5").no();
    assert!(told.starts_with("awari, 5 seeds: scores.5 differs in "));
}

#[test]
fn bad_comparisons_give_one_sentence() {
    let place = built("--seeds 4");
    export(place.path(), "--seeds 4 --out scores.4");
    fs::create_dir(place.path().join("folder")).unwrap();
    fs::write(place.path().join("empty"), "").unwrap();
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
            "scores.4 --seeds 5",
            ["no value table for awari", "--seeds 5"],
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
        let said = compare(place.path(), options).refused();
        for part in parts {
            assert!(said.contains(part), "krou compare {options}: {said}");
        }
    }
}

/// Neither is read, which could block.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for file in ["pipe", "/dev/zero", "/dev/stdin"] {
        let said = compare(place.path(), &format!("{file} --seeds 4")).refused();
        assert!(said.contains(file) && said.contains("not a file"), "{said}");
    }
}

/// The damage is in the table, not in the file.
#[test]
fn a_damaged_table_is_an_error() {
    let place = built("--seeds 4");
    export(place.path(), "--seeds 4 --out scores.4");
    let table = place.path().join("tables/awari-04.value.krou");
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 4;
    fs::write(&table, &bytes).unwrap();
    let said = compare(place.path(), "scores.4 --seeds 4").refused();
    assert!(said.contains("awari-04.value.krou"), "{said}");
}
