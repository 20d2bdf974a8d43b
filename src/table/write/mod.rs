//! Writing: from entries to a file under its final name, whole or not at all.
//!
//! - `source`: where entries come from;
//! - `encode`: the blocks of a table;
//! - `pack`: the bytes of a whole table;
//! - here: a table in a folder, or in memory.
//!
//! [`write()`] packs into `<name>.partial` and syncs it; only
//! [`PendingTable::publish`] gives it the name of a table. Between the two the caller
//! may still drop it.

mod encode;
mod pack;
mod source;

use std::fs::File;
use std::io::{self, BufWriter, Cursor, IntoInnerError};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use self::pack::WriteOptions;
use self::pack::pack_into;
pub use self::source::EntrySource;
use super::error::{Fault, Stopped, TableError};
use super::folder::Partial;
use super::id::{Kind, TableId};
use super::read::Table;

/// A table that is written and synced, but does not have its final name yet. Dropping
/// it removes the file.
#[derive(Debug)]
#[must_use = "the table is removed unless it is published"]
pub struct PendingTable {
    partial: Partial,
    target: PathBuf,
    length: u64,
}

/// Packs a table into `<file name>.partial` in a folder, and syncs it.
///
/// `planes` are those of the table's kind, in order. `on_entries` is for progress: it
/// is called, from several threads, with the number of entries that were just packed,
/// which add up to those of a plane; if the table is [checked](WriteOptions::check),
/// then again with the entries checked. The bytes do not depend on the number of
/// threads.
///
/// # Errors
/// If the folder is missing or read-only, the disk is full, another writer holds the
/// lock on the same table, an entry is out of range, the codec was not compiled in, or
/// an entry is read back as another one. Then no file is left behind.
///
/// # Panics
/// If the seeds exceed 48, the number of planes is not that of the kind, or the
/// options' block size is out of its range.
pub fn write(
    folder: impl AsRef<Path>,
    id: TableId,
    planes: &[&dyn EntrySource],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<PendingTable, TableError> {
    let folder = folder.as_ref();
    let target = folder.join(id.file_name());
    if target.is_dir() {
        // Found before the work rather than after it.
        let cause = io::ErrorKind::IsADirectory.into();
        return Err(Fault::Write { cause }.of(target));
    }
    let path = folder.join(id.file_name() + ".partial");
    write_synced(path.clone(), id, planes, options, on_entries)
        .map(|(partial, length)| PendingTable {
            partial,
            target,
            length,
        })
        .map_err(|fault| fault.of(path))
}

/// Packs a table in memory: the bytes that [`write()`] gives a file.
///
/// # Errors
/// If an entry is out of range or is read back as another one, or the codec was not
/// compiled in.
///
/// # Panics
/// As [`write()`].
pub fn pack(
    id: TableId,
    planes: &[&dyn EntrySource],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<Vec<u8>, TableError> {
    let of = |fault: Fault| fault.of(id.file_name());
    let mut out = Cursor::new(Vec::new());
    pack_into(&mut out, id, planes, options, on_entries).map_err(of)?;
    let mut bytes = out.into_inner();
    if options.check {
        let table = Table::from_bytes(id.file_name(), bytes.clone())?;
        check(&table, planes, on_entries).map_err(of)?;
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}

fn write_synced(
    path: PathBuf,
    id: TableId,
    planes: &[&dyn EntrySource],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<(Partial, u64), Fault> {
    let partial = Partial::create(path)?;
    let mut out = BufWriter::with_capacity(1 << 20, partial.file());
    let length = pack_into(&mut out, id, planes, options, on_entries)?;
    let out = out.into_inner().map_err(IntoInnerError::into_error);
    out.and_then(File::sync_all).map_err(Fault::writing)?;
    if options.check {
        let table = Table::open(partial.path()).map_err(TableError::into_fault)?;
        check(&table, planes, on_entries)?;
    }
    Ok((partial, length))
}

/// Compares a table that was written with its entries.
fn check(
    table: &Table,
    planes: &[&dyn EntrySource],
    on_entries: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<(), Fault> {
    /// Entries read at a time. Rows of tiles are decoded whole.
    const BATCH: usize = 1 << 22;
    let kind = table.id().kind;
    let stored = table.stored_entries();
    let mut read = Vec::new();
    for start in (0..stored).step_by(BATCH) {
        let batch = usize::try_from(stored - start).map_or(BATCH, |rest| rest.min(BATCH));
        read.resize(batch, 0);
        for (number, &plane) in planes.iter().enumerate() {
            table
                .read(number, start, &mut read)
                .map_err(TableError::into_fault)?;
            if let Some(index) = first_mismatch(kind, plane, start, &read)? {
                return Err(Fault::ReadBackMismatch { index });
            }
        }
        on_entries(batch as u64)?;
    }
    on_entries(table.entries() - stored)?;
    Ok(())
}

/// The first entry, of those read from index `start` on, that cannot replace the one
/// to be written.
fn first_mismatch(
    kind: Kind,
    plane: &dyn EntrySource,
    start: u64,
    read: &[u8],
) -> Result<Option<u64>, Fault> {
    /// Entries that a thread compares at a time.
    const CHUNK: usize = 1 << 16;
    let is_right = |((&read, &right), &free): ((&u8, &u8), &bool)| {
        let is_lower = read.cast_signed() <= right.cast_signed();
        read == right || free && (is_lower || kind == Kind::Distance)
    };
    let chunks = read.par_chunks(CHUNK).enumerate();
    let found = chunks.map_init(Default::default, |buffers, (number, read)| {
        let (right, free): &mut (Vec<u8>, Vec<bool>) = buffers;
        right.resize(read.len(), 0);
        free.resize(read.len(), false);
        let start = start + (number * CHUNK) as u64;
        plane.fill(start, right).map_err(Fault::entries)?;
        plane.free(start, free).map_err(Fault::entries)?;
        let mut entries = read.iter().zip(&*right).zip(&*free);
        let mismatch = entries.position(|entry| !is_right(entry));
        Ok(mismatch.map(|offset| start + offset as u64))
    });
    let found = found.find_first(|found| !matches!(found, Ok(None)));
    found.unwrap_or(Ok(None))
}

impl PendingTable {
    /// Gives the table its final name, replacing an older one if there is one, and
    /// syncs the folder. Returns the table's path.
    ///
    /// # Errors
    /// If the file cannot be renamed, as when a folder has its name; then it is removed.
    /// If only the folder cannot be synced, the table has its name but may be lost in a
    /// power cut.
    pub fn publish(self) -> Result<PathBuf, TableError> {
        match self.partial.publish(&self.target) {
            Ok(()) => Ok(self.target),
            Err(cause) => Err(Fault::Write { cause }.of(self.target)),
        }
    }

    /// Bytes of the whole file.
    pub fn len_bytes(&self) -> u64 {
        self.length
    }
}
