//! Boards in two words, as searches hold them, and what sowings capture on them: bit
//! operations on all pits at once.

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
    pub fn net_of_rows(self) -> i8 {
        packed_row_seeds(self.mover).cast_signed() - packed_row_seeds(self.opponent).cast_signed()
    }
}

/// The sum of the bytes of a row.
pub(crate) fn packed_row_seeds(row: u64) -> u8 {
    // No row holds more than 48 seeds, so that no byte of the product overflows.
    (row.wrapping_mul(ONES) >> 56) as u8
}

/// The bit after those of the pits: a sowing of a lap or more, which may end anywhere.
const LAP: u8 = 1 << ROW;

/// By pit and the seeds in it, the pit of the other row where a sowing ends, as a bit; no
/// bit if it ends in the player's own row, [`LAP`] if it is longer than that.
pub(crate) static ENDS: [[u8; COUNTS]; ROW] = {
    let mut ends = [[0; COUNTS]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = ROW - pit;
        while seeds < COUNTS {
            let last = pit + seeds;
            ends[pit][seeds] = if last < PITS { 1 << (last - ROW) } else { LAP };
            seeds += 1;
        }
        pit += 1;
    }
    ends
};

/// The pits of a row that hold one or two seeds, as bits.
#[inline(always)]
pub(crate) fn ones_and_twos(row: u64) -> u8 {
    // A byte with its upper bit set for each pit that holds another number.
    let differs = (((row + ONES) ^ (2 * ONES)) & (0xFE * ONES)) + 0x7F * ONES;
    upper_bits(!differs)
}

/// The pits of a row that hold seeds, as bits.
#[inline(always)]
pub(super) fn occupied(row: u64) -> u8 {
    // No byte is above 48, so no sum overflows.
    upper_bits(row + 0x7F * ONES)
}

/// The upper bits of all bytes beside each other.
#[inline(always)]
fn upper_bits(word: u64) -> u8 {
    ((word >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The mover's pits whose sowings may capture, as bits: all that do, and all sowings of a
/// lap or more.
#[inline]
pub(super) fn may_capture(board: PackedBoard) -> u8 {
    let targets = ones_and_twos(board.opponent) | LAP;
    let mut pits = 0;
    for (pit, ends) in ENDS.iter().enumerate() {
        let seeds = (board.mover >> (8 * pit)) as usize % COUNTS;
        pits |= u8::from(ends[seeds] & targets != 0) << pit;
    }
    pits
}

/// The part of a row that a sowing captures whose last seed fell in pit `last`, with 0 in
/// the other pits.
#[inline]
pub(super) fn captured(row: u64, last: u8) -> u64 {
    if (row >> (8 * last)) as u8 & !1 != 2 {
        return 0;
    }
    // A byte with its upper bit set for each pit that does not hold two or three seeds;
    // no byte is above 48, so no sum overflows.
    let differs = ((row ^ (2 * ONES)) & (0xFE * ONES)) + 0x7F * ONES;
    let stops = differs & (0x80 * ONES);
    let upto_last = u64::MAX >> (56 - 8 * last);
    // The chain goes back from the last pit to the first one that stops it.
    let stops = stops & upto_last;
    // The bit behind the highest stop, or 0. One bit more is set, so that the processor need
    // not ask whether any is.
    let after_stop = (stops << 1 | 1).ilog2();
    row & upto_last & u64::MAX << after_stop
}
