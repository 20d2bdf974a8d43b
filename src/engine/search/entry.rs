//! Entries of the transposition table, and the word that holds one:
//!
//! ```text
//! rest of the key · score · depth · bound · pit · lower · upper · age
//! 15              + 16    + 7     + 2     + 3   + 7     + 7     + 7 bits
//! ```

use super::bounded_score::ProvenBounds;
use super::key::ShortKey;
use super::window::Window;

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
pub(super) struct Entry {
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

impl Entry {
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
    pub fn merged(self, older: Entry) -> Entry {
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
pub(super) fn pack(entry: Entry) -> u64 {
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
pub(super) fn unpack(data: u64) -> Entry {
    let pit = (data >> PIT) as u8 & NO_PIT;
    // Seven bits with a sign.
    let margin = |at: u32| ((data >> at) as u8 & 0x7F).cast_signed() << 1 >> 1;
    Entry {
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
