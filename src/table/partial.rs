//! A file that is not there yet: written under another name, put in its place
//! in one step, or removed.
//!
//! The other name is always the same, so a run that was killed leaves at most
//! one such file, which the next run takes over. A lock keeps two writers
//! apart. Since one of them may rename the file between the other's opening
//! and locking it, whoever gets the lock looks whether the name is still that
//! of the file.
//!
//! Anything else of that name is refused and left as it is: a link might lead to
//! a file that is somebody's, which would be emptied, and a pipe or a device is
//! no place to write to.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::error::Fault;

/// How often a writer starts over because the file was renamed meanwhile.
const ATTEMPTS: usize = 8;

/// An unfinished file, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
    file: File,
    is_published: bool,
}

impl Partial {
    /// An empty file at `path`, locked where the file system has locks.
    pub fn create(path: PathBuf) -> Result<Partial, Fault> {
        for _ in 0..ATTEMPTS {
            let Some(file) = open(&path)? else {
                continue;
            };
            lock(&file)?;
            if is_name_of(&path, &file).map_err(Fault::writing)? {
                let partial = Partial {
                    path,
                    file,
                    is_published: false,
                };
                partial.empty().map_err(Fault::writing)?;
                return Ok(partial);
            }
        }
        Err(Fault::Busy)
    }

    /// What a killed run left behind goes.
    fn empty(&self) -> io::Result<()> {
        if self.file.metadata()?.len() > 0 {
            self.file.set_len(0)?;
        }
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in its place, in the same folder. Its content must have
    /// been synced before.
    pub fn publish(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_published = true;
        sync_folder(target)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_published {
            // Nobody is left to tell; the next run takes the file over.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file, which may be a new one; `None` if somebody has just removed it.
fn open(path: &Path) -> Result<Option<File>, Fault> {
    // This follows no link.
    match File::create_new(path) {
        Ok(file) => return Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        Err(error) => return Err(Fault::writing(error)),
    }
    // Also for reading: if a pipe takes the name right now, opening does not wait
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
        false => Err(Fault::InTheWay),
    }
}

fn lock(file: &File) -> Result<(), Fault> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Fault::Busy),
        // Some network file systems have no locks: go on without.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
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

/// Elsewhere the standard library has no way to tell.
#[cfg(not(unix))]
fn is_name_of(_: &Path, _: &File) -> io::Result<bool> {
    Ok(true)
}

/// A rename lasts through a power cut once the folder is synced.
#[cfg(unix)]
fn sync_folder(target: &Path) -> io::Result<()> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

/// Elsewhere folders cannot be opened to be synced.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
