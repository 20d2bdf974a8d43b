//! Downloads of whole tables, which go on where they were interrupted.
//!
//! What a table must be is known before its first byte: its header, which the index has, must be
//! that of a table of this layer and this length, and its sum the manifest's. A table grows under
//! its name with `.partial` and gets its own name once all its bytes have that sum and are a
//! table; else it is removed.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use sha2::{Digest, Sha256};

use super::host::{Host, failed};
use super::http::{Client, HttpError, LEAST, PAUSE, TRIES};
use super::make_index::hex;
use super::requests::Remote;
use crate::ranges::{FileRange, InsertedRanges, Ranges};
use crate::table::folder::{Partial, create_folder_synced};
use crate::table::manifest::{Manifest, ManifestMatch};
use crate::table::{Fault, HEADER_LEN, IndexedTable, Table, TableError, TableId};

/// Tables at a time.
const TABLES: usize = 4;

/// What a download has brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Downloaded {
    /// Bytes of all tables, with those that were there already.
    pub bytes: u64,
    /// How many of them have a sum that krou knows.
    pub proved: usize,
}

/// Why a table was not taken.
enum Refusal {
    /// Its bytes do not have the sum; they were removed.
    WrongSum,
    /// Another one has its name in the folder.
    Differs,
    Failed(TableError),
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        Refusal::Failed(error)
    }
}

impl Host {
    /// Downloads tables into a folder, as far as they are not there yet. `on_bytes` is told how
    /// many bytes more are there, and how many there will be. Called again, it goes on where it
    /// was interrupted.
    ///
    /// # Errors
    /// If the index lacks a table, or names another one than the manifest inside krou; if the
    /// manifest does not list a table, unless the host is [trusted](Host::trusted); if the host
    /// fails, tables are not those of the index, or the folder cannot be written to. Other tables
    /// that were finished stay.
    pub fn download(
        &self,
        ids: &[TableId],
        folder: impl AsRef<Path>,
        on_bytes: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Downloaded, TableError> {
        let folder = folder.as_ref();
        let remote = self.open()?;
        let tables = tables(&remote, ids)?;
        let of_host = |error| failed(remote.client().base().to_owned(), error);
        let proved = proved(&tables, self.is_trusted).map_err(of_host)?;
        create_folder_synced(folder).map_err(|cause| Fault::Write { cause }.of(folder))?;
        let bytes = tables.iter().map(|(_, table, _)| table.bytes).sum();
        let next = AtomicUsize::new(0);
        let refused = Mutex::new(Vec::new());
        let work = || {
            while let Some((id, table, _)) = tables.get(next.fetch_add(1, Ordering::Relaxed)) {
                let download = Download {
                    client: remote.client(),
                    table,
                    on_bytes: &|more| on_bytes(more, bytes),
                };
                if let Err(refusal) = download.run(folder, *id) {
                    if let Refusal::Failed(_) = refusal {
                        // Nobody needs the others any more.
                        next.store(tables.len(), Ordering::Relaxed);
                    }
                    let mut refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
                    refused.push((&*table.name, refusal));
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..TABLES.min(tables.len()) {
                // Where no thread can be started, this one does all.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let refused = refused.into_inner().unwrap_or_else(PoisonError::into_inner);
        match why(refused) {
            Some(Ok(error)) => Err(of_host(error)),
            Some(Err(error)) => Err(error),
            None => Ok(Downloaded { bytes, proved }),
        }
    }
}

/// The error of all tables that were not taken: bad ones count more than a failure.
fn why(refused: Vec<(&str, Refusal)>) -> Option<Result<HttpError, TableError>> {
    let (mut wrong, mut other, mut error) = (Vec::new(), Vec::new(), None);
    for (name, refusal) in refused {
        match refusal {
            Refusal::WrongSum => wrong.push(name),
            Refusal::Differs => other.push(name),
            Refusal::Failed(failed) => error = error.or(Some(failed)),
        }
    }
    if !wrong.is_empty() {
        Some(Ok(HttpError::WrongSum(wrong.join(", "))))
    } else if !other.is_empty() {
        Some(Ok(HttpError::Differs(other.join(", "))))
    } else {
        error.map(Err)
    }
}

/// The tables of the index that are wanted. Their headers are those of such tables, of such a
/// length.
fn tables<'r>(
    remote: &'r Remote,
    ids: &[TableId],
) -> Result<Vec<(TableId, &'r IndexedTable, Table)>, TableError> {
    let (client, index) = (remote.client(), remote.index());
    let ranges = InsertedRanges::default();
    let unread: Arc<dyn Ranges> = Arc::new(ranges.clone());
    let table = |&id: &TableId| {
        let name = id.file_name();
        let of_file = |error| failed(format!("{}{name}", client.base()), error);
        let found = index.find(&name);
        let (file, table) = found.ok_or_else(|| of_file(HttpError::NotListed))?;
        if table.header.is_none() {
            let (start, end) = (0, HEADER_LEN as u64);
            let header = client.range(&name, FileRange { file, start, end }, table.bytes);
            let (header, _) = header.map_err(of_file)?;
            ranges.insert(file, start, &header);
        }
        let opened = index.open(id, client.base(), &unread);
        let opened = opened.ok_or_else(|| of_file(HttpError::NotListed))??;
        Ok((id, table, opened))
    };
    ids.iter().map(table).collect()
}

/// How many tables are those of the manifest. It must not list another one in place of any, and
/// must list all, unless the host is trusted.
fn proved(
    tables: &[(TableId, &IndexedTable, Table)],
    is_trusted: bool,
) -> Result<usize, HttpError> {
    let manifest = Manifest::built_in();
    let (mut forged, mut unknown) = (Vec::new(), Vec::new());
    for (_, listed, table) in tables {
        let sum = manifest.sha256(table);
        match manifest.compare(table) {
            ManifestMatch::Equal if sum.is_some_and(|sum| sum == listed.sha256) => {}
            ManifestMatch::NotListed => unknown.push(&*listed.name),
            ManifestMatch::Equal if sum.is_none() => unknown.push(&*listed.name),
            ManifestMatch::Equal | ManifestMatch::Differs | ManifestMatch::OtherCodec => {
                forged.push(&*listed.name);
            }
        }
    }
    if !forged.is_empty() {
        return Err(HttpError::Forged(forged.join(", ")));
    }
    if let (Some(&first), false) = (unknown.first(), is_trusted) {
        let (first, count) = (first.to_owned(), unknown.len());
        return Err(HttpError::Unproved { first, count });
    }
    Ok(tables.len() - unknown.len())
}

/// The download of one table.
struct Download<'a> {
    client: &'a Client,
    table: &'a IndexedTable,
    on_bytes: &'a dyn Fn(u64),
}

impl Download<'_> {
    fn run(&self, folder: &Path, id: TableId) -> Result<(), Refusal> {
        let path = folder.join(id.file_name());
        if self.is_there(&path, id)? {
            (self.on_bytes)(self.table.bytes);
            return Ok(());
        }
        let partial_path = folder.join(id.file_name() + ".partial");
        let partial = Partial::resume(partial_path.clone());
        let partial = partial.map_err(|fault| fault.of(&partial_path))?;
        let of_partial = |cause| Fault::Write { cause }.of(&partial_path);
        let sum = self.complete(partial.file(), &of_partial)?;
        let sound = Table::open(&partial_path).and_then(|table| table.require(id));
        if sum != self.table.sha256 || sound.is_err() {
            partial.remove();
            return Err(Refusal::WrongSum);
        }
        partial.file().sync_all().map_err(of_partial)?;
        Ok(partial.publish(&path).map_err(of_partial)?)
    }

    /// Whether the folder has the table. One of an earlier version makes way.
    fn is_there(&self, path: &Path, id: TableId) -> Result<bool, Refusal> {
        let of_file = |cause| Fault::Read { cause }.of(path);
        if !path.try_exists().map_err(of_file)? {
            return Ok(false);
        }
        match Table::open(path).and_then(|table| table.require(id)) {
            Err(error) if error.is_old() => Ok(false),
            Err(error) if matches!(error.fault(), Fault::Read { .. }) => Err(error.into()),
            // The length is compared before all bytes are read.
            Ok(there) if there.stored_bytes() == self.table.bytes => {
                match sha256(path).map_err(of_file)? == self.table.sha256 {
                    true => Ok(true),
                    false => Err(Refusal::Differs),
                }
            }
            _ => Err(Refusal::Differs),
        }
    }

    /// Adds what is missing at the end of the file; its SHA-256 sum.
    fn complete(
        &self,
        mut file: &File,
        of_partial: &dyn Fn(io::Error) -> TableError,
    ) -> Result<String, TableError> {
        let IndexedTable { name, bytes, .. } = self.table;
        let mut length = file.metadata().map_err(of_partial)?.len();
        if length > *bytes {
            file.set_len(0).map_err(of_partial)?;
            length = 0;
        }
        let mut hash = Sha256::new();
        io::copy(&mut file, &mut hash).map_err(of_partial)?;
        file.seek(SeekFrom::Start(length)).map_err(of_partial)?;
        (self.on_bytes)(length);
        let mut tries = 0;
        while length < *bytes {
            let before = length;
            let received = self.receive(length, &mut |more| {
                file.write_all(more).map_err(of_partial)?;
                hash.update(more);
                length += more.len() as u64;
                (self.on_bytes)(more.len() as u64);
                Ok(())
            })?;
            tries = if length >= before + LEAST {
                0
            } else {
                tries + 1
            };
            match received {
                Ok(()) => {}
                Err(error) if error.may_pass() && tries < TRIES => thread::sleep(PAUSE * tries),
                Err(error) => {
                    let file = format!("{}{name}", self.client.base());
                    return Err(failed(file, error));
                }
            }
        }
        Ok(hex(&hash.finalize()))
    }

    /// Hands on the bytes of the table from an offset on, as far as one answer has them.
    fn receive(
        &self,
        start: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), TableError>,
    ) -> Result<Result<(), HttpError>, TableError> {
        let IndexedTable { name, bytes, .. } = self.table;
        let mut incoming = match self.client.rest(name, start, *bytes) {
            Ok(incoming) => incoming,
            Err(error) => return Ok(Err(error)),
        };
        let (mut left, mut buffer) = (bytes - start, vec![0; 1 << 16]);
        while left > 0 {
            let most = left.min(buffer.len() as u64) as usize;
            match incoming.read(&mut buffer[..most]) {
                Ok(0) => return Ok(Err(HttpError::Read(io::ErrorKind::UnexpectedEof.into()))),
                Ok(read) => {
                    take(&buffer[..read])?;
                    left -= read as u64;
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }
}

/// The SHA-256 sum of a file, in hexadecimal digits.
fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}
