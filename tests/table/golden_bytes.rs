//! Whole files, byte by byte. Every later version must read them and write the same
//! bytes, except those that depend on the version of Zstandard. If other bytes must
//! change, the format's version must change too.

use krou::rules::Ruleset;
use krou::table::{Codec, Kind, Table, TableId};

use crate::checksums::HEADER;
use crate::support::{file_of, options};

const VALUE: TableId = TableId {
    rules: Ruleset::AWARI,
    seeds: 0,
    kind: Kind::Value,
};
const VALUE_PLANE: [i8; 1] = [0];
const VALUE_FILE: &str = "
    8f4b524f550d0a1a 0100 01 01 01 01 01 00 00 01 01 00 00400000
    0100000000000000 0100000000000000 9100000000000000 0139b0954e046be0
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    236140815a60b103
    9100000000000000 dbec4e07f4df4bc4
    00";

const DISTANCE: TableId = TableId {
    rules: Ruleset::KALAH,
    seeds: 1,
    kind: Kind::Distance,
};
const DISTANCE_PLANE: [i8; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const DISTANCE_FILE: &str = "
    8f4b524f550d0a1a 0100 02 00 00 00 00 02 01 02 01 00 08000000
    0c00000000000000 0200000000000000 ac00000000000000 c2a6007d769531c5
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    d439f1b8768abd82
    a800000000000000 97222316ea17f216
    ac00000000000000 a5062f75cacccb22
    0102030405060708 090a0b0c";

const BOUNDS: TableId = TableId {
    rules: Ruleset::AWALE,
    seeds: 1,
    kind: Kind::Bounds,
};
const LOWER_PLANE: [i8; 12] = [-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, -1, 0];
const UPPER_PLANE: [i8; 12] = [1, 0, -1, 0, 0, 1, 0, 0, 1, 1, 1, 0];
const BOUNDS_FILE: &str = "
    8f4b524f550d0a1a 0100 01 01 01 01 03 00 01 03 02 01 08000000
    0c00000000000000 0200000000000000 ca00000000000000 a13f398feac5ddd8
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    0000000000000000 0000000000000000 0000000000000000 0000000000000000
    737bb2853ef6b391
    b900000000000000 fe830da7f54a6ae5
    ca00000000000000 ce335b1a06aa4bcd
    28b52ffd2010810000ffffffff000000000100ff000001000028b52ffd200841
    00000101ff0001010100";

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn assert_reads(file: &str, id: TableId, planes: &[&[i8]]) {
    let table = Table::from_bytes("golden", bytes_of(file)).unwrap();
    let table = table.require(id).unwrap();
    for (number, plane) in planes.iter().enumerate() {
        let mut read = vec![0; plane.len()];
        table.read(number, 0, &mut read).unwrap();
        let signed: Vec<i8> = read.into_iter().map(u8::cast_signed).collect();
        assert_eq!(signed, *plane);
    }
}

fn written(id: TableId, planes: &[&[i8]], codec: Codec, block_entries: u32) -> Vec<u8> {
    let bytes = |plane: &&[i8]| plane.iter().map(|entry| entry.cast_unsigned()).collect();
    let planes: Vec<Vec<u8>> = planes.iter().map(bytes).collect();
    file_of(id, &planes, &options(codec, block_entries))
}

#[test]
fn old_files_are_read() {
    assert_reads(VALUE_FILE, VALUE, &[&VALUE_PLANE]);
    assert_reads(DISTANCE_FILE, DISTANCE, &[&DISTANCE_PLANE]);
    assert_reads(BOUNDS_FILE, BOUNDS, &[&LOWER_PLANE, &UPPER_PLANE]);
}

#[test]
fn the_same_files_are_written() {
    let value = written(VALUE, &[&VALUE_PLANE], Codec::Raw, 16384);
    assert_eq!(value, bytes_of(VALUE_FILE));
    let distance = written(DISTANCE, &[&DISTANCE_PLANE], Codec::Raw, 8);
    assert_eq!(distance, bytes_of(DISTANCE_FILE));
    // Another version of Zstandard may compress differently: the lengths and checksums
    // that depend on it are left out.
    let bounds = written(BOUNDS, &[&LOWER_PLANE, &UPPER_PLANE], Codec::Zstd, 8);
    assert_eq!(bounds[..40], bytes_of(BOUNDS_FILE)[..40]);
    assert_eq!(
        bounds[56..HEADER - 8],
        bytes_of(BOUNDS_FILE)[56..HEADER - 8]
    );
}
