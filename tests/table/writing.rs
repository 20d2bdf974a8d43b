//! A table appears in its folder whole or not at all.

use std::fs;
use std::path::Path;

use krou::internal::table::{Fault, PendingTable, write};
use krou::table::{Codec, Table, TableError, WriteOptions};

use crate::files::names;
use crate::support::{BOUNDS, bounds_file, options, planes};

const NAME: &str = "awale-02.bounds.krou";
const PARTIAL: &str = "awale-02.bounds.krou.partial";

fn write_bounds(folder: &Path) -> Result<PendingTable, TableError> {
    let planes = planes(BOUNDS);
    write(
        folder,
        BOUNDS,
        &[&planes[0], &planes[1]],
        &options(Codec::Zstd, 16),
        &|_| Ok(()),
    )
}

#[test]
fn unpublished_tables_are_not_visible() {
    let folder = tempfile::tempdir().unwrap();
    let pending = write_bounds(folder.path()).unwrap();
    assert_eq!(names(folder.path()), [PARTIAL]);
    drop(pending);
    assert!(names(folder.path()).is_empty());

    let path = write_bounds(folder.path()).unwrap().publish().unwrap();
    assert_eq!(path, folder.path().join(NAME));
    assert_eq!(names(folder.path()), [NAME]);
}

#[test]
fn replaced_tables_stay_readable_while_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_bounds(folder.path()).unwrap().publish().unwrap();
    let old = Table::open(&path).unwrap();
    let planes = planes(BOUNDS);
    let pending = write(
        folder.path(),
        BOUNDS,
        &[&planes[0], &planes[1]],
        &options(Codec::Raw, 10),
        &|_| Ok(()),
    );
    pending.unwrap().publish().unwrap();
    let new = Table::open(&path).unwrap();
    assert_eq!((old.block_count(), new.block_count()), (5, 8));
    old.check().unwrap();
    new.check().unwrap();
}

/// Even if they are longer than the new one.
#[test]
fn partial_files_of_killed_runs_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(PARTIAL), vec![1; 100_000]).unwrap();
    let path = write_bounds(folder.path()).unwrap().publish().unwrap();
    assert_eq!(names(folder.path()), [NAME]);
    assert!(fs::read(path).unwrap() == bounds_file(Codec::Zstd));
}

#[test]
fn a_second_writer_of_a_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = write_bounds(folder.path()).unwrap();
    let error = write_bounds(folder.path()).unwrap_err();
    assert!(matches!(error.fault(), Fault::Busy), "{error}");
    // The second writer did not remove the first one's file.
    let path = first.publish().unwrap();
    Table::open(&path).unwrap().check().unwrap();
    drop(write_bounds(folder.path()).unwrap());
}

/// Each thread either publishes the table or gets `Busy`; the file is always sound.
#[test]
fn many_writers_publish_only_sound_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_bounds(folder.path()).unwrap().publish().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..20 {
                    match write_bounds(folder.path()) {
                        Ok(pending) => drop(pending.publish().unwrap()),
                        Err(error) => assert!(matches!(error.fault(), Fault::Busy), "{error}"),
                    }
                }
            });
        }
        for _ in 0..100 {
            Table::open(&path).unwrap().check().unwrap();
        }
    });
    assert_eq!(names(folder.path()), [NAME]);
}

#[test]
fn unwritable_folders_are_errors_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let error = write_bounds(&missing).unwrap_err().to_string();
    assert!(error.contains(PARTIAL), "{error}");
    assert!(error.ends_with(": make the folder first"), "{error}");

    // Windows does not tell a file from a folder that is missing.
    if cfg!(windows) {
        return;
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = write_bounds(&file).unwrap_err().to_string();
    assert!(
        error.ends_with(": choose a folder that you can write to"),
        "{error}"
    );
    assert_eq!(names(folder.path()), ["file"]);
}

/// `/sys` is read-only even for root.
#[cfg(target_os = "linux")]
#[test]
fn read_only_folders_are_errors_with_advice() {
    let error = write_bounds(Path::new("/sys")).unwrap_err().to_string();
    assert!(
        error.ends_with(": choose a folder that you can write to"),
        "{error}"
    );
}

#[test]
fn folders_named_like_the_table_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    fs::create_dir(&path).unwrap();
    let error = write_bounds(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with(": move the folder of that name away"),
        "{error}"
    );
    fs::remove_dir(&path).unwrap();

    // And one that appears before the table is published.
    let pending = write_bounds(folder.path()).unwrap();
    fs::create_dir(&path).unwrap();
    let error = pending.publish().unwrap_err().to_string();
    assert!(
        error.ends_with(": move the folder of that name away"),
        "{error}"
    );
    assert_eq!(names(folder.path()), [NAME]);
    assert!(path.is_dir());
}

#[test]
fn unreadable_files_are_errors_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Table::open(folder.path().join(NAME))
        .unwrap_err()
        .to_string();
    assert!(missing.contains(NAME), "{missing}");
    assert!(missing.ends_with(": build the table, or look in another folder"));
    let error = Table::open(folder.path()).unwrap_err();
    assert!(matches!(error.fault(), Fault::NotAFile));
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    let error = Table::open(&empty).unwrap_err();
    assert!(
        matches!(error.fault(), Fault::Truncated { got: 0, .. }),
        "{error}"
    );
}

#[test]
#[should_panic(expected = "blocks of 0")]
fn block_sizes_of_0_panic() {
    let folder = tempfile::tempdir().unwrap();
    let planes = planes(BOUNDS);
    let options = WriteOptions {
        block_size: Some(0),
        ..WriteOptions::default()
    };
    let _ = write(
        folder.path(),
        BOUNDS,
        &[&planes[0], &planes[1]],
        &options,
        &|_| Ok(()),
    );
}
