//! Random boards and games, the same on every machine for the same seed.

use fastrand::Rng;
use krou::rules::Board;

/// A board with this many seeds.
pub fn board(random: &mut Rng, seeds: u8) -> Board {
    let mut pits = [0; 12];
    for _ in 0..seeds {
        pits[random.usize(..12)] += 1;
    }
    Board::new(pits).unwrap()
}
