//! Files that are cut, grown or overwritten while a table is open that does not
//! map them: an error or right entries, never a panic, and no more memory than
//! for a good file. To do so is against the rules (`docs/format.md`, 'Files that
//! change'), but it happens: disks fill up, copies are repeated.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use krou::table::{Fault, Table, TableError};
use tempfile::TempDir;

use crate::forge::Parts;
use crate::seal::{HEADER, RECORD, seal};
use crate::support::every_file;

/// A table in a file, open.
struct Open {
    _folder: TempDir,
    path: PathBuf,
    table: Table,
    /// What is in it.
    entries: Vec<Vec<u8>>,
}

impl Open {
    fn new(file: &[u8]) -> Open {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, file).unwrap();
        let table = Table::open(&path).unwrap();
        Open {
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

    /// What is read now is right, or it is an error that names the file. Says how
    /// many of the pieces were read.
    fn is_right_or_an_error(&self) -> u64 {
        let named = |error: TableError| {
            assert_eq!(Path::new(&error.file), self.path);
            error.fault
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
        let good = Open::pieces(&self.table);
        good.filter(|&is_good| is_good).count() as u64
    }

    fn pieces(table: &Table) -> impl Iterator<Item = bool> {
        (0..table.unit_count()).map(|piece| table.unit(piece).is_ok())
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
fn a_file_that_is_cut() {
    for file in every_file() {
        let open = Open::new(&file);
        let cut = OpenOptions::new().write(true).open(&open.path).unwrap();
        let mut readable = open.table.unit_count();
        for length in (0..file.len() as u64).rev() {
            cut.set_len(length).unwrap();
            let good = open.is_right_or_an_error();
            assert!(good <= readable);
            readable = good;
        }
        assert_eq!(readable, 0);
        // Of its old length again, but empty.
        cut.set_len(file.len() as u64).unwrap();
        assert_eq!(open.is_right_or_an_error(), 0);
    }
}

/// What is appended is nobody's concern.
#[test]
fn a_file_that_grows() {
    for file in every_file() {
        let open = Open::new(&file);
        for more in [1, 5000] {
            open.overwrite(&[&file[..], &vec![1; more]].concat());
            assert_eq!(open.is_right_or_an_error(), open.table.unit_count());
        }
    }
}

/// Another table, noise or nothing takes the file's place.
#[test]
fn a_file_that_is_overwritten() {
    let files = every_file();
    for file in &files {
        let open = Open::new(file);
        for other in &files {
            open.overwrite(other);
            let good = open.is_right_or_an_error();
            assert_eq!(good > 0, other == file);
        }
        for byte in [0, 1, 127, 255] {
            open.overwrite(&vec![byte; file.len()]);
            assert_eq!(open.is_right_or_an_error(), 0);
        }
    }
}

/// Ends and checksums in the directory that were good when the table was opened,
/// and now lead from one end of a long file to the other: so much is not asked
/// for.
#[test]
fn a_directory_that_is_overwritten() {
    for file in every_file() {
        // Hardly anything of it is on the disk.
        let open = Open::new(&file);
        let long = OpenOptions::new().write(true).open(&open.path).unwrap();
        long.set_len(1 << 40).unwrap();
        drop(long);
        let table = Table::open(&open.path);
        assert!(matches!(
            table.unwrap_err().fault,
            Fault::TooLong { got, .. } if got == 1 << 40
        ));

        let blocks = Parts::of(&file).blocks.len();
        for end in [0, 1, file.len() as u64, 1 << 39, 1 << 40, 1 << 62, u64::MAX] {
            for block in 0..blocks {
                let mut forged = file.clone();
                let at = HEADER + RECORD * block;
                forged[at..at + 8].copy_from_slice(&end.to_le_bytes());
                open.overwrite(&forged);
                if end != file.len() as u64 || block + 1 < blocks {
                    assert!(open.is_right_or_an_error() < open.table.unit_count());
                    let fault = open.table.check().unwrap_err().fault;
                    assert!(matches!(fault, Fault::DamagedDirectory), "{fault}");
                }
            }
        }
    }
}

/// A block changes while the table is open, and its checksum with it.
#[test]
fn blocks_that_are_forged() {
    for file in every_file() {
        let open = Open::new(&file);
        let stored: usize = Parts::of(&file).blocks.iter().map(Vec::len).sum();
        let end = file.len();
        for at in end - stored.min(40)..end {
            let mut forged = file.clone();
            forged[at] ^= 0x55;
            seal(&mut forged);
            open.overwrite(&forged);
            assert!(open.is_right_or_an_error() < open.table.unit_count());
        }
    }
}
