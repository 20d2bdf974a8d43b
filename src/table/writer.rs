//! Writing: a table is in its folder whole, or it is not there.
//!
//! [`write()`] packs into `<name>.partial` and syncs it; only
//! [`PendingTable::publish`] gives it the name under which tables are looked
//! for. Between the two the caller may still change its mind.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::entries::Entries;
use super::error::{Fault, TableError};
use super::id::{Kind, TableId};
use super::pack::{WriteOptions, pack};
use super::partial::Partial;
use super::reader::Table;

/// A table that is written and synced, but not yet in its place. Dropping it
/// removes the file.
#[derive(Debug)]
#[must_use = "the table is removed unless it is published"]
pub struct PendingTable {
    partial: Partial,
    target: PathBuf,
    length: u64,
}

/// Packs a table into `<file name>.partial` in a folder, and syncs it.
///
/// `planes` are those of the table's kind, in order. `on_entries` is for
/// progress: it is called, from several threads, with the number of entries
/// that have just been packed, which add up to those of a plane; where the table
/// is to be [checked](WriteOptions::check), then once more with those checked.
/// The bytes do not depend on the number of threads.
///
/// # Errors
/// If the folder is missing or read-only, the disk is full, another writer is
/// at work on the same table, an entry is out of range, or what was written is
/// read back as something else. Nothing is left behind then.
///
/// # Panics
/// If the seeds are more than 48, `planes` are not as many as the kind has,
/// or the options' block size is out of its range.
pub fn write(
    folder: &Path,
    id: TableId,
    planes: &[&dyn Entries],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) + Sync),
) -> Result<PendingTable, TableError> {
    let target = folder.join(id.file_name());
    if target.is_dir() {
        // Found out before the work rather than after it.
        let cause = io::ErrorKind::IsADirectory.into();
        return Err(Fault::Write { cause }.of(target.display().to_string()));
    }
    let path = folder.join(id.file_name() + ".partial");
    let name = path.display().to_string();
    write_synced(path, id, planes, options, on_entries)
        .map(|(partial, length)| PendingTable {
            partial,
            target,
            length,
        })
        .map_err(|fault| fault.of(name))
}

fn write_synced(
    path: PathBuf,
    id: TableId,
    planes: &[&dyn Entries],
    options: &WriteOptions,
    on_entries: &(dyn Fn(u64) + Sync),
) -> Result<(Partial, u64), Fault> {
    let partial = Partial::create(path)?;
    let mut out = BufWriter::with_capacity(1 << 20, partial.file());
    let length = pack(&mut out, id, planes, options, on_entries)?;
    out.into_inner()
        .map_err(|error| Fault::writing(error.into_error()))?;
    partial.file().sync_all().map_err(Fault::writing)?;
    if options.check {
        check(partial.path(), id, planes, on_entries)?;
    }
    Ok((partial, length))
}

/// Whether a table that was written holds what it was made of.
fn check(
    path: &Path,
    id: TableId,
    planes: &[&dyn Entries],
    on_entries: &(dyn Fn(u64) + Sync),
) -> Result<(), Fault> {
    /// Entries read at a time: strips of tiles are decoded whole.
    const PORTION: usize = 1 << 22;
    let table = Table::open(path).map_err(|error| error.fault)?;
    let stored = table.stored_entries();
    let mut read = Vec::new();
    for start in (0..stored).step_by(PORTION) {
        let portion = usize::try_from(stored - start).map_or(PORTION, |rest| rest.min(PORTION));
        read.resize(portion, 0);
        for (number, &plane) in planes.iter().enumerate() {
            table
                .read(number, start, &mut read)
                .map_err(|error| error.fault)?;
            if let Some(index) = first_unlike(id.kind, plane, start, &read)? {
                return Err(Fault::Unfaithful { index });
            }
        }
        on_entries(portion as u64);
    }
    on_entries(table.entries() - stored);
    Ok(())
}

/// The first entry, of those read from index `start` on, that does not stand for
/// the one that was to be written.
fn first_unlike(
    kind: Kind,
    plane: &dyn Entries,
    start: u64,
    read: &[u8],
) -> Result<Option<u64>, Fault> {
    /// Entries that a thread compares at a time.
    const STRETCH: usize = 1 << 16;
    let will_do = |((&read, &right), &free): ((&u8, &u8), &bool)| {
        let is_less = read.cast_signed() <= right.cast_signed();
        read == right || free && (is_less || kind == Kind::Distance)
    };
    let stretches = read.par_chunks(STRETCH).enumerate();
    let found = stretches.map_init(Default::default, |buffers, (number, read)| {
        let (right, free): &mut (Vec<u8>, Vec<bool>) = buffers;
        right.resize(read.len(), 0);
        free.resize(read.len(), false);
        let start = start + (number * STRETCH) as u64;
        plane.fill(start, right).map_err(Fault::entries)?;
        plane.free(start, free).map_err(Fault::entries)?;
        let mut entries = read.iter().zip(&*right).zip(&*free);
        let unlike = entries.position(|entry| !will_do(entry));
        Ok(unlike.map(|place| start + place as u64))
    });
    let found = found.find_first(|found| !matches!(found, Ok(None)));
    found.unwrap_or(Ok(None))
}

impl PendingTable {
    /// Puts the table in its place, in the stead of an older one if there is
    /// one, and syncs the folder. The path is that of the table.
    ///
    /// # Errors
    /// If the file cannot be renamed, as when a folder has taken its name; it
    /// is removed then. If only the folder cannot be synced, the table is in
    /// its place but might be gone after a power cut.
    pub fn publish(self) -> Result<PathBuf, TableError> {
        match self.partial.publish(&self.target) {
            Ok(()) => Ok(self.target),
            Err(cause) => Err(Fault::Write { cause }.of(self.target.display().to_string())),
        }
    }

    /// Bytes of the whole file.
    pub fn len_bytes(&self) -> u64 {
        self.length
    }
}
