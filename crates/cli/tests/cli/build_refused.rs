//! Builds that fail: they report the reason and leave only whole tables.

use std::fs;
use std::path::Path;

use krou::table::Table;

use crate::program::{isolated, run};
#[cfg(target_os = "linux")]
use crate::support::call_on_full_disk;
use crate::support::{build_in, built, call_in, names, save_checkpoint, words};

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

#[test]
fn builds_that_exceed_the_memory_limit_create_nothing() {
    let home = tempfile::tempdir().unwrap();
    for memory in ["0", "1B", "1K", "1"] {
        let args = ["build", "--seeds", "5", "--memory", memory];
        let message = call_in(home.path(), &args).error();
        assert!(
            message.contains("memory") && message.contains("MiB"),
            "{message}"
        );
    }
    // A build that cannot be finished does not start.
    let args = words("build --seeds 24 --threads 1 --memory 32M --dir some/where");
    let message = call_in(home.path(), &args).error();
    assert!(message.contains("but only 32 MiB may be used"), "{message}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    // An existing folder is left as it was.
    build_in(
        home.path(),
        "--seeds 5 --memory 32M --threads 1 --dir some/where",
    );
    assert_eq!(call_in(home.path(), &args).error(), message);
    assert_eq!(count_whole_tables(&home.path().join("some/where")), 6);
}

#[test]
fn invalid_arguments_create_no_folder() {
    let home = tempfile::tempdir().unwrap();
    for options in [
        "",
        "--seeds 49",
        "--seeds 3 --threads 0",
        "--seeds 3 --memory lots",
        "--seeds 3 --codec lz4",
        "--seeds 3 --rules awri",
        "--seeds 3 --rules kalah --endless even",
    ] {
        let line = format!("build --dir new {options}");
        call_in(home.path(), &words(&line)).error();
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_no_folder() {
    let home = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", home.path().join("link")).unwrap();
    let args = words("build --seeds 3 --dir link");
    let message = call_in(home.path(), &args).error();
    assert!(message.contains("(it is a link to nothing)"), "{message}");
}

/// Beyond `ulimit -f` the system sends a signal, which would end the program without a word.
#[cfg(target_os = "linux")]
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
fn a_file_in_place_of_the_folder_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("file"), "not a table").unwrap();
    for dir in ["file", "file/under"] {
        let args = ["build", "--seeds", "3", "--dir", dir];
        let message = call_in(home.path(), &args).error();
        assert!(message.contains(dir), "{message}");
    }
    let left = fs::read_to_string(home.path().join("file")).unwrap();
    assert_eq!(left, "not a table");
}

#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
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
