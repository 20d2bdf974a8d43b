//! Small tables to play with, and tools to forge them.

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::table::{
    Codec, Entries, Fault, Kind, Piece, Table, TableError, TableId, WriteOptions, write,
};
use xxhash_rust::xxh3::xxh3_64;

pub const HEADER: usize = 128;
pub const RECORD: usize = 16;

/// Bounds of 78 boards in five blocks.
pub const BOUNDS: TableId = TableId {
    rules: Ruleset::AWALE,
    seeds: 2,
    kind: Kind::Bounds,
};

pub fn options(codec: Codec, block_size: u32) -> WriteOptions {
    WriteOptions {
        block_size: Some(block_size),
        ..codec.into()
    }
}

/// Made-up planes of possible entries with some regularity, as real ones have.
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
    }
}

/// The bytes of a whole table.
pub fn file_of(id: TableId, planes: &[Vec<u8>], options: &WriteOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let planes: Vec<&dyn Entries> = planes.iter().map(|plane| plane as &dyn Entries).collect();
    let pending = write(folder.path(), id, &planes, options, &|_| ()).unwrap();
    let length = pending.len_bytes();
    let bytes = std::fs::read(pending.publish().unwrap()).unwrap();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

pub fn bounds_file(codec: Codec) -> Vec<u8> {
    file_of(BOUNDS, &planes(BOUNDS), &options(codec, 16))
}

/// Opens and decodes everything.
pub fn read_all(bytes: Vec<u8>) -> Result<(), TableError> {
    let table = Table::from_bytes("forged", bytes)?;
    let checked = table.check();
    let pieces = (0..table.piece_count()).map(|piece| table.piece(piece));
    let decoded: Result<Vec<_>, _> = pieces.collect();
    assert_eq!(checked.is_ok(), decoded.is_ok());
    if let Ok(decoded) = decoded {
        let entries: usize = decoded.iter().map(Piece::entries).sum();
        assert_eq!(entries as u64, table.stored_entries());
    }
    checked
}

pub fn fault_of(bytes: Vec<u8>) -> Fault {
    read_all(bytes).expect_err("this is no table").fault
}

/// Makes the header's checksum match again.
pub fn seal_header(file: &mut [u8]) {
    let sum = xxh3_64(&file[..120]);
    file[120..128].copy_from_slice(&sum.to_le_bytes());
}

/// Makes the checksums of the directory and the header match again. The
/// directory must have its true number of blocks.
pub fn seal_directory(file: &mut [u8], blocks: usize) {
    let sum = xxh3_64(&file[HEADER..HEADER + RECORD * blocks]);
    file[48..56].copy_from_slice(&sum.to_le_bytes());
    seal_header(file);
}

/// A table with these stored blocks and nothing wrong but what is in them:
/// the header is `model`'s.
pub fn forge(model: &[u8], blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut file = model[..HEADER].to_vec();
    let mut end = HEADER + RECORD * blocks.len();
    for block in blocks {
        end += block.len();
        file.extend((end as u64).to_le_bytes());
        file.extend(xxh3_64(block).to_le_bytes());
    }
    file.extend(blocks.iter().flatten());
    file[40..48].copy_from_slice(&(end as u64).to_le_bytes());
    seal_directory(&mut file, blocks.len());
    file
}

/// The stored bytes of each block of a good table.
pub fn stored_blocks(file: &[u8]) -> Vec<Vec<u8>> {
    let number =
        |at: usize| usize::try_from(u64::from_le_bytes(file[at..at + 8].try_into().unwrap()));
    let count = number(32).unwrap();
    let mut start = HEADER + RECORD * count;
    let blocks = (0..count).map(|block| {
        let end = number(HEADER + RECORD * block).unwrap();
        file[std::mem::replace(&mut start, end)..end].to_vec()
    });
    blocks.collect()
}
