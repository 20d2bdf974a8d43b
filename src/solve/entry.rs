//! Entries: what a plane holds for each board, in a form that a processor
//! compares and turns round many at a time.
//!
//! - [`Score`]: a value, as a byte in which 128 stands for 0. Processors have
//!   had a maximum of unsigned bytes for longer, and in more places, than one
//!   of signed bytes.
//! - [`Key`]: a value and a distance in one number, ordered so that the larger
//!   key is the better move: first the value, then the shorter way to a win or
//!   the longer way to a loss.
//!
//! Both have a least entry `NONE` below every real one, and `turned`, which
//! makes of a child's entry what moving there is worth.

use std::ops::AddAssign;

use super::scratch::Stored;
use crate::rules::MAX_SEEDS;

/// What the sweeps work on.
pub(super) trait Entry: Stored + Ord {
    /// Below every entry of a board: no move found yet.
    const NONE: Self;
    /// Above every entry of a board: no child found yet. Turned, it is below
    /// every entry but `NONE`.
    const NO_CHILD: Self;
    /// What a quiet move to a board with this entry is worth.
    fn turned(self) -> Self;
    /// What a move that leaves the layer is worth.
    fn leaving(best: Score) -> Self;
    /// A number as wide as an entry, so that comparing and counting go side by
    /// side.
    type Count: Copy + Default + AddAssign + Into<u64>;
    /// 1 if the entries differ, otherwise 0.
    fn differs(self, other: Self) -> Self::Count;
}

/// The value of a board in net seeds, −48 to 48.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Score(u8);

impl Score {
    /// The score of a value, which must be from −48 to 48.
    pub fn new(value: i8) -> Score {
        debug_assert!(value.unsigned_abs() <= MAX_SEEDS);
        Score(value.cast_unsigned() ^ 0x80)
    }

    /// The value, −48 to 48.
    pub fn value(self) -> i8 {
        (self.0 ^ 0x80).cast_signed()
    }

    /// What a move that takes `captured` seeds and leads to this score is worth.
    #[inline(always)]
    pub(super) fn turned_with(self, captured: u8) -> Score {
        Score(captured.wrapping_sub(self.0))
    }
}

impl Stored for Score {
    const BYTES: usize = 1;
    const ANY: Score = Score(0x80);

    fn encode(entries: &[Score], bytes: &mut [u8]) {
        for (byte, entry) in bytes.iter_mut().zip(entries) {
            *byte = entry.0;
        }
    }

    fn decode(bytes: &[u8], entries: &mut [Score]) {
        for (entry, &byte) in entries.iter_mut().zip(bytes) {
            *entry = Score(byte);
        }
    }
}

impl Entry for Score {
    type Count = u8;
    const NONE: Score = Score(0);
    const NO_CHILD: Score = Score(u8::MAX);

    #[inline(always)]
    fn turned(self) -> Score {
        self.turned_with(0)
    }

    #[inline(always)]
    fn leaving(best: Score) -> Score {
        best
    }

    #[inline(always)]
    fn differs(self, other: Score) -> u8 {
        u8::from(self != other)
    }
}

/// A value `v` and a distance `d`, as `512 v + f`: `f` is `d` where the mover
/// loses (he delays), `511 − d` where he wins (he hurries), and 0 where `v` is
/// 0 (there is no distance).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub(super) struct Key(i16);

const BAND: i16 = 512;

impl Key {
    /// The distance of a board whose distance is not known yet, and the first
    /// one that is too long to be told.
    pub const UNKNOWN: u16 = BAND as u16 - 1;

    /// The key of a value and a distance, which is at most [`Key::UNKNOWN`] and
    /// means nothing where the value is 0.
    #[inline(always)]
    pub fn new(value: i8, distance: u16) -> Key {
        let d = distance.cast_signed();
        let f = match value.signum() {
            1 => BAND - 1 - d,
            -1 => d,
            _ => 0,
        };
        Key(i16::from(value) * BAND + f)
    }

    /// Whether this is a key of a board with this value.
    pub fn has_value(self, value: i8) -> bool {
        self.0 >> BAND.ilog2() == i16::from(value) && (value != 0 || self.0 == 0)
    }

    /// Whether the value is below 0.
    pub fn is_lost(self) -> bool {
        self.0 < 0
    }

    /// The distance, 0 where the value is 0.
    pub fn distance(self) -> u16 {
        let f = self.0 & (BAND - 1);
        let d = match self.0 {
            BAND.. => BAND - 1 - f,
            _ => f,
        };
        d.cast_unsigned()
    }
}

impl Stored for Key {
    const BYTES: usize = 2;
    const ANY: Key = Key(0);

    fn encode(entries: &[Key], bytes: &mut [u8]) {
        for (bytes, entry) in bytes.as_chunks_mut().0.iter_mut().zip(entries) {
            *bytes = entry.0.to_le_bytes();
        }
    }

    fn decode(bytes: &[u8], entries: &mut [Key]) {
        for (entry, &bytes) in entries.iter_mut().zip(bytes.as_chunks().0) {
            *entry = Key(i16::from_le_bytes(bytes));
        }
    }
}

impl Entry for Key {
    type Count = u16;
    const NONE: Key = Key(i16::MIN);
    const NO_CHILD: Key = Key(i16::MAX);

    /// One ply further: −v, and d + 1 as far as it can be told. Without a branch,
    /// so that processors do many at once.
    #[inline(always)]
    fn turned(self) -> Key {
        let f = self.0 & (BAND - 1);
        // The least key of the value −v.
        let value = f - self.0;
        // Where the child wins, f = 511 − d and the mover's is d + 1 = 512 − f;
        // where it loses, f = d and the mover's is 511 − (d + 1) = 510 − f.
        let won = i16::from(self.0 < 0);
        let lost = i16::from(self.0 >= BAND);
        let turned = (510 * won + 512 * lost) - self.0;
        Key(turned.max(value).min(value + BAND - 1))
    }

    #[inline(always)]
    fn leaving(best: Score) -> Key {
        // As `Key::new(value, 1)`, and without a branch; see `turned`.
        let value = i16::from(best.0) - 0x80;
        let f = 510 * i16::from(value > 0) + i16::from(value < 0);
        // It overflows where there is no move, and is not used there.
        let key = value.wrapping_mul(BAND).wrapping_add(f);
        Key(if best == Score::NONE { i16::MIN } else { key })
    }

    #[inline(always)]
    fn differs(self, other: Key) -> u16 {
        u16::from(self != other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_the_order_and_turn_round() {
        for value in -48..=48 {
            let score = Score::new(value);
            assert_eq!(score.value(), value);
            assert_eq!(score.turned(), Score::new(-value));
            assert!(score > Score::NONE);
            assert!(value == 48 || score < Score::new(value + 1));
            assert!(score < Score::NO_CHILD && Score::NO_CHILD.turned() < score);
            for captured in 0..=48_u8 {
                let worth = captured.cast_signed() - value;
                if worth.abs() <= 48 {
                    assert_eq!(score.turned_with(captured), Score::new(worth));
                }
            }
        }
    }

    #[test]
    fn keys_prefer_the_value_then_hurry_to_win_and_delay_to_lose() {
        for value in -48..=48 {
            for distance in 0..=Key::UNKNOWN {
                let key = Key::new(value, distance);
                assert!(key > Key::NONE);
                assert!(key.has_value(value) && !key.has_value(value + 1));
                assert_eq!(key.is_lost(), value < 0);
                assert!(key < Key::NO_CHILD && Key::NO_CHILD.turned() < key);
                let further = (distance + 1).min(Key::UNKNOWN);
                assert_eq!(key.turned(), Key::new(-value, further));
                if value != 0 {
                    assert_eq!(key.distance(), distance);
                    let expected = match value > 0 {
                        true => distance.cmp(&further),
                        false => further.cmp(&distance),
                    };
                    assert_eq!(Key::new(value, further).cmp(&key), expected);
                } else {
                    assert_eq!(key.distance(), 0);
                }
                assert!(value == 48 || key < Key::new(value + 1, Key::UNKNOWN));
            }
        }
        assert!(!Key(1).has_value(0));
        assert_eq!(Key::leaving(Score::NONE), Key::NONE);
        for value in -48..=48 {
            assert_eq!(Key::leaving(Score::new(value)), Key::new(value, 1));
        }
    }
}
