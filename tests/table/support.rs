//! Small tables, and functions that read whole tables.

use std::path::Path;
use std::sync::LazyLock;

use krou::index::LayerIndex;
use krou::internal::table::{EntrySource, Fault, write};
use krou::rules::Ruleset;
use krou::table::{Codec, Kind, Table, TableError, TableId, WriteOptions};

/// Bounds of 78 boards.
pub const BOUNDS: TableId = TableId {
    rules: Ruleset::AWALE,
    seeds: 2,
    kind: Kind::Bounds,
};

pub fn options(codec: Codec, block_size: u32) -> WriteOptions {
    WriteOptions {
        block_size: Some(block_size),
        ..WriteOptions::from(codec)
    }
}

/// Artificial planes of possible entries with some regularity, as real ones have.
pub fn planes(id: TableId) -> Vec<Vec<u8>> {
    let entries = LayerIndex::new(id.rules, id.seeds).len();
    let seeds = i64::from(id.seeds);
    let value = |index: u64, salt: u64| {
        let mixed = (index / 3 + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let value = i64::try_from(mixed).unwrap() % (2 * seeds + 1) - seeds;
        i8::try_from(value).unwrap()
    };
    let plane = |entry: &dyn Fn(u64) -> u8| (0..entries).map(entry).collect();
    match id.kind {
        Kind::Value => vec![plane(&|i| value(i, 0).cast_unsigned())],
        Kind::Distance => vec![plane(&|i| (i / 5).to_le_bytes()[0])],
        Kind::Bounds => vec![
            plane(&|i| value(i, 0).min(value(i, 7)).cast_unsigned()),
            plane(&|i| value(i, 0).max(value(i, 7)).cast_unsigned()),
        ],
        other => panic!("tables of {other}"),
    }
}

/// The bytes of a whole table.
pub fn file_of(id: TableId, planes: &[Vec<u8>], options: &WriteOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let planes: Vec<&dyn EntrySource> = planes
        .iter()
        .map(|plane| plane as &dyn EntrySource)
        .collect();
    let pending = write(folder.path(), id, &planes, options, &|_| Ok(())).unwrap();
    let length = pending.len_bytes();
    let bytes = std::fs::read(pending.publish().unwrap()).unwrap();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

/// A table of 78 boards in several blocks: 16 entries or two tiles in each.
pub fn small_file(codec: Codec, kind: Kind) -> Vec<u8> {
    let id = TableId { kind, ..BOUNDS };
    let block_size = if codec.is_exact() { 16 } else { 2 };
    file_of(id, &planes(id), &options(codec, block_size))
}

pub fn bounds_file(codec: Codec) -> Vec<u8> {
    small_file(codec, Kind::Bounds)
}

static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let codecs = Codec::ALL.iter().copied();
    let files = codecs.flat_map(|codec| Kind::ALL.iter().map(move |&kind| small_file(codec, kind)));
    files.collect()
});

/// Small tables of every codec and kind.
pub fn every_file() -> Vec<Vec<u8>> {
    FILES.clone()
}

/// Small tables of every tiled codec and kind.
pub fn every_tiled_file() -> Vec<Vec<u8>> {
    let is_tiled = |file: &&Vec<u8>| file[19] > 1;
    FILES.iter().filter(is_tiled).cloned().collect()
}

/// Opens and decodes everything. Decoded entries must be possible, and errors must
/// name the file.
pub fn read_all(bytes: Vec<u8>) -> Result<(), TableError> {
    let read = Table::from_bytes("forged", bytes).and_then(|table| read_table(&table));
    if let Err(error) = &read {
        assert_eq!(error.file(), Path::new("forged"));
        assert!(error.to_string().starts_with("forged: "), "{error}");
    }
    read
}

/// Decodes everything, by tiles and by planes.
pub fn read_table(table: &Table) -> Result<(), TableError> {
    let checked = table.check();
    let mut entries = 0;
    let tiles = (0..table.tile_count()).map(|tile| {
        let tile = table.tile(tile)?;
        entries += tile.entries() as u64;
        assert_possible(
            table,
            &tile.bytes().chunks(tile.entries()).collect::<Vec<_>>(),
        );
        Ok(())
    });
    let decoded: Result<(), TableError> = tiles.collect();
    let stored = usize::try_from(table.stored_entries()).unwrap();
    let planes: Result<Vec<Vec<u8>>, TableError> = (0..table.id().kind.planes())
        .map(|plane| {
            let mut out = vec![0; stored];
            table.read(plane, 0, &mut out).map(|()| out)
        })
        .collect();
    assert_eq!(checked.is_ok(), decoded.is_ok());
    assert_eq!(checked.is_ok(), planes.is_ok());
    if let Ok(planes) = planes {
        assert_eq!(entries, table.stored_entries());
        assert_possible(table, &planes.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
    checked
}

fn assert_possible(table: &Table, planes: &[&[u8]]) {
    let TableId { seeds, kind, .. } = table.id();
    if kind == Kind::Distance {
        return;
    }
    for entry in planes.iter().copied().flatten() {
        assert!(entry.cast_signed().unsigned_abs() <= seeds);
    }
    if kind == Kind::Bounds && table.codec().is_exact() {
        let mut pairs = planes[0].iter().zip(planes[1]);
        assert!(pairs.all(|(low, high)| low.cast_signed() <= high.cast_signed()));
    }
}

/// The fault of a table that must be rejected.
pub fn fault_of(bytes: Vec<u8>) -> Fault {
    read_all(bytes)
        .expect_err("a table that is rejected")
        .into_fault()
}
