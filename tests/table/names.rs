//! Other things under the names of tables, of unfinished files and of the lock:
//! refused, or harmless, and without waiting.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use krou::table::{Codec, Fault, FolderLock, PendingTable, Table, TableError, write};
use krou::tablebase::{OpenError, Tablebase};
use tempfile::TempDir;

use crate::support::{BOUNDS, bounds_file, options, planes};

const NAME: &str = "awale-02.bounds.krou";
const PARTIAL: &str = "awale-02.bounds.krou.partial";
const LOCK: &str = ".krou-build.lock";

/// What `work` answers; to wait for the other end of a pipe would take for ever.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    let patience = Duration::from_secs(20);
    receiver.recv_timeout(patience).expect("it waits")
}

fn write_into(folder: &Path) -> Result<PendingTable, TableError> {
    let folder = folder.to_path_buf();
    soon(move || {
        let planes = planes(BOUNDS);
        write(
            &folder,
            BOUNDS,
            &[&planes[0], &planes[1]],
            &options(Codec::Small, 2),
            &|_| (),
        )
    })
}

fn lock(folder: &Path) -> Result<FolderLock, TableError> {
    let folder = folder.to_path_buf();
    soon(move || FolderLock::new(&folder))
}

/// Makes something at a path.
type Make = fn(&Path);

/// Things that are no files.
fn others() -> [(&'static str, Make); 7] {
    [
        ("pipe", |path| {
            let made = Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        }),
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
                assert!(
                    Command::new("mkfifo")
                        .arg(&pipe)
                        .status()
                        .unwrap()
                        .success()
                );
            }
            symlink("pipe", path).unwrap();
        }),
    ]
}

/// A folder with such a thing in it.
fn with_other(name: &str, make: Make) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    make(&path);
    (folder, path)
}

/// Whether what is there is what was made.
fn is_untouched(path: &Path) -> bool {
    !fs::symlink_metadata(path).unwrap().is_file()
}

#[test]
fn under_the_name_of_a_table() {
    for (what, make) in others() {
        let (folder, path) = with_other(NAME, make);
        let of_table = path.clone();
        let error = soon(move || Table::open(&of_table)).unwrap_err();
        let is_right = match what {
            "link to itself" => matches!(error.fault, Fault::Read { .. }),
            _ => matches!(error.fault, Fault::NotAFile),
        };
        assert!(is_right, "{what}: {error}");
        assert!(error.to_string().contains(NAME));
        let tables = folder.path().to_path_buf();
        let opened = soon(move || Tablebase::open(BOUNDS.rules, &[tables]));
        assert!(
            matches!(opened.err().unwrap(), OpenError::Table(_)),
            "{what}"
        );
        assert!(is_untouched(&path));
    }
}

/// Publishing puts the table there, instead of a link and not through it.
#[test]
fn where_a_table_is_published() {
    for (what, make) in others() {
        let (folder, path) = with_other(NAME, make);
        let published = write_into(folder.path()).and_then(PendingTable::publish);
        if what.ends_with("folder") {
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
    // A file that a link led to stays as it is.
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    symlink("elsewhere", folder.path().join(NAME)).unwrap();
    write_into(folder.path()).unwrap().publish().unwrap();
    assert_eq!(fs::read(&elsewhere).unwrap(), b"mine");
}

#[test]
fn under_the_name_of_an_unfinished_table() {
    for (what, make) in others() {
        let (folder, path) = with_other(PARTIAL, make);
        let error = write_into(folder.path()).unwrap_err();
        assert!(
            matches!(error.fault, Fault::NotARegularFile),
            "{what}: {error}"
        );
        assert_eq!(
            error.to_string(),
            format!(
                "{}: is in the way, because it is not a regular file: move it away",
                path.display()
            )
        );
        assert!(is_untouched(&path), "{what}");
    }
}

#[test]
fn under_the_name_of_the_lock() {
    for (what, make) in others() {
        let (folder, path) = with_other(LOCK, make);
        let error = lock(folder.path()).unwrap_err();
        assert!(
            matches!(error.fault, Fault::NotARegularFile),
            "{what}: {error}"
        );
        assert!(is_untouched(&path), "{what}");
    }
}

/// A link to somebody's file: it is neither emptied nor written to, nor is a file
/// made where a link leads to nothing.
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
        assert!(matches!(attempt().unwrap().fault, Fault::NotARegularFile));
        assert_eq!(fs::read(&mine).unwrap(), b"mine");

        fs::remove_file(&mine).unwrap();
        assert!(matches!(attempt().unwrap().fault, Fault::NotARegularFile));
        assert!(!mine.exists());

        // Nobody is in the way any more.
        fs::remove_file(&link).unwrap();
        assert!(attempt().is_none());
    }
}

/// Links to tables are read: folders are often put together from them.
#[test]
fn links_are_followed_for_reading() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table"), bounds_file(Codec::Small)).unwrap();
    let link = folder.path().join(NAME);
    symlink("table", &link).unwrap();
    Table::open(&link).unwrap().check().unwrap();
}

/// Whatever takes the name of the lock and of the unfinished table while they are
/// at work: nobody waits, and no pipe is written to.
#[test]
fn names_that_change_hands() {
    let folder = tempfile::tempdir().unwrap();
    let (partial, pipe) = (folder.path().join(PARTIAL), folder.path().join("pipe"));
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let stop = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            use std::sync::atomic::Ordering::Relaxed;
            while !stop.load(Relaxed) {
                // A pipe, then a file, then nothing, in quick succession.
                let _ = fs::hard_link(&pipe, &partial);
                let _ = fs::remove_file(&partial);
                let _ = fs::File::create_new(&partial);
                let _ = fs::remove_file(&partial);
            }
        });
        for _ in 0..200 {
            if let Err(error) = write_into(folder.path()) {
                let is_right = matches!(
                    error.fault,
                    Fault::NotARegularFile | Fault::Busy | Fault::Write { .. }
                );
                assert!(is_right, "{error}");
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
