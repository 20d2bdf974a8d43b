//! `krou repack`: its output and its errors.

use std::fs;

use krou::internal::table::FolderLock;
use tempfile::TempDir;

use crate::support::{build_in, built, call, call_in, files, words};

/// The stdout and stderr of a successful call.
fn output_of(home: &TempDir, line: &str) -> (String, String) {
    let outcome = call_in(home.path(), &words(line));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    (outcome.stdout, outcome.stderr)
}

#[test]
fn repack_reports_what_it_changed() {
    let home = built("--seeds 6");
    let tables = home.path().join("tables");
    let (listed, note) = output_of(&home, "repack --codec raw");
    let names: Vec<&str> = listed.lines().map(|line| &line[..19]).collect();
    let expected: Vec<String> = (0..=6)
        .map(|n| format!("awari-{n:02}.value.krou"))
        .collect();
    assert_eq!(names, expected);
    assert!(note.starts_with("7 tables in tables repacked as raw and read back, 0 kept: "));
    assert!(
        note.ends_with(" now\n") && note.lines().count() == 1,
        "{note}"
    );

    let raw = files(&tables);
    let (listed, note) = output_of(&home, "repack --codec raw --threads 1");
    assert_eq!(listed, "");
    assert_eq!(
        note,
        "nothing to do: every table in tables has the codec raw; 'krou verify' checks them\n"
    );
    assert!(files(&tables) == raw);

    // Layers that are built later have the default codec.
    build_in(home.path(), "--seeds 7");
    let (_, note) = output_of(&home, "repack --codec raw --dir tables");
    assert!(note.starts_with("1 table in tables repacked as raw and read back, 7 kept: "));
    let (_, note) = output_of(&home, "repack --codec small");
    assert!(
        note.starts_with("8 tables in tables repacked as small"),
        "{note}"
    );
    assert!(files(&tables) == files(&built("--seeds 7").path().join("tables")));
}

#[test]
fn repack_changes_only_the_named_ruleset() {
    let home = built("--seeds 4");
    build_in(home.path(), "--seeds 4 --rules abapa --distance");
    let (_, note) = output_of(&home, "repack --codec zstd --rules abapa");
    assert!(
        note.starts_with("15 tables in tables repacked as zstd"),
        "{note}"
    );
    let (_, note) = output_of(&home, "repack --codec small");
    assert!(note.starts_with("nothing to do"), "{note}");
}

#[test]
fn invalid_arguments_are_rejected() {
    let home = built("--seeds 5");
    fs::create_dir(home.path().join("empty")).unwrap();
    fs::write(home.path().join("file"), "not a table").unwrap();
    let before = files(&home.path().join("tables"));
    for (line, part) in [
        ("", "--codec"),
        ("--codec", "--codec"),
        ("--codec lz4", "[possible values: raw, zstd, packed, small]"),
        ("--codec Raw", "[possible values: raw, zstd, packed, small]"),
        ("--codec raw --threads 0", "1 to 1024"),
        ("--codec raw --memory none", "a whole number of MiB"),
        ("--codec raw --memory 1M", "only 1 MiB may be used: allow"),
        ("--codec raw --dir nowhere", "nowhere is not a folder"),
        ("--codec raw --dir file", "file is not a folder"),
        ("--codec raw --dir empty", "no tables for awari in empty"),
        ("--codec raw --rules abapa", "no tables for abapa in tables"),
        ("--codec raw tables", "'tables'"),
    ] {
        let message = call_in(home.path(), &words(&format!("repack {line}"))).error();
        assert!(message.contains(part), "{line}: {message}");
    }
    // Without a folder there is nothing to repack: embedded tables cannot change.
    let message = call(&words("repack --codec raw")).error();
    assert!(message.contains("krou is not a folder"), "{message}");
    assert!(files(&home.path().join("tables")) == before);
}

#[test]
fn gaps_damage_and_locks_are_reported() {
    let home = built("--seeds 5");
    let tables = home.path().join("tables");
    let line = words("repack --codec raw");
    let lock = FolderLock::new(&tables).unwrap();
    let message = call_in(home.path(), &line).error();
    assert!(
        message.contains("another krou is at work in tables"),
        "{message}"
    );
    drop(lock);

    let third = tables.join("awari-03.value.krou");
    let bytes = fs::read(&third).unwrap();
    fs::remove_file(&third).unwrap();
    let before = files(&tables);
    let message = call_in(home.path(), &line).error();
    assert!(
        message.contains("no value table for awari with 3 seeds"),
        "{message}"
    );
    assert!(
        message.contains("krou build --rules awari --seeds 3"),
        "{message}"
    );
    assert!(files(&tables) == before);

    fs::write(&third, &bytes[..bytes.len() - 1]).unwrap();
    let message = call_in(home.path(), &line).error();
    assert!(
        message.starts_with("tables/awari-03.value.krou: is cut short"),
        "{message}"
    );
}
