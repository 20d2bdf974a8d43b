//! Opening a table and reading all of it: first the bytes as they are, then with
//! corrected lengths and checksums, to get past a reader's first checks.

use std::path::Path;

use krou::index::LayerIndex;
use krou::rules::Board;
use krou::table::{Codec, Kind, Table, TableError, TableId};

use super::checksums::fix_length_and_checksums;

/// The most entries to read: more take too long.
const MAX_ENTRIES: u64 = 100_000;

/// Reads a table, then a corrected one.
pub fn run(data: &[u8]) {
    read(data.to_vec());
    let mut fixed = data.to_vec();
    fix_length_and_checksums(&mut fixed);
    read(fixed);
}

fn read(bytes: Vec<u8>) {
    let length = bytes.len() as u64;
    match Table::from_bytes("fuzzed", bytes) {
        Ok(table) => {
            assert_eq!(table.stored_bytes(), length);
            if table.entries() <= MAX_ENTRIES {
                read_tiles(&table);
            }
        }
        Err(error) => is_named(&error),
    }
}

fn is_named(error: &TableError) {
    assert_eq!(error.file(), Path::new("fuzzed"));
    assert!(error.to_string().starts_with("fuzzed: "));
}

/// Reads everything in every way; the results must agree.
fn read_tiles(table: &Table) {
    let id = table.id();
    let tiles: Vec<_> = (0..table.tile_count())
        .map(|tile| table.tile(tile))
        .collect();
    let checked = table.check();
    assert_eq!(checked.is_ok(), tiles.iter().all(Result::is_ok));
    if let Err(error) = &checked {
        is_named(error);
    }
    let stored = usize::try_from(table.stored_entries()).unwrap();
    let mut planes = vec![vec![0; stored]; id.kind.planes()];
    for (number, plane) in planes.iter_mut().enumerate() {
        assert_eq!(table.read(number, 0, plane).is_ok(), checked.is_ok());
    }
    let index = LayerIndex::new(id.rules, id.seeds);
    for i in 0..index.len() {
        let board: Board = index.board(i);
        let location = index.locate(&board).unwrap();
        let Some((tile, offset)) = table.locate(location) else {
            assert!(i >= table.stored_entries());
            continue;
        };
        // Less than the number of tiles.
        let Ok(tile) = &tiles[usize::try_from(tile).unwrap()] else {
            continue;
        };
        let entries: Vec<u8> = (0..planes.len()).map(|n| tile.plane(n)[offset]).collect();
        is_possible(id, table.codec(), &entries);
        if checked.is_ok() {
            let stored = usize::try_from(i).unwrap();
            assert!(planes.iter().zip(&entries).all(|(p, &e)| p[stored] == e));
        }
    }
}

/// Checks that the entries of a board are possible, as a reader guarantees.
pub fn is_possible(id: TableId, codec: Codec, entries: &[u8]) {
    if id.kind == Kind::Distance {
        return;
    }
    let signed: Vec<i8> = entries.iter().map(|entry| entry.cast_signed()).collect();
    assert!(signed.iter().all(|entry| entry.unsigned_abs() <= id.seeds));
    assert!(!codec.is_exact() || signed.is_sorted());
}
