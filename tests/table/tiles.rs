//! Forged blocks of tiles: checksums are right, but the tiles are not those that the
//! writer made. Decoding gives an error or, if the coder cannot detect it, possible
//! entries.

use krou::internal::table::{BlockFault, Fault};
use krou::table::Table;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::parts::{Parts, block_of, tile_counts, tiles_of};
use crate::support::{every_tiled_file, fault_of, read_all};

/// The table, and its first block in tiles.
fn first_block(file: &[u8]) -> (Parts, Vec<Vec<u8>>) {
    let parts = Parts::of(file);
    let tiles = tiles_of(&parts.blocks[0], tile_counts(file)[0]);
    assert_eq!(block_of(&tiles), parts.blocks[0]);
    (parts, tiles)
}

/// Whether the block is accepted. An error must name its lengths or a tile.
fn is_accepted(file: Vec<u8>) -> bool {
    match read_all(file).map_err(krou::table::TableError::into_fault) {
        Ok(()) => true,
        Err(Fault::Block { fault, .. }) => {
            let is_right = matches!(fault, BlockFault::Tiles | BlockFault::Tile { .. });
            assert!(is_right, "{fault}");
            false
        }
        // Of a file that is too long for any blocks the header is wrong.
        Err(Fault::BlockPosition { .. } | Fault::Field { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn most_flipped_bits_of_tiles_are_detected() {
    let (mut accepted, mut rejected) = (0, 0);
    for file in every_tiled_file() {
        let parts = Parts::of(&file);
        for number in 0..parts.blocks.len() {
            for bit in 0..8 * parts.blocks[number].len() {
                let mut block = parts.blocks[number].clone();
                block[bit / 8] ^= 1 << (bit % 8);
                match is_accepted(parts.with_block(number, block)) {
                    true => accepted += 1,
                    false => rejected += 1,
                }
            }
        }
    }
    // The check at the end of a tile detects most damage even without the checksum.
    assert!(rejected > accepted, "{rejected} of {}", rejected + accepted);
}

/// Each length in turn takes every other value.
#[test]
fn lengths_that_do_not_add_up_are_rejected() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        for at in 0..tiles.len() {
            for wrong in 0..400 {
                // Two bytes instead of one are rejected too.
                for is_wide in [false, true] {
                    let mut block = Vec::new();
                    for (number, tile) in tiles.iter().enumerate() {
                        let length = if number == at { wrong } else { tile.len() };
                        let wide = is_wide && number == at || length > 127;
                        block.push((length % 128) as u8 | if wide { 128 } else { 0 });
                        block.extend(wide.then_some((length / 128) as u8));
                    }
                    block.extend(tiles.iter().flatten());
                    let is_right = wrong == tiles[at].len() && (!is_wide || wrong > 127);
                    let forged = parts.with_block(0, block);
                    assert_eq!(read_all(forged.clone()).is_ok(), is_right);
                    if !is_right {
                        assert!(matches!(
                            fault_of(forged),
                            Fault::Block {
                                block: 0,
                                fault: BlockFault::Tiles
                            }
                        ));
                    }
                }
            }
        }
    }
}

/// The lengths add up, but a byte belongs to the wrong tile.
#[test]
fn shifted_tile_boundaries_are_rejected() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        let mut first_longer = tiles.clone();
        let moved = first_longer[1].remove(0);
        first_longer[0].push(moved);
        let mut first_shorter = tiles.clone();
        let moved = first_shorter[0].pop().unwrap();
        first_shorter[1].insert(0, moved);
        for tiles in [first_longer, first_shorter] {
            assert!(!is_accepted(parts.with_block(0, block_of(&tiles))));
        }
    }
}

#[test]
fn tiles_of_another_length_are_rejected() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        for at in 0..tiles.len() {
            let mut forged = tiles.clone();
            for length in 0..tiles[at].len() {
                forged[at] = tiles[at][..length].to_vec();
                assert!(!is_accepted(parts.with_block(0, block_of(&forged))));
            }
            for byte in [0, 1, 128, 255] {
                for more in [1, 2, 100, 200, 257, 513, 600, 5000] {
                    forged[at].clone_from(&tiles[at]);
                    forged[at].resize(tiles[at].len() + more, byte);
                    assert!(!is_accepted(parts.with_block(0, block_of(&forged))));
                }
            }
        }
    }
}

/// A sound tile decodes although another one is damaged, unless the lengths of the
/// block do not add up.
#[test]
fn sound_tiles_decode_beside_damaged_ones() {
    for file in every_tiled_file() {
        let (parts, mut tiles) = first_block(&file);
        tiles[1].push(0);
        let forged = parts.with_block(0, block_of(&tiles));
        let table = Table::from_bytes("forged", forged).unwrap();
        let good = Table::from_bytes("good", file).unwrap();
        assert_eq!(table.tile(0).unwrap(), good.tile(0).unwrap());
        let error = table.tile(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: block 0 is damaged (tile 1 cannot be decoded): remove the file and build it again"
        );
        let mut block = block_of(&tiles);
        block.push(0);
        let table = Table::from_bytes("forged", parts.with_block(0, block)).unwrap();
        let error = table.tile(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: block 0 is damaged (its tiles do not fill it): remove the file and build it again"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(49),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Random tiles in a sound block.
    #[test]
    fn random_tiles_do_not_panic(
        stored in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 2),
    ) {
        for file in every_tiled_file() {
            let (parts, _) = first_block(&file);
            is_accepted(parts.with_block(0, block_of(&stored)));
        }
    }

    #[test]
    fn random_blocks_do_not_panic(block in prop::collection::vec(any::<u8>(), 1..300)) {
        for file in every_tiled_file() {
            is_accepted(Parts::of(&file).with_block(0, block.clone()));
        }
    }

    /// The start of a sound tile, then random bytes.
    #[test]
    fn random_tails_of_tiles_do_not_panic(cut in 0..100_usize, tail in prop::collection::vec(any::<u8>(), 0..20)) {
        for file in every_tiled_file() {
            let (parts, mut tiles) = first_block(&file);
            tiles[0].truncate(cut);
            tiles[0].extend(&tail);
            is_accepted(parts.with_block(0, block_of(&tiles)));
        }
    }
}
