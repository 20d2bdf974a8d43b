//! Opening a table and reading all of it: the bytes as they are, then with lengths
//! and checksums made to match, which gets past the first look.

use std::path::Path;

use krou::index::LayerIndex;
use krou::rules::Board;
use krou::table::{Codec, Kind, Table, TableError, TableId};

use super::seal::mend;

/// Entries of a layer that is read: more take too long.
const MOST: u64 = 100_000;

/// Reads a table, then a mended one.
pub fn run(data: &[u8]) {
    read(data.to_vec());
    let mut mended = data.to_vec();
    mend(&mut mended);
    read(mended);
}

fn read(bytes: Vec<u8>) {
    let length = bytes.len() as u64;
    match Table::from_bytes("fuzzed", bytes) {
        Ok(table) => {
            assert_eq!(table.stored_bytes(), length);
            if table.entries() <= MOST {
                read_pieces(&table);
            }
        }
        Err(error) => is_named(&error),
    }
}

fn is_named(error: &TableError) {
    assert_eq!(error.file, Path::new("fuzzed"));
    assert!(error.to_string().starts_with("fuzzed: "));
}

/// Reads everything in all ways: they agree.
fn read_pieces(table: &Table) {
    let id = table.id();
    let pieces: Vec<_> = (0..table.unit_count())
        .map(|piece| table.unit(piece))
        .collect();
    let checked = table.check();
    assert_eq!(checked.is_ok(), pieces.iter().all(Result::is_ok));
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
        let Some((piece, place)) = table.locate(location) else {
            assert!(i >= table.stored_entries());
            continue;
        };
        // A number below the number of pieces.
        let Ok(piece) = &pieces[usize::try_from(piece).unwrap()] else {
            continue;
        };
        let entries: Vec<u8> = (0..planes.len()).map(|n| piece.plane(n)[place]).collect();
        is_possible(id, table.codec(), &entries);
        if checked.is_ok() {
            let stored = usize::try_from(i).unwrap();
            assert!(planes.iter().zip(&entries).all(|(p, &e)| p[stored] == e));
        }
    }
}

/// Entries of a board that a reader lets through are these.
pub fn is_possible(id: TableId, codec: Codec, entries: &[u8]) {
    if id.kind == Kind::Distance {
        return;
    }
    let signed: Vec<i8> = entries.iter().map(|entry| entry.cast_signed()).collect();
    assert!(signed.iter().all(|entry| entry.unsigned_abs() <= id.seeds));
    assert!(!codec.is_exact() || signed.is_sorted());
}
