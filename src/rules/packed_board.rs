//! Boards in two words, as searches hold them.

use super::board::{Board, PITS, ROW};

/// A board: bytes 0 to 5 of each word are the pits of a row, in sowing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedBoard {
    pub mover: u64,
    pub opponent: u64,
}

/// The length of a table by the seeds in a pit or a row: more than a board holds, and a
/// power of two, so that an index needs no check.
pub(crate) const COUNTS: usize = 64;

/// A byte of 1 for each pit.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;

impl PackedBoard {
    pub fn of(board: &Board) -> PackedBoard {
        let pack = |row: [u8; ROW]| {
            let [a, b, c, d, e, f] = row;
            u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
        };
        PackedBoard {
            mover: pack(board.mover()),
            opponent: pack(board.opponent()),
        }
    }

    pub fn to_board(self) -> Board {
        let mut pits = [0; PITS];
        pits[..ROW].copy_from_slice(&self.mover.to_le_bytes()[..ROW]);
        pits[ROW..].copy_from_slice(&self.opponent.to_le_bytes()[..ROW]);
        Board::trusted(pits)
    }

    /// Seeds in one of the mover's pits.
    pub fn seeds_in(self, pit: u8) -> u8 {
        (self.mover >> (8 * pit)) as u8
    }

    /// Net seeds for the mover if both players keep their rows.
    #[cfg(feature = "engine")]
    pub fn net_of_rows(self) -> i8 {
        packed_row_seeds(self.mover).cast_signed() - packed_row_seeds(self.opponent).cast_signed()
    }
}

/// The sum of the bytes of a row.
pub(crate) fn packed_row_seeds(row: u64) -> u8 {
    // No row holds more than 48 seeds, so that no byte of the product overflows.
    (row.wrapping_mul(ONES) >> 56) as u8
}
