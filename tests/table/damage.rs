//! Damage to whole files: every bit, and at random, with and without the
//! checksums made to match.

use krou::table::{BlockFault, Codec, Fault, Kind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::forge::Parts;
use crate::seal::{HEADER, RECORD, mend, seal};
use crate::support::{every_file, fault_of, read_all, small_file};

/// Not one bit of a file is without a check.
#[test]
fn every_flipped_bit_is_found() {
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

/// The same with checksums that match.
#[test]
fn every_flipped_bit_of_a_sealed_file() {
    for file in every_file() {
        for bit in 0..8 * file.len() {
            let mut file = file.clone();
            file[bit / 8] ^= 1 << (bit % 8);
            seal(&mut file);
            let _ = read_all(file);
        }
    }
}

/// Truncation at every byte, with lengths and checksums that match.
#[test]
fn every_shorter_file_that_is_mended() {
    for file in every_file() {
        for length in 0..file.len() {
            let mut file = file[..length].to_vec();
            mend(&mut file);
            assert!(read_all(file).is_err());
        }
    }
}

/// A piece of a file to overwrite: where, and with what.
fn scribbles() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
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
    fn random_bytes_are_no_table(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(bytes).is_err());
    }

    /// Random bytes behind a good start.
    #[test]
    fn random_tails(kept in 0..900_usize, tail in prop::collection::vec(any::<u8>(), 1..300)) {
        for file in every_file() {
            let mut forged = file[..kept.min(file.len())].to_vec();
            forged.extend(&tail);
            prop_assert!(forged == file || read_all(forged.clone()).is_err());
            mend(&mut forged);
            let _ = read_all(forged);
        }
    }

    /// Random changes with all checksums made to match: an error or a table,
    /// never a panic.
    #[test]
    fn sealed_scribbles(changes in scribbles()) {
        for mut file in every_file() {
            for (at, bytes) in &changes {
                for (byte, new) in file.iter_mut().skip(*at).zip(bytes) {
                    *byte = *new;
                }
            }
            seal(&mut file);
            let _ = read_all(file);
        }
    }

    /// Random stored blocks of Zstandard with good checksums.
    #[test]
    fn forged_blocks(bytes in prop::collection::vec(any::<u8>(), 1..60), cut in 0..40_usize) {
        let parts = Parts::of(&small_file(Codec::Zstd, Kind::Distance));
        let _ = read_all(parts.with_block(0, bytes.clone()));
        // The start of a good frame, then anything.
        let mut block = parts.blocks[1].clone();
        block.truncate(cut);
        block.extend(&bytes);
        let _ = read_all(parts.with_block(1, block));
    }
}
