//! Builds on full disks: they report the reason and leave only whole tables.

use std::fs;
use std::path::Path;

use krou::table::Table;

use crate::program::{isolated, run};
use crate::support::{build_in, built, call_on_full_disk, names, save_checkpoint};

/// Checks that a folder holds only whole tables, and returns their number.
fn count_whole_tables(folder: &Path) -> usize {
    let names = names(folder);
    for name in &names {
        assert!(
            Path::new(name).extension().is_some_and(|e| e == "krou"),
            "{name}"
        );
        let table = Table::open(folder.join(name)).unwrap();
        table.check().unwrap();
        assert_eq!(table.id().file_name(), *name);
    }
    names.len()
}

/// Beyond `ulimit -f` the system sends a signal, which would end the program without a word.
#[test]
fn files_may_be_limited_in_length() {
    let home = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_krou");
    let script = format!("ulimit -f 1; exec {program} build --seeds 6 --codec raw --dir here");
    let outcome = run(isolated("sh", home.path()).args(["-c", &script]));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("File too large"), "{outcome:?}");
    build_in(home.path(), "--seeds 6 --codec raw --dir here");
    assert_eq!(count_whole_tables(&home.path().join("here")), 7);
}

#[test]
fn a_full_disk_leaves_only_whole_tables() {
    let home = tempfile::tempdir().unwrap();
    let outcome = call_on_full_disk(home.path(), 2, "build --seeds 9 --dir tables");
    let message = outcome.stderr;
    assert_eq!(outcome.code, Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("krou: tables/awari-0"), "{message}");
    assert!(message.contains("cannot be written"), "{message}");
    let tables = home.path().join("tables");
    let built = count_whole_tables(&tables);
    assert!((3..9).contains(&built), "{built} layers");
    assert_eq!(built, outcome.stdout.lines().count());
    build_in(home.path(), "--seeds 9");
    assert_eq!(count_whole_tables(&tables), 10);
}

/// The older checkpoint stays, and so do the tables.
#[test]
fn a_build_that_cannot_write_a_checkpoint_ends() {
    let home = built("--seeds 8");
    let tables = home.path().join("tables");
    let last = save_checkpoint(&tables, 9);
    let before = fs::read(&last).unwrap();
    let command = "build --seeds 9 --dir tables --checkpoint=0";
    let outcome = call_on_full_disk(home.path(), 20, command);
    let message = outcome.stderr;
    assert_eq!(outcome.code, Some(2), "{message}");
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "9 seeds: values resumed from a checkpoint");
    let file = "krou: tables/awari-09.value.checkpoint.partial: cannot be written (";
    assert!(lines.len() == 2 && lines[1].starts_with(file), "{message}");
    assert_eq!(fs::read(&last).unwrap(), before);
    fs::remove_file(last).unwrap();
    assert_eq!(count_whole_tables(&tables), 9);
}

/// Spill files are larger than the tables.
#[test]
fn a_build_that_cannot_make_spill_files_keeps_finished_layers() {
    let home = tempfile::tempdir().unwrap();
    let command = "build --seeds 15 --threads 2 --memory 29M --dir tables";
    let outcome = call_on_full_disk(home.path(), 3000, command);
    let message = outcome.stderr;
    assert_eq!(outcome.code, Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("cannot make a spill file of"), "{message}");
    assert!(message.contains("MiB in tables"), "{message}");
    assert!(message.contains("free space there"), "{message}");
    let built = count_whole_tables(&home.path().join("tables"));
    assert!((12..15).contains(&built), "{built} layers");
}
