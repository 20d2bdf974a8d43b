//! Damaged and forged files: always an error, and the right one.

use krou::rules::Ruleset;
use krou::table::{BlockFault, Codec, Fault, Kind, Table, TableId};
use proptest::prelude::*;

use crate::support::{
    BOUNDS, HEADER, RECORD, bounds_file, fault_of, file_of, forge, options, read_all,
    seal_directory, seal_header, stored_blocks,
};

const BLOCKS: usize = 5;

#[test]
fn other_files() {
    for bytes in [
        b"Dear diary".as_slice(),
        b"\x89PNG\r\n\x1A\n",
        b"x",
        &[0; 500],
    ] {
        assert!(matches!(fault_of(bytes.to_vec()), Fault::Foreign));
    }
    let good = bounds_file(Codec::Raw);
    let mut unix_line_ends = good.clone();
    unix_line_ends.remove(5);
    assert!(matches!(fault_of(unix_line_ends), Fault::Mangled));
    let mut seven_bits = good.clone();
    seven_bits[0] &= 0x7F;
    assert!(matches!(fault_of(seven_bits), Fault::Mangled));
    let utf8 = String::from_utf8_lossy(&good).into_owned().into_bytes();
    assert!(matches!(fault_of(utf8), Fault::Mangled));
}

#[test]
fn a_newer_version_is_named() {
    let mut file = bounds_file(Codec::Zstd);
    file[8] = 2;
    for _ in 0..2 {
        let error = read_all(file.clone()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: was written by a newer krou (format 2); this one reads format 1: update krou"
        );
        // The same with a good checksum, and where nothing else is known.
        seal_header(&mut file);
    }
    file.truncate(10);
    assert!(matches!(fault_of(file), Fault::Newer { version: 2 }));
}

/// Each field in turn with wrong numbers, the checksum made to match.
#[test]
fn every_field_is_checked() {
    let cases: &[(&str, usize, &[u64])] = &[
        ("version", 8, &[0]),
        ("family", 10, &[0, 3, 255]),
        ("grand slam", 11, &[0, 5]),
        ("feeding", 12, &[0, 3]),
        ("leftovers", 13, &[0, 3]),
        ("endless", 14, &[0, 4]),
        ("store game", 15, &[1, 2]),
        ("seeds", 16, &[49, 255]),
        ("kind", 17, &[0, 4]),
        ("planes", 18, &[0, 1, 3]),
        ("codec", 19, &[2, 255]),
        (
            "block entries",
            20,
            &[0, (1 << 20) + 1, u64::from(u32::MAX)],
        ),
        ("entries", 24, &[0, 77, 79, u64::MAX]),
        ("block count", 32, &[0, 4, 6, u64::MAX]),
        ("file length", 40, &[0, 127, 128 + 17 * 5 - 1]),
    ];
    let good = bounds_file(Codec::Raw);
    let sizes = |at: usize| match at {
        8 => 2,
        10..20 => 1,
        20 => 4,
        _ => 8,
    };
    for &(name, at, wrong) in cases {
        for &number in wrong {
            let mut file = good.clone();
            let size = sizes(at);
            file[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
            seal_header(&mut file);
            match fault_of(file) {
                Fault::Field { field, got, .. } => assert_eq!((field, got), (name, number)),
                other => panic!("{name} {number}: {other}"),
            }
        }
    }
    for at in 56..120 {
        let mut file = good.clone();
        file[at] = 1;
        seal_header(&mut file);
        assert!(matches!(
            fault_of(file),
            Fault::Field {
                field: "reserved",
                ..
            }
        ));
    }
    // Choices of the other family, and another layer or block size than the
    // counts are for.
    for (at, number, name) in [
        (10, 2, "grand slam"),
        (16, 3, "entries"),
        (17, 1, "planes"),
        (20, 15, "block count"),
    ] {
        let mut file = good.clone();
        file[at] = number;
        seal_header(&mut file);
        assert!(matches!(fault_of(file), Fault::Field { field, .. } if field == name));
    }
}

#[test]
fn file_lengths() {
    for codec in Codec::ALL {
        let good = bounds_file(codec);
        let whole = good.len() as u64;
        for length in 0..good.len() {
            match fault_of(good[..length].to_vec()) {
                Fault::Truncated { expected, got } => {
                    assert_eq!(got, length as u64);
                    assert_eq!(expected, if length < HEADER { 128 } else { whole });
                }
                other => panic!("{length} bytes: {other}"),
            }
        }
        for extra in [1, 16, 4096] {
            let mut file = good.clone();
            file.resize(good.len() + extra, 0);
            match fault_of(file) {
                Fault::TooLong { expected, got } => {
                    assert_eq!((expected, got), (whole, whole + extra as u64));
                }
                other => panic!("{other}"),
            }
        }
    }
}

/// Not one bit of a file is without a check.
#[test]
fn every_flipped_bit_is_found() {
    for codec in Codec::ALL {
        let mut file = bounds_file(codec);
        for bit in 0..8 * file.len() {
            file[bit / 8] ^= 1 << (bit % 8);
            let fault = fault_of(file.clone());
            let right = match bit / 8 {
                0..8 => matches!(fault, Fault::Mangled | Fault::Foreign),
                8..10 => matches!(fault, Fault::Newer { .. } | Fault::DamagedHeader),
                10..HEADER => matches!(fault, Fault::DamagedHeader),
                at if at < HEADER + RECORD * BLOCKS => matches!(fault, Fault::DamagedDirectory),
                _ => matches!(
                    fault,
                    Fault::Block {
                        fault: BlockFault::Checksum,
                        ..
                    }
                ),
            };
            assert!(right, "bit {bit}: {fault}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        read_all(file).unwrap();
    }
}

/// Ends that descend, stand still, overflow, leave the file or miss its end,
/// with good checksums.
#[test]
fn hostile_directories() {
    for codec in Codec::ALL {
        let good = bounds_file(codec);
        let end = good.len() as u64;
        let first = (HEADER + RECORD * BLOCKS) as u64;
        for wrong in [0, 1, first - 1, first, end, end + 1, 1 << 40, u64::MAX] {
            for block in 0..BLOCKS {
                if block + 1 == BLOCKS && wrong == end {
                    continue;
                }
                let mut file = good.clone();
                let at = HEADER + RECORD * block;
                file[at..at + 8].copy_from_slice(&wrong.to_le_bytes());
                seal_directory(&mut file, BLOCKS);
                match fault_of(file) {
                    // It may show only where the next block should start.
                    Fault::Place { block: found, .. } => {
                        assert!(found as usize == block || found as usize == block + 1);
                    }
                    other => panic!("block {block} ends at {wrong}: {other}"),
                }
            }
        }
        // A block that is longer than its codec can make it.
        let mut blocks = stored_blocks(&good);
        blocks[2].resize(200, 0);
        let fault = fault_of(forge(&good, &blocks));
        assert!(matches!(fault, Fault::Place { block: 2, .. }), "{fault}");
    }
}

/// Blocks with good checksums and the wrong content.
#[test]
fn hostile_blocks() {
    let good = bounds_file(Codec::Zstd);
    let stored = stored_blocks(&good);
    let packed = |raw: &[u8]| zstd::bulk::compress(raw, 9).unwrap();
    assert_eq!(forge(&good, &stored), good, "the forger's tools work");

    let whole = vec![0; 32];
    let frames = [packed(&whole[..20]), packed(&whole[20..])].concat();
    let contents = [
        packed(&[]),
        packed(&[0; 31]),
        packed(&[0; 33]),
        packed(&vec![0; 1 << 20]),
        packed(&vec![0; 1 << 20])[..20].to_vec(),
        b"not zstd".to_vec(),
        packed(&whole)[..8].to_vec(),
        [packed(&whole), packed(&[1])].concat(),
        [packed(&whole), vec![0]].concat(),
        // A skippable frame of nothing.
        b"\x50\x2A\x4D\x18\0\0\0\0".to_vec(),
    ];
    for content in contents {
        let mut blocks = stored.clone();
        blocks[1] = content;
        match fault_of(forge(&good, &blocks)) {
            Fault::Block { block, fault } => {
                assert_eq!((block, fault), (1, BlockFault::Content { expected: 32 }));
            }
            other => panic!("{other}"),
        }
    }
    // Several frames that hold the content together are as good as one.
    for content in [packed(&whole), frames] {
        let mut blocks = stored.clone();
        blocks[1] = content;
        read_all(forge(&good, &blocks)).unwrap();
    }
}

/// Entries that no board can have, with good checksums. Lower bounds come
/// first in a block of 16, then upper ones.
#[test]
fn impossible_entries() {
    let good = bounds_file(Codec::Raw);
    let mut blocks = stored_blocks(&good);
    blocks[3] = vec![0; 32];
    read_all(forge(&good, &blocks)).unwrap();
    for (at, wrong) in [
        (5, 3_i8),
        (5, -3),
        (16 + 5, 3),
        (16 + 5, -128),
        (5, 1),
        (16 + 5, -1),
    ] {
        let mut blocks = blocks.clone();
        blocks[3][at] = wrong.cast_unsigned();
        let error = read_all(forge(&good, &blocks)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: block 3 is damaged (entry 53 is out of range): remove the file and build it again"
        );
    }
}

#[test]
fn the_first_damaged_block_is_named() {
    let mut file = bounds_file(Codec::Zstd);
    let end = file.len();
    file[end - 1] ^= 1;
    let third = u64::from_le_bytes(file[HEADER + 2 * RECORD..][..8].try_into().unwrap());
    file[usize::try_from(third).unwrap()] ^= 1;
    let table = Table::from_bytes("forged", file).unwrap();
    let error = table.check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "forged: block 3 is damaged (its checksum does not match): remove the file and build it again"
    );
    table.piece(2).unwrap();
    table.piece(3).unwrap_err();
}

#[test]
fn another_table_than_wanted() {
    let wanted = [
        (
            TableId {
                rules: Ruleset::ABAPA,
                ..BOUNDS
            },
            "abapa-02.bounds",
        ),
        (TableId { seeds: 3, ..BOUNDS }, "awale-03.bounds"),
        (
            TableId {
                kind: Kind::Value,
                ..BOUNDS
            },
            "awale-02.value",
        ),
    ];
    for (id, name) in wanted {
        let table = Table::from_bytes("forged", bounds_file(Codec::Raw)).unwrap();
        let error = table.expect(id).unwrap_err();
        assert!(matches!(error.fault, Fault::Another { holds: BOUNDS, wanted } if wanted == id));
        assert_eq!(
            error.to_string(),
            format!(
                "forged: holds awale-02.bounds where {name} was wanted: give the file its own name back"
            )
        );
    }
    let table = Table::from_bytes("forged", bounds_file(Codec::Raw)).unwrap();
    table.expect(BOUNDS).unwrap();
}

/// A piece of a file to overwrite: where, and with what.
fn scribbles(length: usize) -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    let one = (0..length, prop::collection::vec(any::<u8>(), 1..10));
    prop::collection::vec(one, 1..5)
}

/// A table of distances, which can hold anything.
fn distances() -> Vec<u8> {
    let id = TableId {
        kind: Kind::Distance,
        ..BOUNDS
    };
    file_of(id, &crate::support::planes(id), &options(Codec::Zstd, 16))
}

proptest! {
    #[test]
    fn random_bytes_are_no_table(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(bytes).is_err());
    }

    /// Random bytes behind a good start.
    #[test]
    fn random_tails(kept in 0..500_usize, tail in prop::collection::vec(any::<u8>(), 1..300)) {
        let mut file = bounds_file(Codec::Zstd);
        let kept = kept.min(file.len());
        let good = file.clone();
        file.truncate(kept);
        file.extend(tail);
        prop_assert!(file == good || read_all(file).is_err());
    }

    /// Random changes with all checksums made to match: an error or a table,
    /// never a panic.
    #[test]
    fn sealed_scribbles(changes in scribbles(HEADER + RECORD * BLOCKS + 100)) {
        for mut file in [bounds_file(Codec::Zstd), distances()] {
            for (at, bytes) in &changes {
                for (byte, new) in file.iter_mut().skip(*at).zip(bytes) {
                    *byte = *new;
                }
            }
            seal_directory(&mut file, BLOCKS);
            let _ = read_all(file);
        }
    }

    /// Random stored blocks with good checksums.
    #[test]
    fn forged_blocks(bytes in prop::collection::vec(any::<u8>(), 1..60), cut in 0..40_usize) {
        let good = distances();
        let mut blocks = stored_blocks(&good);
        blocks[0] = bytes.clone();
        let _ = read_all(forge(&good, &blocks));
        // The start of a good frame, then anything.
        let mut blocks = stored_blocks(&good);
        blocks[1].truncate(cut);
        blocks[1].extend(&bytes);
        let _ = read_all(forge(&good, &blocks));
    }
}
