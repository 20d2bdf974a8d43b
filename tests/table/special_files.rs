//! Links, pipes, folders and other special files with the names of tables, partial files and
//! the lock: they are rejected or harmless, and nothing waits for them.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use krou::internal::table::{Fault, FolderLock, PendingTable, write};
use krou::table::{Codec, Table, TableError};
use krou::tablebase::Tablebase;
use tempfile::TempDir;

use crate::files::make_pipe;
use crate::support::{BOUNDS, bounds_file, options, planes};

const NAME: &str = "awale-02.bounds.krou";
const PARTIAL: &str = "awale-02.bounds.krou.partial";
const LOCK: &str = ".krou-build.lock";

/// The result of `work`, which must not wait for the other end of a pipe.
fn with_timeout<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    let limit = Duration::from_secs(20);
    receiver.recv_timeout(limit).expect("a result in time")
}

fn write_into(folder: &Path) -> Result<PendingTable, TableError> {
    let folder = folder.to_path_buf();
    with_timeout(move || {
        let planes = planes(BOUNDS);
        write(
            &folder,
            BOUNDS,
            &[&planes[0], &planes[1]],
            &options(Codec::Small, 2),
            &|_| Ok(()),
        )
    })
}

fn lock(folder: &Path) -> Result<FolderLock, TableError> {
    let folder = folder.to_path_buf();
    with_timeout(move || FolderLock::new(&folder))
}

/// Creates something at a path.
type Make = fn(&Path);

/// Special files and how to create them.
fn special_files() -> [(&'static str, Make); 7] {
    [
        ("pipe", make_pipe),
        ("socket", |path| {
            std::os::unix::net::UnixListener::bind(path).unwrap();
        }),
        ("folder", |path| fs::create_dir(path).unwrap()),
        ("link to a device", |path| {
            symlink("/dev/zero", path).unwrap();
        }),
        ("link to a folder", |path| symlink("/", path).unwrap()),
        ("link to itself", |path| {
            symlink(path.file_name().unwrap(), path).unwrap();
        }),
        ("link to a pipe", |path| {
            let pipe = path.with_file_name("pipe");
            if !pipe.exists() {
                make_pipe(&pipe);
            }
            symlink("pipe", path).unwrap();
        }),
    ]
}

/// A folder with a special file.
fn folder_with(name: &str, make: Make) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    make(&path);
    (folder, path)
}

/// Whether the path is still not a regular file.
fn is_untouched(path: &Path) -> bool {
    !fs::symlink_metadata(path).unwrap().is_file()
}

#[test]
fn special_files_named_like_a_table_are_not_opened() {
    for (name, make) in special_files() {
        let (folder, path) = folder_with(NAME, make);
        let of_table = path.clone();
        let error = with_timeout(move || Table::open(&of_table)).unwrap_err();
        let is_right = match name {
            "link to itself" => matches!(error.fault(), Fault::Read { .. }),
            _ => matches!(error.fault(), Fault::NotAFile),
        };
        assert!(is_right, "{name}: {error}");
        assert!(error.to_string().contains(NAME));
        let tables = folder.path().to_path_buf();
        let opened = with_timeout(move || {
            Tablebase::builder(BOUNDS.rules)
                .without_embedded()
                .folder(tables)
                .open()
        });
        let opened = opened.unwrap();
        let damaged: Vec<_> = opened
            .damaged_tables()
            .map(krou::table::TableError::file)
            .collect();
        assert_eq!(damaged, [&path], "{name}");
        assert!(is_untouched(&path));
    }
}

/// Publishing replaces a link and does not follow it.
#[test]
fn publishing_replaces_special_files() {
    for (name, make) in special_files() {
        let (folder, path) = folder_with(NAME, make);
        let published = write_into(folder.path()).and_then(PendingTable::publish);
        if name.ends_with("folder") {
            published.unwrap_err();
            assert!(is_untouched(&path));
        } else {
            published.unwrap();
            assert!(
                fs::read(&path).unwrap() == {
                    let good = write_into(folder.path()).unwrap().publish().unwrap();
                    fs::read(good).unwrap()
                }
            );
        }
    }
    // The target of a link does not change.
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    symlink("elsewhere", folder.path().join(NAME)).unwrap();
    write_into(folder.path()).unwrap().publish().unwrap();
    assert_eq!(fs::read(&elsewhere).unwrap(), b"mine");
}

#[test]
fn special_files_named_like_a_partial_file_are_rejected() {
    for (name, make) in special_files() {
        let (folder, path) = folder_with(PARTIAL, make);
        let error = write_into(folder.path()).unwrap_err();
        assert!(
            matches!(error.fault(), Fault::NotARegularFile),
            "{name}: {error}"
        );
        assert_eq!(
            error.to_string(),
            format!(
                "{}: is in the way, because it is not a regular file: move it away",
                path.display()
            )
        );
        assert!(is_untouched(&path), "{name}");
    }
}

#[test]
fn special_files_named_like_the_lock_are_rejected() {
    for (name, make) in special_files() {
        let (folder, path) = folder_with(LOCK, make);
        let error = lock(folder.path()).unwrap_err();
        assert!(
            matches!(error.fault(), Fault::NotARegularFile),
            "{name}: {error}"
        );
        assert!(is_untouched(&path), "{name}");
    }
}

/// The target of a link is neither emptied nor written to, and not created if it is
/// missing.
#[test]
fn links_are_not_followed_for_writing() {
    for name in [PARTIAL, LOCK] {
        let folder = tempfile::tempdir().unwrap();
        let mine = folder.path().join("mine");
        fs::write(&mine, "mine").unwrap();
        let link = folder.path().join(name);
        let attempt = || match name {
            PARTIAL => write_into(folder.path()).err(),
            _ => lock(folder.path()).err(),
        };
        symlink("mine", &link).unwrap();
        assert!(matches!(attempt().unwrap().fault(), Fault::NotARegularFile));
        assert_eq!(fs::read(&mine).unwrap(), b"mine");

        fs::remove_file(&mine).unwrap();
        assert!(matches!(attempt().unwrap().fault(), Fault::NotARegularFile));
        assert!(!mine.exists());

        // Without the link it succeeds.
        fs::remove_file(&link).unwrap();
        assert!(attempt().is_none());
    }
}

/// Folders are often assembled from links.
#[test]
fn links_are_followed_for_reading() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table"), bounds_file(Codec::Small)).unwrap();
    let link = folder.path().join(NAME);
    symlink("table", &link).unwrap();
    Table::open(&link).unwrap().check().unwrap();
}
