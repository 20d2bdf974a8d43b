//! Forged directories and flat blocks: their checksums are right, their content is wrong.

use krou::internal::table::{BlockFault, Fault};
use krou::table::{Codec, Kind, Table};

use crate::checksums::{HEADER, RECORD, fix_checksums};
use crate::parts::Parts;
use crate::support::{bounds_file, every_file, fault_of, read_all, small_file};

#[test]
fn parts_of_a_file_reassemble_it() {
    for file in every_file() {
        assert_eq!(Parts::of(&file).file(), file);
    }
}

/// Block ends that descend, repeat, overflow, lie outside the file or miss its end.
#[test]
fn impossible_block_positions_are_rejected() {
    for good in every_file() {
        let parts = Parts::of(&good);
        let blocks = parts.blocks.len();
        let end = good.len() as u64;
        let first = (HEADER + RECORD * blocks + parts.models.len()) as u64;
        for wrong in [0, 1, first - 1, first, end, end + 1, 1 << 40, u64::MAX] {
            for block in 0..blocks {
                if block + 1 == blocks && wrong == end {
                    continue;
                }
                let mut file = good.clone();
                let at = HEADER + RECORD * block;
                file[at..at + 8].copy_from_slice(&wrong.to_le_bytes());
                fix_checksums(&mut file);
                match fault_of(file) {
                    // The error may be that of the next block.
                    Fault::BlockPosition { block: found, .. } => {
                        assert!(found as usize == block || found as usize == block + 1);
                    }
                    other => panic!("block {block} ends at {wrong}: {other}"),
                }
            }
        }
    }
}

#[test]
fn block_lengths_must_be_possible_for_the_codec() {
    for (codec, fewest, most) in [
        (Codec::Raw, 16, 16),
        (Codec::Zstd, 1, 16 + 64),
        (Codec::Packed, 4, 2 * (2 + 257)),
        (Codec::Small, 4, 2 * (2 + 257)),
    ] {
        let parts = Parts::of(&small_file(codec, Kind::Value));
        for length in [0, fewest - 1, fewest, most, most + 1, 5000] {
            let read = read_all(parts.with_block(0, vec![0; length]));
            let is_possible = (fewest..=most).contains(&length);
            match read.map_err(krou::table::TableError::into_fault) {
                // Of a file that is too long for any blocks the header is wrong.
                Err(Fault::BlockPosition { block: 0, .. } | Fault::Field { .. }) => {
                    assert!(!is_possible, "{codec} {length}");
                }
                Ok(()) | Err(Fault::Block { block: 0, .. }) => {
                    assert!(is_possible, "{codec} {length}");
                }
                Err(other) => panic!("{codec} {length}: {other}"),
            }
        }
    }
}

#[test]
fn zstandard_blocks_of_another_length_are_rejected() {
    let parts = Parts::of(&bounds_file(Codec::Zstd));
    let packed = |raw: &[u8]| zstd::bulk::compress(raw, 9).unwrap();
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
        match fault_of(parts.with_block(1, content)) {
            Fault::Block { block, fault } => {
                assert_eq!((block, fault), (1, BlockFault::Content { expected: 32 }));
            }
            other => panic!("{other}"),
        }
    }
    // Several frames may hold the content together.
    for content in [packed(&whole), frames] {
        read_all(parts.with_block(1, content)).unwrap();
    }
}

/// A block has 16 lower bounds, then 16 upper ones.
#[test]
fn impossible_entries_are_rejected() {
    let mut parts = Parts::of(&bounds_file(Codec::Raw));
    parts.blocks[3] = vec![0; 32];
    read_all(parts.file()).unwrap();
    for (at, wrong) in [
        (5, 3_i8),
        (5, -3),
        (16 + 5, 3),
        (16 + 5, -128),
        (5, 1),
        (16 + 5, -1),
    ] {
        let mut block = parts.blocks[3].clone();
        block[at] = wrong.cast_unsigned();
        let error = read_all(parts.with_block(3, block)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: block 3 is damaged (entry 53 is out of range): remove the file and build it again"
        );
    }
}

#[test]
fn the_first_damaged_block_is_named() {
    for &codec in Codec::ALL {
        let mut file = bounds_file(codec);
        let stored = Parts::of(&file).blocks;
        let blocks = stored.len();
        let end = file.len();
        file[end - 1] ^= 1;
        file[end - stored[blocks - 1].len() - 1] ^= 1;
        let table = Table::from_bytes("forged", file).unwrap();
        let error = table.check().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "forged: block {} is damaged (its checksum does not match): remove the file and build it again",
                blocks - 2
            )
        );
        table.tile(table.tile_count() - 1).unwrap_err();
        if blocks > 2 {
            table.tile(0).unwrap();
        }
    }
}
