//! Boards packed in two words, as keys of hash tables.

use crate::rules::{Board, PITS};

/// Bits of a pit.
const PIT_BITS: u32 = 6;
/// Pits in the first word.
const LOW_PITS: usize = 10;

/// A board as two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    /// Pits 0 to 9.
    pub low: u64,
    /// Pits 10 and 11.
    pub high: u64,
}

impl Key {
    /// The bits of `high` that are used.
    pub const HIGH_BITS: u32 = PIT_BITS * (PITS - LOW_PITS) as u32;

    pub fn of(board: &Board) -> Key {
        let pack = |pits: &[u8]| {
            pits.iter()
                .fold(0, |word, &seeds| word << PIT_BITS | u64::from(seeds))
        };
        let pits = board.pits();
        Key {
            low: pack(&pits[..LOW_PITS]),
            high: pack(&pits[LOW_PITS..PITS]),
        }
    }

    /// A hash of the board; its upper bits are the best.
    pub fn hash(self) -> u64 {
        let mixed = (self.low ^ self.high << 52).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}
