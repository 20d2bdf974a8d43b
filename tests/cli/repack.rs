//! `krou repack`: what it reports and what it refuses.

use std::fs;

use krou::table::{FolderLock, Table};

#[cfg(target_os = "linux")]
use crate::support::call_on_full_disk;
use crate::support::{build_in, built, call, call_in, files, words};

/// The note on stderr of a successful call.
fn said(place: &tempfile::TempDir, line: &str) -> (String, String) {
    let ended = call_in(place.path(), &words(line));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    (ended.stdout, ended.stderr)
}

#[test]
fn repack_reports_what_it_changed() {
    let place = built("--seeds 6");
    let tables = place.path().join("tables");
    let (told, words) = said(&place, "repack --codec raw");
    let names: Vec<&str> = told.lines().map(|line| &line[..19]).collect();
    let expected: Vec<String> = (0..=6)
        .map(|n| format!("awari-{n:02}.value.krou"))
        .collect();
    assert_eq!(names, expected);
    assert!(words.starts_with("7 tables in tables repacked as raw and checked, 0 kept: "));
    assert!(
        words.ends_with(" now\n") && words.lines().count() == 1,
        "{words}"
    );

    let raw = files(&tables);
    let (told, words) = said(&place, "repack --codec raw --threads 1");
    assert_eq!(told, "");
    assert_eq!(
        words,
        "nothing to do: every table in tables has the codec raw\n"
    );
    assert!(files(&tables) == raw);

    // Layers that are built later have the default codec.
    build_in(place.path(), "--seeds 7");
    let (_, words) = said(&place, "repack --codec raw --dir tables");
    assert!(words.starts_with("1 table in tables repacked as raw and checked, 7 kept: "));
    let (_, words) = said(&place, "repack --codec small");
    assert!(
        words.starts_with("8 tables in tables repacked as small"),
        "{words}"
    );
    assert!(files(&tables) == files(&built("--seeds 7").path().join("tables")));
}

#[test]
fn repack_changes_only_the_named_ruleset() {
    let place = built("--seeds 4");
    build_in(place.path(), "--seeds 4 --rules abapa --distance");
    let (_, words) = said(&place, "repack --codec zstd --rules abapa");
    assert!(
        words.starts_with("15 tables in tables repacked as zstd"),
        "{words}"
    );
    let (_, words) = said(&place, "repack --codec small");
    assert!(words.starts_with("nothing to do"), "{words}");
}

#[test]
fn bad_arguments_are_refused() {
    let place = built("--seeds 5");
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("file"), "Dear diary").unwrap();
    let before = files(&place.path().join("tables"));
    for (line, part) in [
        ("repack", "--codec"),
        ("repack --codec", "--codec"),
        (
            "repack --codec lz4",
            "[possible values: raw, zstd, packed, small]",
        ),
        (
            "repack --codec Raw",
            "[possible values: raw, zstd, packed, small]",
        ),
        ("repack --codec raw --threads 0", "1 to 1024"),
        (
            "repack --codec raw --memory none",
            "a whole number of bytes",
        ),
        (
            "repack --codec raw --memory 1M",
            "but only 1 MiB may be used: allow more memory",
        ),
        (
            "repack --codec raw --dir nowhere",
            "nowhere is not a folder",
        ),
        ("repack --codec raw --dir file", "file is not a folder"),
        (
            "repack --codec raw --dir empty",
            "there are no tables for awari in empty",
        ),
        (
            "repack --codec raw --rules abapa",
            "there are no tables for abapa in tables",
        ),
        ("repack --codec raw tables", "'tables'"),
    ] {
        let said = call_in(place.path(), &words(line)).refused();
        assert!(said.contains(part), "{line}: {said}");
    }
    // Without a folder there is nothing to repack: embedded tables do not change.
    let said = call(&words("repack --codec raw")).refused();
    assert!(said.contains("krou is not a folder"), "{said}");
    assert!(files(&place.path().join("tables")) == before);
}

#[test]
fn gaps_damage_and_locks_are_refused() {
    let place = built("--seeds 5");
    let tables = place.path().join("tables");
    let line = words("repack --codec raw");
    let lock = FolderLock::new(&tables).unwrap();
    let said = call_in(place.path(), &line).refused();
    assert!(said.contains("another krou is at work in tables"), "{said}");
    drop(lock);

    let third = tables.join("awari-03.value.krou");
    let bytes = fs::read(&third).unwrap();
    fs::remove_file(&third).unwrap();
    let before = files(&tables);
    let said = call_in(place.path(), &line).refused();
    assert!(
        said.contains("no value table for awari with 3 seeds"),
        "{said}"
    );
    assert!(
        said.contains("krou build --rules awari --seeds 3"),
        "{said}"
    );
    assert!(files(&tables) == before);

    fs::write(&third, &bytes[..bytes.len() - 1]).unwrap();
    let said = call_in(place.path(), &line).refused();
    assert!(
        said.starts_with("tables/awari-03.value.krou: is cut short"),
        "{said}"
    );
}

/// Tables that fit are repacked, the others stay as they were, and every table is whole.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_every_table_whole() {
    let place = built("--seeds 9 --distance");
    let tables = place.path().join("tables");
    let small = files(&tables);
    let ended = call_on_full_disk(place.path(), 40, "repack --codec raw");
    let said = ended.stderr;
    assert_eq!(ended.code, Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("krou: tables/awari-0"), "{said}");
    assert!(said.contains("cannot be written"), "{said}");
    let after = files(&tables);
    assert!(after.keys().eq(small.keys()));
    let changed = after.iter().filter(|(name, bytes)| small[*name] != **bytes);
    let changed: Vec<_> = changed.map(|(name, _)| name).collect();
    assert!(!changed.is_empty() && changed.len() < 20, "{changed:?}");
    for name in after.keys() {
        Table::open(tables.join(name)).unwrap().check().unwrap();
    }
    call_in(place.path(), &["verify"]).good();
    said_all_raw(&place);
}

#[cfg(target_os = "linux")]
fn said_all_raw(place: &tempfile::TempDir) {
    said(place, "repack --codec raw");
    let raw = built("--seeds 9 --distance --codec raw");
    let [one, other] = [place, &raw].map(|place| files(&place.path().join("tables")));
    assert!(one == other);
}
