//! Files that are truncated, extended or overwritten while a table reads them by
//! position: the result is an error or a right entry, never a panic, and takes no more
//! memory than a sound file. `docs/format.md`, 'Files that change', forbids such
//! changes, but they happen: disks fill up, and copies are repeated.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use krou::internal::table::Fault;
use krou::table::{Table, TableError};
use tempfile::TempDir;

use crate::checksums::{HEADER, RECORD, fix_checksums};
use crate::parts::Parts;
use crate::support::every_file;

/// An open table in a file.
struct OpenTable {
    _folder: TempDir,
    path: PathBuf,
    table: Table,
    /// Its entries.
    entries: Vec<Vec<u8>>,
}

impl OpenTable {
    fn new(file: &[u8]) -> OpenTable {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, file).unwrap();
        let table = Table::open(&path).unwrap();
        OpenTable {
            entries: read(&table).unwrap(),
            _folder: folder,
            path,
            table,
        }
    }

    /// Overwrites the file in place.
    fn overwrite(&self, bytes: &[u8]) {
        use std::io::Write;
        let mut file = OpenOptions::new().write(true).open(&self.path).unwrap();
        file.write_all(bytes).unwrap();
        file.set_len(bytes.len() as u64).unwrap();
    }

    /// Checks that reading gives the right entries or an error that names the file, and
    /// returns how many tiles can be read.
    fn count_readable_units(&self) -> u64 {
        let named = |error: TableError| {
            assert_eq!(error.file(), self.path);
            error.into_fault()
        };
        match read(&self.table).map_err(named) {
            Ok(entries) => assert_eq!(entries, self.entries),
            Err(fault) => assert!(
                matches!(
                    fault,
                    Fault::Read { .. } | Fault::DamagedDirectory | Fault::Block { .. }
                ),
                "{fault}"
            ),
        }
        let good = OpenTable::tiles(&self.table);
        good.filter(|&is_good| is_good).count() as u64
    }

    fn tiles(table: &Table) -> impl Iterator<Item = bool> {
        (0..table.tile_count()).map(|tile| table.tile(tile).is_ok())
    }
}

fn read(table: &Table) -> Result<Vec<Vec<u8>>, TableError> {
    let stored = usize::try_from(table.stored_entries()).unwrap();
    let plane = |plane| {
        let mut out = vec![0; stored];
        table.read(plane, 0, &mut out).map(|()| out)
    };
    (0..table.id().kind.planes()).map(plane).collect()
}

#[test]
fn truncated_files_are_errors() {
    for file in every_file() {
        let open = OpenTable::new(&file);
        let cut = OpenOptions::new().write(true).open(&open.path).unwrap();
        let mut readable = open.table.tile_count();
        for length in (0..file.len() as u64).rev() {
            cut.set_len(length).unwrap();
            let good = open.count_readable_units();
            assert!(good <= readable);
            readable = good;
        }
        assert_eq!(readable, 0);
        // The old length, but zeros at the end.
        cut.set_len(file.len() as u64).unwrap();
        assert_eq!(open.count_readable_units(), 0);
    }
}

#[test]
fn extended_files_are_still_read() {
    for file in every_file() {
        let open = OpenTable::new(&file);
        for more in [1, 5000] {
            open.overwrite(&[&file[..], &vec![1; more]].concat());
            assert_eq!(open.count_readable_units(), open.table.tile_count());
        }
    }
}

/// With another table, or with one byte repeated.
#[test]
fn overwritten_files_are_errors() {
    let files = every_file();
    for file in &files {
        let open = OpenTable::new(file);
        for other in &files {
            open.overwrite(other);
            let good = open.count_readable_units();
            assert_eq!(good > 0, other == file);
        }
        for byte in [0, 1, 127, 255] {
            open.overwrite(&vec![byte; file.len()]);
            assert_eq!(open.count_readable_units(), 0);
        }
    }
}

/// A file of another length is refused. A directory that changes while the table is open
/// is not read again: it was kept.
#[test]
fn overwritten_directories_are_not_read() {
    for file in every_file() {
        // A sparse file.
        let open = OpenTable::new(&file);
        let long = OpenOptions::new().write(true).open(&open.path).unwrap();
        long.set_len(1 << 40).unwrap();
        drop(long);
        let table = Table::open(&open.path);
        assert!(matches!(
            table.unwrap_err().fault(),
            Fault::TooLong { got, .. } if *got == 1 << 40
        ));

        let blocks = Parts::of(&file).blocks.len();
        for end in [0, 1, file.len() as u64, 1 << 39, 1 << 40, 1 << 62, u64::MAX] {
            for block in 0..blocks {
                let mut forged = file.clone();
                let at = HEADER + RECORD * block;
                forged[at..at + 8].copy_from_slice(&end.to_le_bytes());
                open.overwrite(&forged);
                assert_eq!(open.count_readable_units(), open.table.tile_count());
            }
        }
    }
}

/// A block and its checksum change.
#[test]
fn blocks_forged_while_open_are_errors() {
    for file in every_file() {
        let open = OpenTable::new(&file);
        let stored: usize = Parts::of(&file).blocks.iter().map(Vec::len).sum();
        let end = file.len();
        for at in end - stored.min(40)..end {
            let mut forged = file.clone();
            forged[at] ^= 0x55;
            fix_checksums(&mut forged);
            open.overwrite(&forged);
            assert!(open.count_readable_units() < open.table.tile_count());
        }
    }
}
