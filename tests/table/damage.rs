//! Damage to whole files: each bit in turn, and at random, with and without corrected
//! checksums.

use std::sync::LazyLock;

use krou::internal::table::{BlockFault, Fault};
use krou::table::{Codec, Kind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::checksums::{HEADER, RECORD, fix_checksums, fix_length_and_checksums};
use crate::parts::Parts;
use crate::support::{every_file, fault_of, read_all, small_file};

#[test]
fn every_flipped_bit_is_detected() {
    for mut file in every_file() {
        let parts = Parts::of(&file);
        let directory_end = HEADER + RECORD * parts.blocks.len();
        let models_end = directory_end + parts.models.len();
        for bit in 0..8 * file.len() {
            file[bit / 8] ^= 1 << (bit % 8);
            let fault = fault_of(file.clone());
            let at = bit / 8;
            let right = match fault {
                Fault::TextModeCopy | Fault::NotATable => at < 8,
                Fault::Newer { .. } => (8..10).contains(&at),
                Fault::DamagedHeader => (8..HEADER).contains(&at),
                Fault::DamagedDirectory => (HEADER..directory_end).contains(&at),
                Fault::DamagedModel => (directory_end..models_end).contains(&at),
                Fault::Block { ref fault, .. } => {
                    at >= models_end && *fault == BlockFault::Checksum
                }
                _ => false,
            };
            assert!(right, "bit {bit}: {fault}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        read_all(file).unwrap();
    }
}

#[test]
fn flipped_bits_with_right_checksums_do_not_panic() {
    for file in every_file() {
        for bit in 0..8 * file.len() {
            let mut file = file.clone();
            file[bit / 8] ^= 1 << (bit % 8);
            fix_checksums(&mut file);
            let _ = read_all(file);
        }
    }
}

/// Lengths and checksums are corrected.
#[test]
fn every_truncated_file_is_rejected() {
    for file in every_file() {
        for length in 0..file.len() {
            let mut file = file[..length].to_vec();
            fix_length_and_checksums(&mut file);
            assert!(read_all(file).is_err());
        }
    }
}

/// Parts of a file to overwrite: the offset and the new bytes.
fn overwrites() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    let one = (0..600_usize, prop::collection::vec(any::<u8>(), 1..10));
    prop::collection::vec(one, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(50),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(bytes).is_err());
    }

    #[test]
    fn random_tails_are_rejected(kept in 0..900_usize, tail in prop::collection::vec(any::<u8>(), 1..300)) {
        for file in every_file() {
            let mut forged = file[..kept.min(file.len())].to_vec();
            forged.extend(&tail);
            prop_assert!(forged == file || read_all(forged.clone()).is_err());
            fix_length_and_checksums(&mut forged);
            let _ = read_all(forged);
        }
    }

    /// All checksums are corrected.
    #[test]
    fn random_changes_with_right_checksums_do_not_panic(changes in overwrites()) {
        for mut file in every_file() {
            for (at, bytes) in &changes {
                for (byte, new) in file.iter_mut().skip(*at).zip(bytes) {
                    *byte = *new;
                }
            }
            fix_checksums(&mut file);
            let _ = read_all(file);
        }
    }

    /// All checksums are corrected.
    #[test]
    fn random_zstandard_blocks_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 1..60), cut in 0..40_usize) {
        static PARTS: LazyLock<Parts> =
            LazyLock::new(|| Parts::of(&small_file(Codec::Zstd, Kind::Distance)));
        let parts = &*PARTS;
        let _ = read_all(parts.with_block(0, bytes.clone()));
        // The start of a sound frame, then random bytes.
        let mut block = parts.blocks[1].clone();
        block.truncate(cut);
        block.extend(&bytes);
        let _ = read_all(parts.with_block(1, block));
    }
}
