//! What a slot of the transposition table holds: the key of a board and the result of its
//! search, in two words.
//!
//! ```text
//! low    the first 64 bits of the key
//! data   rest of the key · score · depth · bound · pit · lower · upper · age
//!        15              + 16    + 7     + 2     + 3   + 7     + 7     + 7 bits
//! ```

use super::score::{ProvenBounds, Window};
use crate::rules::PackedBoard;

/// A board and a lead, without loss: no two share a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardKey {
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

impl BoardKey {
    /// What [`BoardKey::of_opponent`] flips: the highest bits of the mover's first three pits. A board
    /// has at most one of them set, because each stands for 32 seeds; so at least two are set in
    /// such a key.
    const OPPONENT: u64 = 1 << 5 | 1 << 13 | 1 << 21;

    /// The key of a board whose mover is `lead` seeds ahead.
    pub fn of(board: PackedBoard, lead: i8) -> BoardKey {
        BoardKey {
            mover: board.mover,
            opponent: board.opponent | u64::from(lead.cast_unsigned()) << 56,
        }
    }

    /// The key of the same board for a search in which both players score it differently: with
    /// the opponent of the player to move at the root to move.
    pub fn of_opponent(self) -> BoardKey {
        BoardKey {
            mover: self.mover ^ BoardKey::OPPONENT,
            ..self
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

/// How the score of a search relates to the true score of its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Not at all: the score rests on the path that led to the board.
    None,
    Exact,
    Lower,
    Upper,
}

impl Bound {
    /// The bound of a score found with this window.
    pub fn of(score: i16, window: Window) -> Bound {
        if score <= window.alpha {
            Bound::Upper
        } else if score >= window.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// The result of a search of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HashEntry {
    /// The score of a search to `depth`.
    pub score: i16,
    /// How the score relates to that of `depth`.
    pub bound: Bound,
    /// Depth of the search in plies.
    pub depth: u8,
    /// The best move, if one was found.
    pub pit: Option<u8>,
    /// What is proven, at any depth.
    pub proven: ProvenBounds,
}

impl HashEntry {
    /// Whether a search to `depth` would add nothing for this window.
    pub fn settles(&self, depth: u8, window: Window) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => self.score >= window.beta,
                Bound::Upper => self.score <= window.alpha,
            }
    }

    /// This entry of a board that has an older one: the deeper search of the two, with
    /// everything that is proven.
    pub fn merged(self, older: HashEntry) -> HashEntry {
        let is_deeper =
            older.bound != Bound::None && (older.depth > self.depth || self.bound == Bound::None);
        let mut entry = if is_deeper { older } else { self };
        entry.pit = self.pit.or(older.pit);
        entry.proven = self.proven.intersect(older.proven);
        entry
    }
}

// Where the fields of the word begin.
pub(super) const SCORE: u32 = ShortKey::HIGH_BITS;
const DEPTH: u32 = SCORE + 16;
const BOUND: u32 = DEPTH + 7;
const PIT: u32 = BOUND + 2;
const LOWER: u32 = PIT + 3;
const UPPER: u32 = LOWER + 7;
pub(super) const AGE: u32 = UPPER + 7;

/// No best move: all bits of the field are set.
const NO_PIT: u8 = 7;

/// The word of an entry, without key and age.
pub(super) fn pack(entry: HashEntry) -> u64 {
    let bound = match entry.bound {
        Bound::None => 0,
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let margin = |margin: i8| u64::from(margin.cast_unsigned() & 0x7F);
    u64::from(entry.score.cast_unsigned()) << SCORE
        | u64::from(entry.depth & 0x7F) << DEPTH
        | bound << BOUND
        | u64::from(entry.pit.unwrap_or(NO_PIT)) << PIT
        | margin(entry.proven.lower) << LOWER
        | margin(entry.proven.upper) << UPPER
}

/// The entry in such a word.
pub(super) fn unpack(data: u64) -> HashEntry {
    let pit = (data >> PIT) as u8 & NO_PIT;
    // Seven bits with a sign.
    let margin = |at: u32| ((data >> at) as u8 & 0x7F).cast_signed() << 1 >> 1;
    HashEntry {
        score: ((data >> SCORE) as u16).cast_signed(),
        bound: match data >> BOUND & 3 {
            0 => Bound::None,
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: depth_of(data),
        pit: (pit != NO_PIT).then_some(pit),
        proven: ProvenBounds {
            lower: margin(LOWER),
            upper: margin(UPPER),
        },
    }
}

/// The depth in such a word.
pub(super) fn depth_of(data: u64) -> u8 {
    (data >> DEPTH) as u8 & 0x7F
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
                let key = BoardKey::of(PackedBoard::of(board), lead);
                for key in [key, key.of_opponent()] {
                    let ShortKey { low, high } = key.short();
                    assert!(high < 1 << ShortKey::HIGH_BITS);
                    assert!(keys.insert((low, high)), "{board:?}, {lead}");
                }
            }
        }
    }
}
