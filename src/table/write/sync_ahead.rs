//! A file that is synced while it is written, so that little is left for the sync at its
//! end, for which all threads wait.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::panic::resume_unwind;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Bytes written from one sync to the next, at the least.
const STEP: u64 = 16 << 20;

/// Writes to a file, and lets another thread sync what has been written.
pub(super) struct SyncAhead<'scope, 'file> {
    scope: &'scope Scope<'scope, 'file>,
    file: &'file File,
    /// Bytes written since a sync began.
    unsynced: u64,
    syncing: Option<ScopedJoinHandle<'scope, io::Result<()>>>,
}

impl<'scope, 'file> SyncAhead<'scope, 'file> {
    pub fn new(scope: &'scope Scope<'scope, 'file>, file: &'file File) -> SyncAhead<'scope, 'file> {
        SyncAhead {
            scope,
            file,
            unsynced: 0,
            syncing: None,
        }
    }

    /// Syncs the file, its length as well.
    ///
    /// # Errors
    /// If this or an earlier sync fails. The system reports lost data only once, so
    /// no error may be ignored.
    pub fn finish(mut self) -> io::Result<()> {
        self.wait()?;
        self.file.sync_all()
    }

    /// Begins a sync unless one is running.
    fn sync_soon(&mut self) -> io::Result<()> {
        if self
            .syncing
            .as_ref()
            .is_some_and(|syncing| !syncing.is_finished())
        {
            return Ok(());
        }
        self.wait()?;
        self.unsynced = 0;
        let file = self.file;
        // Without another thread, `finish` does it all.
        let sync = Builder::new().spawn_scoped(self.scope, || file.sync_data());
        self.syncing = sync.ok();
        Ok(())
    }

    /// Waits for the sync that is running.
    fn wait(&mut self) -> io::Result<()> {
        match self.syncing.take().map(ScopedJoinHandle::join) {
            None => Ok(()),
            Some(Ok(synced)) => synced,
            Some(Err(panic)) => resume_unwind(panic),
        }
    }
}

impl Write for SyncAhead<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.unsynced += written as u64;
        if self.unsynced >= STEP {
            self.sync_soon()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for SyncAhead<'_, '_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn what_is_written_is_in_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let part: Vec<u8> = (0..3 * STEP / 4).map(|i| (i % 251) as u8).collect();
        let open = file.reopen().unwrap();
        thread::scope(|scope| {
            let mut out = SyncAhead::new(scope, &open);
            for _ in 0..4 {
                out.write_all(&part).unwrap();
            }
            assert!(out.syncing.is_some());
            out.rewind().unwrap();
            out.write_all(b"start").unwrap();
            out.finish().unwrap();
        });
        let mut expected = part.repeat(4);
        expected[..5].copy_from_slice(b"start");
        assert!(std::fs::read(file.path()).unwrap() == expected);
    }

    /// A pipe cannot be synced.
    #[test]
    #[cfg(unix)]
    fn a_failed_sync_is_reported() {
        use std::os::fd::OwnedFd;
        let (reader, writer) = io::pipe().unwrap();
        let file = File::from(OwnedFd::from(writer));
        thread::scope(|scope| {
            let mut out = SyncAhead::new(scope, &file);
            out.sync_soon().unwrap();
            assert!(out.wait().is_err());
        });
        drop(reader);
    }
}
