//! Decoding blocks and models of each codec and kind, with correct checksums.
//!
//! The first byte selects a golden table and which part of it is replaced by the rest
//! of the input: its first block, its models, or both, with the length of the models
//! in the next two bytes.

use krou::table::Table;

use super::checksums::{HEADER, RECORD, fix_length_and_checksums, number};
use super::table::is_possible;

const GOOD: [&[u8]; 12] = [
    include_bytes!("../../data/golden/v1/raw/awari-05.value.krou"),
    include_bytes!("../../data/golden/v1/raw/awari-05.distance.krou"),
    include_bytes!("../../data/golden/v1/raw/awale-05.bounds.krou"),
    include_bytes!("../../data/golden/v1/zstd/awari-05.value.krou"),
    include_bytes!("../../data/golden/v1/zstd/awale-05.bounds.krou"),
    include_bytes!("../../data/golden/v2/packed/awari-05.value.krou"),
    include_bytes!("../../data/golden/v2/packed/awari-05.distance.krou"),
    include_bytes!("../../data/golden/v2/packed/awale-05.bounds.krou"),
    include_bytes!("../../data/golden/v2/small/awari-05.value.krou"),
    include_bytes!("../../data/golden/v2/small/awari-05.distance.krou"),
    include_bytes!("../../data/golden/v2/small/awale-05.bounds.krou"),
    include_bytes!("../../data/golden/v2/small/kalah-05.value.krou"),
];

/// Tiles in a block of these tables.
const TILES: u64 = 8;

/// Alters a table and reads the altered part.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let good = GOOD[usize::from(choice) % GOOD.len()];
    let read = |at| usize::try_from(number(good, at)).expect("a number of a small file");
    let directory_end = HEADER + RECORD * read(32);
    let models_end = directory_end + read(56);
    let good_models = &good[directory_end..models_end];
    let good_block = &good[models_end..read(HEADER)];
    let (models, block) = match usize::from(choice) / GOOD.len() % 3 {
        0 => (good_models, rest),
        1 => (rest, good_block),
        _ => {
            let Some((length, rest)) = rest.split_first_chunk() else {
                return;
            };
            let length = usize::from(u16::from_le_bytes(*length));
            rest.split_at(length.min(rest.len()))
        }
    };
    let later = &good[read(HEADER)..];
    let mut file = [&good[..directory_end], models, block, later].concat();
    file[56..64].copy_from_slice(&(models.len() as u64).to_le_bytes());
    // Move the end of each block.
    let moved = file.len() as u64;
    for record in (HEADER..directory_end).step_by(RECORD) {
        let end = number(good, record) + moved - good.len() as u64;
        file[record..record + 8].copy_from_slice(&end.to_le_bytes());
    }
    fix_length_and_checksums(&mut file);
    if let Ok(table) = Table::from_bytes("fuzzed", file) {
        read_block(&table);
    }
}

/// Decodes the tiles of the first block.
fn read_block(table: &Table) {
    let tiles = match table.codec().is_exact() {
        true => 1,
        false => TILES.min(table.tile_count()),
    };
    for number in 0..tiles {
        if let Ok(tile) = table.tile(number) {
            let planes = table.id().kind.planes();
            for offset in 0..tile.entries() {
                let entries: Vec<u8> = (0..planes).map(|n| tile.plane(n)[offset]).collect();
                is_possible(table.id(), table.codec(), &entries);
            }
        }
    }
}
