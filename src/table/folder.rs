//! A folder of tables: the files in it, files that appear in one step, and its lock.
//!
//! A file that appears in one step is written under another name and renamed, or removed. The
//! other name is always the same, so a killed run leaves at most one such file, which the next
//! run takes over. A lock keeps two writers apart. One of them may rename the file between the
//! other's opening and locking it; therefore a writer that gets the lock checks that the name
//! still belongs to the file.
//!
//! Anything but a regular file under that name is refused and left alone: a link
//! might lead to a file that must not be emptied, and a pipe or a device cannot be
//! renamed over a table.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::table::error::{Fault, TableError};

/// The tables of a folder, by name: all its files that end in `.krou`.
///
/// # Errors
/// If the folder cannot be read.
pub fn table_files(folder: impl AsRef<Path>) -> io::Result<Vec<PathBuf>> {
    let paths = folder.as_ref().read_dir()?;
    let mut paths = paths
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "krou"));
    paths.sort();
    Ok(paths)
}

/// Writes a small file in one step; one that is there is replaced. It is not synced: readers see
/// by its content whether it is whole.
///
/// # Errors
/// If it cannot be written, or another writer is at it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    let mut partial_path = path.as_os_str().to_owned();
    partial_path.push(".partial");
    let written = Partial::create(partial_path.into()).and_then(|partial| {
        let written = partial.file().write_all(bytes);
        written
            .and_then(|()| partial.rename(path))
            .map_err(Fault::writing)
    });
    written.map_err(|fault| fault.of(path))
}

/// How often a writer starts over because the file was renamed meanwhile.
const ATTEMPTS: usize = 8;

/// An unfinished file, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
    file: File,
    /// Whether other writers are kept out: not where the file system has no locks.
    is_locked: bool,
    /// Whether it stays where it is when it is dropped.
    stays: bool,
}

impl Partial {
    /// An empty file at `path`, locked if the file system supports locks.
    pub fn create(path: PathBuf) -> Result<Partial, Fault> {
        let partial = Partial::open(path)?;
        partial.empty().map_err(Fault::writing)?;
        Ok(partial)
    }

    /// As [`Partial::create`], with what an earlier run has written; it stays when it is
    /// dropped, for the next run.
    pub fn resume(path: PathBuf) -> Result<Partial, Fault> {
        let mut partial = Partial::open(path)?;
        partial.stays = true;
        Ok(partial)
    }

    fn open(path: PathBuf) -> Result<Partial, Fault> {
        for _ in 0..ATTEMPTS {
            let Some(file) = open(&path)? else {
                continue;
            };
            let is_locked = lock(&file)?;
            if is_name_of(&path, &file).map_err(Fault::writing)? {
                return Ok(Partial {
                    path,
                    file,
                    is_locked,
                    stays: false,
                });
            }
        }
        Err(Fault::Busy)
    }

    /// Discards what a killed run has written.
    fn empty(&self) -> io::Result<()> {
        if self.file.metadata()?.len() > 0 {
            self.file.set_len(0)?;
        }
        Ok(())
    }

    /// Removes the file.
    pub fn remove(mut self) {
        self.stays = false;
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its final name, in the same folder. Its content must have been
    /// synced before.
    pub fn publish(self, target: &Path) -> io::Result<()> {
        self.rename(target)?;
        sync_folder(parent_of(target))
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target).map_err(|error| match error.kind() {
            // So Windows refuses to replace a folder.
            io::ErrorKind::PermissionDenied if target.is_dir() => {
                io::ErrorKind::IsADirectory.into()
            }
            _ => error,
        })?;
        self.stays = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.stays {
            // An error cannot be reported here; the next run takes the file over.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Keeps other holders of such a lock out of a folder as long as it lives. It is a
/// file in the folder and removed with the lock; what a killed holder left does not
/// count.
///
/// On a file system without locks nobody is kept out.
#[derive(Debug)]
#[must_use = "the lock is released as soon as it is dropped"]
pub struct FolderLock {
    file: Partial,
}

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    /// [`Fault::Busy`] if another process holds the lock;
    /// another fault if the folder is missing or cannot be written to.
    pub fn new(folder: impl AsRef<Path>) -> Result<FolderLock, TableError> {
        let path = folder.as_ref().join(".krou-build.lock");
        match Partial::create(path.clone()) {
            Ok(file) => Ok(FolderLock { file }),
            Err(fault) => Err(fault.of(path)),
        }
    }

    /// Whether the lock keeps others out: not where the file system has no locks.
    pub fn is_locked(&self) -> bool {
        self.file.is_locked
    }

    /// Whether this is still the folder that was locked, and no other one of its name.
    ///
    /// # Errors
    /// If the system cannot tell.
    pub fn is_there(&self) -> io::Result<bool> {
        is_name_of(&self.file.path, &self.file.file)
    }
}

/// Creates a folder and its parents as far as they are missing, and syncs each folder
/// that got a new entry: without that, a power cut could lose a new folder with all
/// that was synced in it.
pub(crate) fn create_folder_synced(folder: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    let mut existing = folder;
    while !existing.as_os_str().is_empty() && !existing.try_exists()? {
        if existing.is_symlink() {
            return Err(io::Error::other("it is a link to nothing"));
        }
        missing.push(existing);
        existing = parent_of(existing);
    }
    fs::create_dir_all(folder)?;
    missing
        .into_iter()
        .try_for_each(|folder| sync_folder(parent_of(folder)))
}

/// The folder that a path is in.
fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Opens a file, which may be new; `None` if it has just been removed.
fn open(path: &Path) -> Result<Option<File>, Fault> {
    // This follows no link.
    match File::create_new(path) {
        Ok(file) => return Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        Err(error) => return Err(Fault::writing(error)),
    }
    // For reading too: if a pipe takes the name at this moment, opening does not wait
    // for its other end.
    let reopen = || OpenOptions::new().read(true).write(true).open(path);
    let found = must_be_file(fs::symlink_metadata(path));
    let file = match found.and_then(|()| reopen().map_err(Fault::writing)) {
        Err(Fault::Write { cause }) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    must_be_file(file.metadata())?;
    Ok(Some(file))
}

fn must_be_file(found: io::Result<Metadata>) -> Result<(), Fault> {
    match found.map_err(Fault::writing)?.is_file() {
        true => Ok(()),
        false => Err(Fault::NotARegularFile),
    }
}

/// Locks a file; `false` where the file system has no locks, as some network file systems.
fn lock(file: &File) -> Result<bool, Fault> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(Fault::Busy),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(false),
        Err(TryLockError::Error(error)) => Err(Fault::writing(error)),
    }
}

fn has_no_locks(error: &io::Error) -> bool {
    // So NFS answers where no daemon for locks runs.
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ENOLCK) {
        return true;
    }
    error.kind() == io::ErrorKind::Unsupported
}

#[cfg(unix)]
fn is_name_of(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(windows)]
fn is_name_of(path: &Path, file: &File) -> io::Result<bool> {
    use same_file::Handle;
    let opened = Handle::from_file(file.try_clone()?)?;
    match Handle::from_path(path) {
        Ok(named) => Ok(named == opened),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Other systems have neither file numbers nor locks: there must not be two writers.
#[cfg(not(any(unix, windows)))]
fn is_name_of(_: &Path, _: &File) -> io::Result<bool> {
    Ok(true)
}

/// A rename lasts through a power cut once its folder is synced.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Folders cannot be opened for syncing here.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_any_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other, moved] = ["one", "other", "moved"].map(|name| folder.path().join(name));
        let file = File::create(&one).unwrap();
        assert!(!is_name_of(&other, &file).unwrap());
        fs::hard_link(&one, &other).unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        let by_detour = folder.path().join("below").join("..").join("other");
        for name in [&one, &other, &by_detour] {
            assert!(is_name_of(name, &file).unwrap(), "{}", name.display());
        }
        // Another file takes the name.
        fs::rename(&one, &moved).unwrap();
        assert!(!is_name_of(&one, &file).unwrap());
        File::create(&one).unwrap();
        assert!(!is_name_of(&one, &file).unwrap());
        assert!(is_name_of(&other, &file).unwrap());
    }

    #[test]
    fn a_lock_knows_its_folder() {
        let parent = tempfile::tempdir().unwrap();
        let [folder, moved] = ["folder", "moved"].map(|name| parent.path().join(name));
        create_folder_synced(&folder).unwrap();
        let lock = FolderLock::new(&folder).unwrap();
        assert!(lock.is_there().unwrap());
        fs::rename(&folder, &moved).unwrap();
        assert!(!lock.is_there().unwrap());
        create_folder_synced(&folder).unwrap();
        let other = FolderLock::new(&folder).unwrap();
        assert!(other.is_there().unwrap() && !lock.is_there().unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn locks_may_be_unsupported() {
        for code in [libc::ENOLCK, libc::EOPNOTSUPP, libc::ENOSYS] {
            assert!(has_no_locks(&io::Error::from_raw_os_error(code)), "{code}");
        }
        assert!(!has_no_locks(&io::Error::from_raw_os_error(libc::EIO)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_no_folder() {
        let parent = tempfile::tempdir().unwrap();
        let link = parent.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        for folder in [&link, &link.join("below")] {
            let error = create_folder_synced(folder).unwrap_err();
            assert_eq!(error.to_string(), "it is a link to nothing");
        }
    }

    /// It has opened the file and locks it only now, under its new name.
    #[test]
    fn late_writers_leave_published_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [partial, target] = ["table.partial", "table"].map(|name| folder.path().join(name));
        let first = Partial::create(partial.clone()).unwrap();
        first.file().write_all(b"whole").unwrap();
        let late = open(&partial).unwrap().unwrap();
        assert!(matches!(lock(&late), Err(Fault::Busy)));
        first.publish(&target).unwrap();
        assert!(lock(&late).unwrap());
        assert!(!is_name_of(&partial, &late).unwrap());
        // Where locks are mandatory, they keep readers out too.
        drop(late);
        assert_eq!(fs::read(&target).unwrap(), b"whole");

        // So a third writer begins a new file.
        drop(Partial::create(partial.clone()).unwrap());
        assert_eq!(fs::read(&target).unwrap(), b"whole");
        assert!(!partial.exists());
    }
}
