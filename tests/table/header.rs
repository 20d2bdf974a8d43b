//! Headers of other files, of newer versions and of other tables than the required one, and
//! headers that are truncated or wrong in one field.

use krou::internal::table::Fault;
use krou::rules::Ruleset;
use krou::table::{Codec, Kind, Table, TableId};

use crate::checksums::{HEADER, fix_header_checksum, number};
use crate::support::{BOUNDS, bounds_file, every_file, fault_of, read_all, small_file};

#[test]
fn other_files_are_rejected() {
    for bytes in [
        b"not a table".as_slice(),
        b"\x89PNG\r\n\x1A\n",
        b"x",
        &[0; 500],
    ] {
        assert!(matches!(fault_of(bytes.to_vec()), Fault::NotATable));
    }
    let good = bounds_file(Codec::Raw);
    let mut unix_line_ends = good.clone();
    unix_line_ends.remove(5);
    assert!(matches!(fault_of(unix_line_ends), Fault::TextModeCopy));
    let mut seven_bits = good.clone();
    seven_bits[0] &= 0x7F;
    assert!(matches!(fault_of(seven_bits), Fault::TextModeCopy));
    let utf8 = String::from_utf8_lossy(&good).into_owned().into_bytes();
    assert!(matches!(fault_of(utf8), Fault::TextModeCopy));
}

#[test]
fn newer_versions_are_named() {
    for &codec in Codec::ALL {
        let mut file = bounds_file(codec);
        file[8] = 3;
        for _ in 0..2 {
            let error = read_all(file.clone()).unwrap_err();
            assert_eq!(
                error.to_string(),
                "forged: was written by a newer krou (format 3); this one reads up to format 2: update krou"
            );
            // The same with a correct checksum.
            fix_header_checksum(&mut file);
        }
        file.truncate(10);
        assert!(matches!(fault_of(file), Fault::Newer { version: 3, .. }));
    }
}

/// A field's name, its offset and size, and numbers that it must not hold.
type Case<'a> = (&'static str, usize, usize, &'a [u64]);

/// Sets each field in turn to wrong numbers, with a correct checksum.
fn assert_rejected(good: &[u8], cases: &[Case]) {
    for &(name, at, size, wrong) in cases {
        for &number in wrong {
            let mut file = good.to_vec();
            file[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
            fix_header_checksum(&mut file);
            match fault_of(file) {
                Fault::Field { field, got, .. } => assert_eq!((field, got), (name, number)),
                other => panic!("{name} {number}: {other}"),
            }
        }
    }
}

#[test]
fn every_field_is_checked() {
    for good in every_file() {
        let (version, planes) = (u64::from(good[8]), u64::from(good[18]));
        let (entries, blocks) = (number(&good, 24), number(&good, 32));
        let shortest = 128 + 17 * blocks + number(&good, 56);
        assert_rejected(
            &good,
            &[
                // Versions too old for the codec, or too new.
                ("version", 8, 2, &[0, 3 - version]),
                ("family", 10, 1, &[0, 3, 255]),
                ("grand slam", 11, 1, &[0, 5, 255]),
                ("feeding", 12, 1, &[0, 3, 255]),
                ("leftovers", 13, 1, &[0, 3, 255]),
                ("endless", 14, 1, &[0, 5, 255]),
                ("store game", 15, 1, &[1, 2, 255]),
                ("seeds", 16, 1, &[49, 255]),
                ("kind", 17, 1, &[0, 4, 255]),
                ("planes", 18, 1, &[0, 3 - planes, 3, 255]),
                ("codec", 19, 1, &[4, 255]),
                ("entries", 24, 8, &[0, entries - 1, entries + 1, u64::MAX]),
                ("block count", 32, 8, &[0, blocks - 1, blocks + 1, u64::MAX]),
                (
                    "file length",
                    40,
                    8,
                    &[0, 127, shortest - 1, 1 << 40, u64::MAX],
                ),
            ],
        );
        for at in 72..120 {
            assert_rejected(&good, &[("reserved", at, 1, &[1, 128, 255])]);
        }
    }
}

#[test]
fn every_field_of_flat_tables_is_checked() {
    for codec in [Codec::Raw, Codec::Zstd] {
        for &kind in Kind::ALL {
            let good = small_file(codec, kind);
            assert_rejected(
                &good,
                &[
                    ("block size", 20, 4, &[0, (1 << 20) + 1, 1 << 31]),
                    ("model length", 56, 8, &[1, 100, u64::MAX]),
                    ("model checksum", 64, 8, &[1, 1 << 63]),
                ],
            );
        }
    }
}

#[test]
fn every_field_of_tiled_tables_is_checked() {
    for codec in [Codec::Packed, Codec::Small] {
        for &kind in Kind::ALL {
            let good = small_file(codec, kind);
            assert_rejected(
                &good,
                &[
                    ("block size", 20, 4, &[0, (1 << 10) + 1, 1 << 31]),
                    (
                        "model length",
                        56,
                        8,
                        &[0, (1 << 19) + 1, 1 << 62, u64::MAX],
                    ),
                ],
            );
            for wrong in [0, 1, u64::MAX] {
                let mut file = good.clone();
                file[64..72].copy_from_slice(&wrong.to_le_bytes());
                fix_header_checksum(&mut file);
                assert!(matches!(fault_of(file), Fault::DamagedModel));
            }
        }
    }
}

/// Each number is allowed, but not together with the others.
#[test]
fn contradictory_fields_are_rejected() {
    for (codec, at, byte, name) in [
        // Choices of the other family, and a layer, kind or block size that does not
        // match the counts.
        (Codec::Raw, 10, 2, "grand slam"),
        (Codec::Raw, 16, 3, "entries"),
        (Codec::Raw, 17, 1, "planes"),
        (Codec::Raw, 20, 15, "block count"),
        (Codec::Small, 10, 2, "grand slam"),
        (Codec::Small, 16, 3, "entries"),
        (Codec::Small, 20, 1, "block count"),
        // Codecs of the other version, and versions of the other codecs.
        (Codec::Raw, 19, 2, "version"),
        (Codec::Zstd, 19, 3, "version"),
        (Codec::Packed, 19, 0, "version"),
        (Codec::Small, 19, 1, "version"),
        (Codec::Zstd, 8, 2, "version"),
        (Codec::Packed, 8, 1, "version"),
        // The other tiled codec has another number of tiles.
        (Codec::Packed, 19, 3, "block count"),
        (Codec::Small, 19, 2, "block count"),
    ] {
        let mut file = bounds_file(codec);
        file[at] = byte;
        fix_header_checksum(&mut file);
        match fault_of(file) {
            Fault::Field { field, .. } => assert_eq!(field, name, "{codec} {at} {byte}"),
            other => panic!("{codec} {at} {byte}: {other}"),
        }
    }
}

/// With the smallest blocks. No memory is allocated for them before the file is known to be
/// long enough.
#[test]
fn headers_of_the_largest_layer_allocate_no_memory() {
    for &codec in Codec::ALL {
        let mut file = bounds_file(codec);
        file[16] = 48;
        file[20..24].copy_from_slice(&1_u32.to_le_bytes());
        let huge = (203_648_015_935_u64).to_le_bytes();
        file[24..32].copy_from_slice(&huge);
        for _ in 0..2 {
            fix_header_checksum(&mut file);
            match fault_of(file.clone()) {
                Fault::Field {
                    field, expected, ..
                } => {
                    let at = if field == "block count" { 32 } else { 40 };
                    let number: u64 = expected.split(' ').next().unwrap().parse().unwrap();
                    assert!(number > 1 << 20, "{field} {expected}");
                    file[at..at + 8].copy_from_slice(&number.to_le_bytes());
                }
                other => panic!("{other}"),
            }
        }
        fix_header_checksum(&mut file);
        let got = file.len() as u64;
        assert!(matches!(fault_of(file), Fault::Truncated { got: g, .. } if g == got));
    }
}

#[test]
fn other_file_lengths_are_rejected() {
    for good in every_file() {
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

#[test]
fn another_table_than_required_is_rejected() {
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
        let error = table.require(id).unwrap_err();
        assert!(
            matches!(error.fault(), Fault::WrongTable { holds: BOUNDS, wanted } if *wanted == id)
        );
        assert_eq!(
            error.to_string(),
            format!(
                "forged: holds awale-02.bounds instead of {name}: give the file its own name back"
            )
        );
    }
    let table = Table::from_bytes("forged", bounds_file(Codec::Raw)).unwrap();
    table.require(BOUNDS).unwrap();
}
