//! The moves of one row, in four bytes each.

use crate::rules::{MAX_SEEDS, ROW};
use crate::solve::memory::{PACKED_MOVE_BYTES, ROW_MOVES_BYTES};

/// Playing one pit of one mover's row, as far as the layer's lines matter.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::solve) struct RowMove {
    /// The line of A'.
    pub line: u32,
    /// Seeds in A': the section that the line is in.
    pub seeds: u8,
    /// Which of the column maps applies.
    pub map: u8,
}

/// A move from one row to another: the number of one of them, the seeds that cross, and what
/// the column map depends on beside these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedMove(u32);

/// Bits for the seeds that cross, and for what the map depends on beside these.
const CROSSED_BITS: u32 = 6;
const KIND_BITS: u32 = 4;

const _: () = {
    assert!(size_of::<PackedMove>() == PACKED_MOVE_BYTES);
    assert!(size_of::<RowMoves>() == ROW_MOVES_BYTES);
    assert!((MAX_SEEDS as u32) < 1 << CROSSED_BITS);
};

impl PackedMove {
    /// In place of a move, where there is none.
    pub const NONE: PackedMove = PackedMove(u32::MAX);

    /// A move that sends `crossed` seeds across, and its column map.
    pub fn new(number: u32, crossed: u8, map: u8) -> PackedMove {
        let kind = u32::from(map - 2 * crossed);
        debug_assert!(kind < 1 << KIND_BITS);
        PackedMove((number << CROSSED_BITS | u32::from(crossed)) << KIND_BITS | kind)
    }

    /// The number of the row.
    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0 >> (CROSSED_BITS + KIND_BITS)
    }

    /// How many seeds cross.
    #[inline(always)]
    pub fn crossed(self) -> u8 {
        (self.0 >> KIND_BITS) as u8 & ((1 << CROSSED_BITS) - 1)
    }

    /// The number of the column map.
    #[inline(always)]
    pub fn map(self) -> u8 {
        2 * self.crossed() + (self.0 as u8 & ((1 << KIND_BITS) - 1))
    }
}

/// The moves of one mover's row, at most six.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct RowMoves {
    /// The lines that they lead to, and how, in order. Behind the last one is `NONE`.
    moves: [PackedMove; ROW],
    /// Seeds in the row.
    seeds: u8,
}

impl RowMoves {
    /// The moves of a row with `seeds` seeds, in the order of their pits.
    pub(super) fn new(seeds: u8, moves: impl Iterator<Item = RowMove>) -> RowMoves {
        let mut packed = [PackedMove::NONE; ROW];
        for (packed, m) in packed.iter_mut().zip(moves) {
            *packed = PackedMove::new(m.line, seeds - m.seeds, m.map);
        }
        RowMoves {
            moves: packed,
            seeds,
        }
    }

    /// The moves, in the order of their pits.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = RowMove> + Clone + '_ {
        let moves = self.moves.iter();
        let moves = moves.take_while(|packed| **packed != PackedMove::NONE);
        moves.map(|packed| RowMove {
            line: packed.number(),
            seeds: self.seeds - packed.crossed(),
            map: packed.map(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::row;

    #[test]
    fn packed_moves_keep_what_they_are_made_of() {
        let largest = row::row_count(MAX_SEEDS) - 1;
        assert!(largest < PackedMove::NONE.number());
        for number in [0, 1, 170_000, largest] {
            for crossed in 0..=MAX_SEEDS {
                for kind in 0..=ROW as u8 {
                    let map = 2 * crossed + kind;
                    let packed = PackedMove::new(number, crossed, map);
                    assert_ne!(packed, PackedMove::NONE);
                    let parts = (packed.number(), packed.crossed(), packed.map());
                    assert_eq!(parts, (number, crossed, map));
                }
            }
        }
    }

    #[test]
    fn rows_have_up_to_six_moves() {
        for count in 0..=ROW {
            let moves = (0..count as u8).map(|number| RowMove {
                line: 7 * u32::from(number),
                seeds: 20 - number,
                map: 2 * number + 1,
            });
            let row = RowMoves::new(20, moves.clone());
            let parts = |m: RowMove| (m.line, m.seeds, m.map);
            assert!(row.iter().map(parts).eq(moves.map(parts)));
        }
    }
}
