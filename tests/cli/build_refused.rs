//! Builds that fail: they give the reason and leave only whole tables.

use std::fs;
use std::path::Path;

use krou::table::Table;

#[cfg(target_os = "linux")]
use crate::support::call_on_full_disk;
use crate::support::{build_in, built, call_in, names, save_checkpoint, words};

/// The number of tables in a folder, which must be whole and the only files.
fn check_whole(folder: &Path) -> usize {
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
fn too_little_memory_is_refused_before_solving() {
    let place = tempfile::tempdir().unwrap();
    for memory in ["0", "1", "1K", "1M"] {
        let args = ["build", "--seeds", "5", "--memory", memory];
        let said = call_in(place.path(), &args).refused();
        assert!(said.contains("memory") && said.contains("MiB"), "{said}");
    }
    // A build that cannot be finished does not start.
    let args = words("build --seeds 24 --threads 1 --memory 32M --dir some");
    let said = call_in(place.path(), &args).refused();
    assert!(said.contains("but only 32 MiB may be used"), "{said}");
    assert_eq!(check_whole(&place.path().join("some")), 0);
    build_in(
        place.path(),
        "--seeds 5 --memory 32M --threads 1 --dir some",
    );
}

#[test]
fn a_file_as_the_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "Dear diary").unwrap();
    for dir in ["file", "file/under"] {
        let args = ["build", "--seeds", "3", "--dir", dir];
        let said = call_in(place.path(), &args).refused();
        assert!(said.contains(dir), "{said}");
    }
    let left = fs::read_to_string(place.path().join("file")).unwrap();
    assert_eq!(left, "Dear diary");
}

#[test]
fn a_folder_as_a_table_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for taken in [
        "awari-02.value.krou",
        "awari-02.value.krou.partial",
        ".krou-build.lock",
    ] {
        let tables = place.path().join("tables");
        fs::create_dir_all(tables.join(taken)).unwrap();
        let ended = call_in(place.path(), &words("build --seeds 3"));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
        assert!(ended.stderr.starts_with("krou: "), "{ended:?}");
        fs::remove_dir(tables.join(taken)).unwrap();
        check_whole(&tables);
        fs::remove_dir_all(&tables).unwrap();
    }
}

/// Folders in which nobody can create files, not even the superuser.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for dir in ["/proc", "/proc/krou-tables", "/sys/krou-tables"] {
        let args = ["build", "--seeds", "3", "--dir", dir];
        let said = call_in(place.path(), &args).refused();
        assert!(said.contains(dir), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_partial_table() {
    let place = tempfile::tempdir().unwrap();
    let ended = call_on_full_disk(place.path(), 2, "build --seeds 9 --dir tables");
    let said = ended.stderr;
    assert_eq!(ended.code, Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("krou: tables/awari-0"), "{said}");
    assert!(said.contains("cannot be written"), "{said}");
    let tables = place.path().join("tables");
    let built = check_whole(&tables);
    assert!((3..9).contains(&built), "{built} layers");
    assert_eq!(built, ended.stdout.lines().count());
    build_in(place.path(), "--seeds 9");
    assert_eq!(check_whole(&tables), 10);
}

/// The same for a checkpoint: the older one stays, and so do the tables.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_checkpoint_ends_the_build() {
    let place = built("--seeds 8");
    let tables = place.path().join("tables");
    let last = save_checkpoint(&tables, 9);
    let before = fs::read(&last).unwrap();
    let command = "build --seeds 9 --dir tables --checkpoint=0";
    let ended = call_on_full_disk(place.path(), 20, command);
    let said = ended.stderr;
    assert_eq!(ended.code, Some(2), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "9 seeds: values resumed from a checkpoint");
    let file = "krou: tables/awari-09.value.checkpoint.partial: cannot be written (";
    assert!(lines.len() == 2 && lines[1].starts_with(file), "{said}");
    assert_eq!(fs::read(&last).unwrap(), before);
    fs::remove_file(last).unwrap();
    assert_eq!(check_whole(&tables), 9);
}

/// The same for spill files, which are larger than the tables.
#[cfg(target_os = "linux")]
#[test]
fn spill_files_that_do_not_fit_keep_finished_layers() {
    let place = tempfile::tempdir().unwrap();
    let command = "build --seeds 15 --threads 2 --memory 26M --dir tables";
    let ended = call_on_full_disk(place.path(), 3000, command);
    let said = ended.stderr;
    assert_eq!(ended.code, Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("spill files in tables"), "{said}");
    assert!(said.contains("free space there"), "{said}");
    let built = check_whole(&place.path().join("tables"));
    assert!((12..15).contains(&built), "{built} layers");
}
