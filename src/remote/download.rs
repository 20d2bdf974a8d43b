//! Downloads of whole tables, which go on where they were interrupted.
//!
//! A table grows under its name with `.partial` and gets its own name once all its bytes
//! have the SHA-256 sum that the index names and are a table.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::host::{Host, failed};
use super::http::{Client, HttpError};
use super::make_index::hex;
use crate::ranges::{FileRange, InsertedRanges, Ranges};
use crate::table::folder::{Partial, create_folder_synced};
use crate::table::{Fault, IndexedTable, Table, TableError, TableId};

/// Bytes of a request.
const REQUEST: u64 = 2 << 20;

/// Tables at a time.
const TABLES: usize = 4;

/// How often a request is tried, and how long to wait before the next try.
const TRIES: u32 = 4;
const WAIT: Duration = Duration::from_millis(500);

impl Host {
    /// Downloads tables of the index into a folder, as far as they are not there yet, and
    /// tells how many bytes more are there. Returns false if it was told to stop; called
    /// again, it goes on from there.
    ///
    /// # Errors
    /// If the index lacks a table, the host fails, a table is not the one of the index, or
    /// the folder cannot be written to. Other tables that were finished stay.
    pub fn download(
        &self,
        ids: &[TableId],
        folder: impl AsRef<Path>,
        on_bytes: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<bool, TableError> {
        let folder = folder.as_ref();
        let (client, index) = self.connect()?;
        let unread: Arc<dyn Ranges> = Arc::new(InsertedRanges::default());
        let mut wanted = Vec::new();
        for id in ids {
            let name = id.file_name();
            // Without a header the table is looked at once it is here.
            if let Some(Err(error)) = index.open(*id, client.base(), &unread)
                && error.is_old()
            {
                return Err(error);
            }
            let found = index.find(&name);
            let (file, table) = found
                .ok_or_else(|| failed(format!("{}{name}", client.base()), HttpError::NotListed))?;
            wanted.push((file, table, *id));
        }
        create_folder_synced(folder).map_err(|cause| Fault::Write { cause }.of(folder))?;
        let next = AtomicUsize::new(0);
        let first_error = Mutex::new(None);
        let work = || {
            while let Some(&(file, table, id)) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                let download = Download {
                    client: &client,
                    file,
                    table,
                    on_bytes,
                    stop,
                };
                if let Err(error) = download.run(folder, id) {
                    // Nobody needs the others any more.
                    next.store(wanted.len(), Ordering::Relaxed);
                    if let Ok(mut first) = first_error.lock() {
                        first.get_or_insert(error);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..TABLES.min(wanted.len()) {
                // Where no thread can be started, this one does all.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        match first_error.into_inner().unwrap_or_default() {
            Some(error) => Err(error),
            None => Ok(!stop.load(Ordering::Relaxed)),
        }
    }
}

/// The download of one table.
struct Download<'a> {
    client: &'a Client,
    /// Its number in the index.
    file: usize,
    table: &'a IndexedTable,
    on_bytes: &'a (dyn Fn(u64) + Sync),
    stop: &'a AtomicBool,
}

impl Download<'_> {
    fn run(&self, folder: &Path, id: TableId) -> Result<(), TableError> {
        let path = folder.join(id.file_name());
        let of_file = |cause| Fault::Read { cause }.of(&path);
        let is_old = |path: &Path| {
            let opened = Table::open(path).and_then(|table| table.require(id));
            opened.is_err_and(|error| error.is_old())
        };
        if path.try_exists().map_err(of_file)? && !is_old(&path) {
            let sum = sha256(&path).map_err(of_file)?;
            if sum != self.table.sha256 {
                return Err(of_file(io::Error::other(HttpError::Differs)));
            }
            (self.on_bytes)(self.table.bytes);
            return Ok(());
        }
        let partial_path = folder.join(id.file_name() + ".partial");
        let partial = match Partial::resume(partial_path.clone()) {
            Ok(partial) => partial,
            Err(fault) => return Err(fault.of(partial_path)),
        };
        let of_partial = |cause| Fault::Write { cause }.of(&partial_path);
        let Some(sum) = self.complete(partial.file(), &of_partial)? else {
            return Ok(());
        };
        let is_right = sum == self.table.sha256;
        let sound = Table::open(&partial_path).and_then(|table| table.require(id));
        if !is_right || sound.is_err() {
            partial.remove();
            let error = failed(self.name(), HttpError::WrongSum);
            return Err(if is_right {
                sound.err().unwrap_or(error)
            } else {
                error
            });
        }
        partial.file().sync_all().map_err(of_partial)?;
        partial.publish(&path).map_err(of_partial)
    }

    /// Adds what is missing at the end of the file. Its SHA-256 sum; `None` if told to stop.
    fn complete(
        &self,
        mut file: &File,
        of_partial: &dyn Fn(io::Error) -> TableError,
    ) -> Result<Option<String>, TableError> {
        let mut length = file.metadata().map_err(of_partial)?.len();
        if length > self.table.bytes {
            file.set_len(0).map_err(of_partial)?;
            length = 0;
        }
        let mut hash = Sha256::new();
        io::copy(&mut file.take(length), &mut hash).map_err(of_partial)?;
        file.seek(SeekFrom::Start(length)).map_err(of_partial)?;
        (self.on_bytes)(length);
        while length < self.table.bytes {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let end = self.table.bytes.min(length + REQUEST);
            let bytes = self.range(length, end)?;
            file.write_all(&bytes).map_err(of_partial)?;
            hash.update(&bytes);
            (self.on_bytes)(end - length);
            length = end;
        }
        Ok(Some(hex(&hash.finalize())))
    }

    /// A range of the table, tried more than once if the connection fails.
    fn range(&self, start: u64, end: u64) -> Result<Vec<u8>, TableError> {
        let range = FileRange {
            file: self.file,
            start,
            end,
        };
        let mut tries = 1;
        loop {
            match self.client.range(&self.table.name, range, self.table.bytes) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if tries < TRIES && error.may_pass() => {
                    thread::sleep(WAIT * tries);
                    tries += 1;
                }
                Err(error) => return Err(failed(self.name(), error)),
            }
        }
    }

    fn name(&self) -> String {
        format!("{}{}", self.client.base(), self.table.name)
    }
}

/// The SHA-256 sum of a file, in hexadecimal digits.
pub(super) fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}
