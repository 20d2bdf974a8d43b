//! Blocks of tiles that are forged: checksums are right, the tiles are not what
//! the writer made. The answer is an error or, where a coder cannot know better,
//! entries that are possible.

use krou::table::{BlockFault, Fault, Table};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::forge::{Parts, block_of, tile_counts, tiles_of};
use crate::support::{every_tiled_file, fault_of, read_all};

/// The table, and its first block in tiles.
fn first_block(file: &[u8]) -> (Parts, Vec<Vec<u8>>) {
    let parts = Parts::of(file);
    let tiles = tiles_of(&parts.blocks[0], tile_counts(file)[0]);
    assert_eq!(block_of(&tiles), parts.blocks[0]);
    (parts, tiles)
}

/// Whether the block is taken; if not, because of its lengths or a tile.
fn is_taken(file: Vec<u8>) -> bool {
    match read_all(file).map_err(|error| error.fault) {
        Ok(()) => true,
        Err(Fault::Block { fault, .. }) => {
            let is_right = matches!(fault, BlockFault::Tiles | BlockFault::Tile { .. });
            assert!(is_right, "{fault}");
            false
        }
        Err(Fault::BlockPosition { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn every_flipped_bit_of_a_tile() {
    let (mut taken, mut refused) = (0, 0);
    for file in every_tiled_file() {
        let parts = Parts::of(&file);
        for place in 0..parts.blocks.len() {
            for bit in 0..8 * parts.blocks[place].len() {
                let mut block = parts.blocks[place].clone();
                block[bit / 8] ^= 1 << (bit % 8);
                match is_taken(parts.with_block(place, block)) {
                    true => taken += 1,
                    false => refused += 1,
                }
            }
        }
    }
    // The end of a tile finds most of what the checksum would have.
    assert!(refused > taken, "{refused} of {}", refused + taken);
}

/// Every length in turn is every other number.
#[test]
fn lengths_that_do_not_add_up() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        for place in 0..tiles.len() {
            for wrong in 0..400 {
                // Two bytes, of which one might do, are refused as well.
                for is_wide in [false, true] {
                    let mut block = Vec::new();
                    for (number, tile) in tiles.iter().enumerate() {
                        let length = if number == place { wrong } else { tile.len() };
                        let wide = is_wide && number == place || length > 127;
                        block.push((length % 128) as u8 | if wide { 128 } else { 0 });
                        block.extend(wide.then_some((length / 128) as u8));
                    }
                    block.extend(tiles.iter().flatten());
                    let is_right = wrong == tiles[place].len() && (!is_wide || wrong > 127);
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

/// Lengths that add up, but not to the tiles.
#[test]
fn bytes_of_the_wrong_tile() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        let mut first_longer = tiles.clone();
        let moved = first_longer[1].remove(0);
        first_longer[0].push(moved);
        let mut first_shorter = tiles.clone();
        let moved = first_shorter[0].pop().unwrap();
        first_shorter[1].insert(0, moved);
        for tiles in [first_longer, first_shorter] {
            assert!(!is_taken(parts.with_block(0, block_of(&tiles))));
        }
    }
}

#[test]
fn tiles_that_are_too_short_or_too_long() {
    for file in every_tiled_file() {
        let (parts, tiles) = first_block(&file);
        for place in 0..tiles.len() {
            let mut forged = tiles.clone();
            for length in 0..tiles[place].len() {
                forged[place] = tiles[place][..length].to_vec();
                assert!(!is_taken(parts.with_block(0, block_of(&forged))));
            }
            for byte in [0, 1, 128, 255] {
                for more in [1, 2, 100, 200, 257, 513, 600, 5000] {
                    forged[place].clone_from(&tiles[place]);
                    forged[place].resize(tiles[place].len() + more, byte);
                    assert!(!is_taken(parts.with_block(0, block_of(&forged))));
                }
            }
        }
    }
}

/// A tile that is asked for by itself is found although another one is bad, but
/// not if their lengths do not add up.
#[test]
fn a_good_tile_beside_a_bad_one() {
    for file in every_tiled_file() {
        let (parts, mut tiles) = first_block(&file);
        tiles[1].push(0);
        let forged = parts.with_block(0, block_of(&tiles));
        let table = Table::from_bytes("forged", forged).unwrap();
        let good = Table::from_bytes("good", file).unwrap();
        assert_eq!(table.unit(0).unwrap(), good.unit(0).unwrap());
        let error = table.unit(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forged: block 0 is damaged (tile 1 cannot be decoded): remove the file and build it again"
        );
        let mut block = block_of(&tiles);
        block.push(0);
        let table = Table::from_bytes("forged", parts.with_block(0, block)).unwrap();
        let error = table.unit(0).unwrap_err();
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

    /// Any tiles in a good block.
    #[test]
    fn forged_tiles(
        stored in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 2),
    ) {
        for file in every_tiled_file() {
            let (parts, _) = first_block(&file);
            is_taken(parts.with_block(0, block_of(&stored)));
        }
    }

    /// Any bytes for a block.
    #[test]
    fn forged_blocks(block in prop::collection::vec(any::<u8>(), 1..300)) {
        for file in every_tiled_file() {
            is_taken(Parts::of(&file).with_block(0, block.clone()));
        }
    }

    /// The start of a good tile, then anything.
    #[test]
    fn forged_tails(cut in 0..100_usize, tail in prop::collection::vec(any::<u8>(), 0..20)) {
        for file in every_tiled_file() {
            let (parts, mut tiles) = first_block(&file);
            tiles[0].truncate(cut);
            tiles[0].extend(&tail);
            is_taken(parts.with_block(0, block_of(&tiles)));
        }
    }
}
