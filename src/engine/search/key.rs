//! Keys of hash tables: a board and the mover's lead in two words.

use crate::rules::PackedBoard;

/// A board and a lead, without loss: no two share a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    /// The mover's row.
    mover: u64,
    /// The opponent's row, with the lead in the highest byte.
    opponent: u64,
}

/// A key in fewer bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShortKey {
    /// The mover's row, and the first pits of the opponent's.
    pub low: u64,
    /// The rest of the opponent's row, and the lead.
    pub high: u64,
}

/// Bits of a row: six for each pit.
const ROW_BITS: u32 = 36;
/// Bits of a row's rest that does not fit into `low`.
const REST_BITS: u32 = 2 * ROW_BITS - u64::BITS;

/// Whose view of a board a key is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// What is flipped in the mover's row.
    flipped: u64,
}

impl View {
    /// That of both players.
    pub const SHARED: View = View { flipped: 0 };
    /// That of a player who does not share it with the other: the highest bits of the mover's
    /// first three pits are flipped. A board has at most one of them set, because each stands
    /// for 32 seeds; so at least two are set in such a key.
    pub const OWN: View = View {
        flipped: 1 << 5 | 1 << 13 | 1 << 21,
    };
}

impl Key {
    /// The key of a board whose mover is `lead` seeds ahead. Keys with other views are other
    /// keys.
    pub fn of(board: PackedBoard, lead: i8, view: View) -> Key {
        Key {
            mover: board.mover ^ view.flipped,
            opponent: board.opponent | u64::from(lead.cast_unsigned()) << 56,
        }
    }

    /// A hash; its upper bits are the best.
    pub fn hash(self) -> u64 {
        let mover = self.mover.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let opponent = self.opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mover.wrapping_add(opponent.rotate_left(32))
    }

    pub fn short(self) -> ShortKey {
        let (mover, opponent) = (squeezed(self.mover), squeezed(self.opponent));
        let lead = self.opponent >> 56 & 0x7F;
        ShortKey {
            low: mover | opponent << ROW_BITS,
            high: opponent >> (ROW_BITS - REST_BITS) | lead << REST_BITS,
        }
    }
}

impl ShortKey {
    /// The bits of `high` that are used.
    pub const HIGH_BITS: u32 = REST_BITS + 7;
}

/// A row with six bits for each pit in the place of eight. No pit holds more than 48.
fn squeezed(row: u64) -> u64 {
    // Pairs of pits, then all of them.
    let pairs = row & 0x003F_003F_003F | (row & 0x3F00_3F00_3F00) >> 2;
    pairs & 0xFFF | pairs >> 4 & 0xFFF_000 | pairs >> 8 & 0xF_FF00_0000
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::test_random::Lcg;
    use crate::rules::Board;

    #[test]
    fn keys_differ_in_every_bit_of_pits_and_lead() {
        let mut random = Lcg(5);
        let mut boards = HashSet::new();
        for _ in 0..5_000 {
            let mut pits = [0; 12];
            (0..random.below(49)).for_each(|_| pits[random.below(12)] += 1);
            boards.insert(Board::new(pits).unwrap());
        }
        for pit in 0..12 {
            let mut pits = [0; 12];
            for seeds in 0..=48 {
                pits[pit] = seeds;
                boards.insert(Board::new(pits).unwrap());
            }
        }
        let mut keys = HashSet::new();
        for board in &boards {
            for lead in [-48, -5, 0, 1, 48] {
                for view in [View::SHARED, View::OWN] {
                    let key = Key::of(PackedBoard::of(board), lead, view);
                    let ShortKey { low, high } = key.short();
                    assert!(high < 1 << ShortKey::HIGH_BITS);
                    assert!(keys.insert((low, high)), "{board:?}, {lead}");
                }
            }
        }
    }
}
