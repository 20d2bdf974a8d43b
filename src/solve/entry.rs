//! Entries: what the solver holds for each board, in a form that a processor
//! compares and negates many at a time.
//!
//! - [`Value`]: a value, as a byte in which 128 stands for 0. Processors have had a
//!   maximum of unsigned bytes for longer, and in more places, than one of signed
//!   bytes.
//! - [`DistanceKey`]: a value and a distance in one number, ordered so that the
//!   larger key is the better move: first the value, then the shorter way to a win
//!   or the longer way to a loss.
//!
//! Both have a least entry `NONE` below every real one, and `negated`, which turns a
//! child's entry into the value of the quiet move that leads there.

use std::ops::AddAssign;

use super::spill::Plain;
use crate::cpu::Permute;
use crate::rules::MAX_SEEDS;

/// An entry of an array, and its bytes in a checkpoint.
pub trait ArrayEntry: Plain + Copy {
    /// Bytes of one entry.
    const BYTES: usize;
    /// The entry whose bytes are 0.
    const ZERO: Self;
    /// Writes entries as bytes. `bytes` has room for exactly `entries`.
    fn encode(entries: &[Self], bytes: &mut [u8]);
    /// Reads entries from bytes. `bytes` holds exactly as many.
    fn decode(bytes: &[u8], entries: &mut [Self]);
}

#[allow(unsafe_code)]
// SAFETY: every byte is a number.
unsafe impl Plain for u8 {}

impl ArrayEntry for u8 {
    const BYTES: usize = 1;
    const ZERO: u8 = 0;

    fn encode(entries: &[u8], bytes: &mut [u8]) {
        bytes.copy_from_slice(entries);
    }

    fn decode(bytes: &[u8], entries: &mut [u8]) {
        entries.copy_from_slice(bytes);
    }
}

/// An entry that sweeps compute.
pub(super) trait Entry: ArrayEntry + Ord {
    /// Below the entry of every board: no move found yet.
    const NONE: Self;
    /// Above the entry of every board: no child found yet. Negated, it is below
    /// every entry but `NONE`.
    const NO_CHILD: Self;
    /// The entry that a quiet move to a board with this entry gives its parent.
    fn negated(self) -> Self;
    /// The entry that the best conversion gives a board.
    fn from_conversion(best: Value) -> Self;
    /// How many entries `lower` handles: 64 bytes.
    const LOWERED: usize;
    /// Lowers the first entries of `least` to those at their places in `line`. A place is below
    /// `LOWERED`, or it is [`NOWHERE`](crate::cpu::NOWHERE) and leaves its entry unchanged.
    fn lower<P: Permute>(least: &mut [Self], line: &[Self], places: &[u8; 64]);
    /// A number as wide as an entry, so that comparing and counting use the same
    /// lanes of a register.
    type Count: Copy + Default + AddAssign + Into<u64>;
    /// 1 if the entries differ, otherwise 0.
    fn differs(self, other: Self) -> Self::Count;
}

/// The first `N` entries of two slices that have as many.
#[inline(always)]
fn first_chunks<'a, E, const N: usize>(a: &'a mut [E], b: &'a [E]) -> (&'a mut [E; N], &'a [E; N]) {
    let (Some(a), Some(b)) = (a.first_chunk_mut(), b.first_chunk()) else {
        unreachable!("both are at least as long")
    };
    (a, b)
}

/// The value of a board in net seeds, −48 to 48.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Value(u8);

impl Value {
    /// A value in net seeds.
    ///
    /// # Panics
    /// If it is not from −48 to 48.
    pub fn new(value: i8) -> Value {
        assert!(value.unsigned_abs() <= MAX_SEEDS, "a value of {value}");
        Value::in_range(value)
    }

    /// A value that is known to be from −48 to 48.
    pub(crate) fn in_range(value: i8) -> Value {
        debug_assert!(value.unsigned_abs() <= MAX_SEEDS);
        Value(value.cast_unsigned() ^ 0x80)
    }

    /// Net seeds, −48 to 48.
    pub fn get(self) -> i8 {
        (self.0 ^ 0x80).cast_signed()
    }

    /// The value of a move that captures `captured` seeds and leads to a board with
    /// this value.
    #[inline(always)]
    pub(super) fn after_capture(self, captured: u8) -> Value {
        Value(captured.wrapping_sub(self.0))
    }

    /// The value of a move that takes `taken` seeds, after which the mover moves again on a
    /// board with this value.
    #[inline(always)]
    pub(super) fn after_gain(self, taken: u8) -> Value {
        Value(self.0.wrapping_add(taken))
    }
}

#[allow(unsafe_code)]
// SAFETY: it is a transparent byte.
unsafe impl Plain for Value {}

impl ArrayEntry for Value {
    const BYTES: usize = 1;
    const ZERO: Value = Value(0);

    fn encode(entries: &[Value], bytes: &mut [u8]) {
        for (byte, entry) in bytes.iter_mut().zip(entries) {
            *byte = entry.0;
        }
    }

    fn decode(bytes: &[u8], entries: &mut [Value]) {
        for (entry, &byte) in entries.iter_mut().zip(bytes) {
            *entry = Value(byte);
        }
    }
}

impl Entry for Value {
    type Count = u8;
    const NONE: Value = Value(0);
    const NO_CHILD: Value = Value(u8::MAX);

    #[inline(always)]
    fn negated(self) -> Value {
        self.after_capture(0)
    }

    #[inline(always)]
    fn from_conversion(best: Value) -> Value {
        best
    }

    #[inline(always)]
    fn differs(self, other: Value) -> u8 {
        u8::from(self != other)
    }

    const LOWERED: usize = 64;

    #[inline(always)]
    fn lower<P: Permute>(least: &mut [Value], line: &[Value], places: &[u8; 64]) {
        let (least, window) = first_chunks(least, line);
        let mut numbers = least.map(|entry| entry.0);
        P::lower_bytes(&mut numbers, &window.map(|entry| entry.0), places);
        *least = numbers.map(Value);
    }
}

/// A value `v` and a distance `d`, as `512 v + f`: `f` is `d` where the mover loses
/// (and delays), `511 − d` where the mover wins (and hurries), and 0 where `v` is 0
/// (there is no distance).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub(super) struct DistanceKey(i16);

/// Keys for each value.
const BAND: i16 = 512;

impl DistanceKey {
    /// The distance of a board whose distance is not known yet, and the first one
    /// that is too long to be represented.
    pub const UNKNOWN: u16 = BAND as u16 - 1;

    /// The longest distance that a table can hold.
    pub const LONGEST: u16 = u8::MAX as u16;

    /// The key of a value and a distance. The distance is at most
    /// [`DistanceKey::UNKNOWN`], and ignored where the value is 0.
    #[inline(always)]
    pub fn new(value: i8, distance: u16) -> DistanceKey {
        let d = distance.cast_signed();
        let f = match value.signum() {
            1 => BAND - 1 - d,
            -1 => d,
            _ => 0,
        };
        DistanceKey(i16::from(value) * BAND + f)
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

#[allow(unsafe_code)]
// SAFETY: it is a transparent number of two bytes.
unsafe impl Plain for DistanceKey {}

impl ArrayEntry for DistanceKey {
    const BYTES: usize = 2;
    const ZERO: DistanceKey = DistanceKey(0);

    fn encode(entries: &[DistanceKey], bytes: &mut [u8]) {
        for (bytes, entry) in bytes.as_chunks_mut().0.iter_mut().zip(entries) {
            *bytes = entry.0.to_le_bytes();
        }
    }

    fn decode(bytes: &[u8], entries: &mut [DistanceKey]) {
        for (entry, &bytes) in entries.iter_mut().zip(bytes.as_chunks().0) {
            *entry = DistanceKey(i16::from_le_bytes(bytes));
        }
    }
}

impl Entry for DistanceKey {
    type Count = u16;
    const NONE: DistanceKey = DistanceKey(i16::MIN);
    const NO_CHILD: DistanceKey = DistanceKey(i16::MAX);

    /// One ply further: −v, and d + 1 up to [`DistanceKey::UNKNOWN`]. Without a
    /// branch, so that processors compute many at once.
    #[inline(always)]
    fn negated(self) -> DistanceKey {
        let f = self.0 & (BAND - 1);
        // The least key of the value −v.
        let value = f - self.0;
        // Where the child wins, f = 511 − d and the mover's is d + 1 = 512 − f;
        // where it loses, f = d and the mover's is 511 − (d + 1) = 510 − f.
        let won = i16::from(self.0 < 0);
        let lost = i16::from(self.0 >= BAND);
        let negated = (510 * won + 512 * lost) - self.0;
        DistanceKey(negated.max(value).min(value + BAND - 1))
    }

    #[inline(always)]
    fn from_conversion(best: Value) -> DistanceKey {
        // As `DistanceKey::new(value, 1)`, and without a branch; see `negated`.
        let value = i16::from(best.0) - 0x80;
        let f = 510 * i16::from(value > 0) + i16::from(value < 0);
        // It overflows where there is no move, and is not used there.
        let key = value.wrapping_mul(BAND).wrapping_add(f);
        DistanceKey(if best == Value::NONE { i16::MIN } else { key })
    }

    #[inline(always)]
    fn differs(self, other: DistanceKey) -> u16 {
        u16::from(self != other)
    }

    const LOWERED: usize = 32;

    #[inline(always)]
    fn lower<P: Permute>(least: &mut [DistanceKey], line: &[DistanceKey], places: &[u8; 64]) {
        let (least, window) = first_chunks(least, line);
        let (places, _) = places.split_first_chunk().expect("32 of 64");
        let mut numbers = least.map(|entry| entry.0);
        P::lower_words(&mut numbers, &window.map(|entry| entry.0), places);
        *least = numbers.map(DistanceKey);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_and_negate() {
        for value in -48..=48 {
            let entry = Value::new(value);
            assert_eq!(entry.get(), value);
            assert_eq!(entry.negated(), Value::new(-value));
            assert!(entry > Value::NONE);
            assert!(value == 48 || entry < Value::new(value + 1));
            assert!(entry < Value::NO_CHILD && Value::NO_CHILD.negated() < entry);
            for captured in 0..=48_u8 {
                let value_of_move = captured.cast_signed() - value;
                if value_of_move.abs() <= 48 {
                    assert_eq!(entry.after_capture(captured), Value::new(value_of_move));
                }
            }
        }
    }

    #[test]
    fn keys_order_by_value_then_by_fast_wins_and_slow_losses() {
        for value in -48..=48 {
            for distance in 0..=DistanceKey::UNKNOWN {
                let key = DistanceKey::new(value, distance);
                assert!(key > DistanceKey::NONE);
                assert!(key.has_value(value) && !key.has_value(value + 1));
                assert_eq!(key.is_lost(), value < 0);
                assert!(key < DistanceKey::NO_CHILD && DistanceKey::NO_CHILD.negated() < key);
                let further = (distance + 1).min(DistanceKey::UNKNOWN);
                assert_eq!(key.negated(), DistanceKey::new(-value, further));
                if value != 0 {
                    assert_eq!(key.distance(), distance);
                    let expected = match value > 0 {
                        true => distance.cmp(&further),
                        false => further.cmp(&distance),
                    };
                    assert_eq!(DistanceKey::new(value, further).cmp(&key), expected);
                } else {
                    assert_eq!(key.distance(), 0);
                }
                assert!(value == 48 || key < DistanceKey::new(value + 1, DistanceKey::UNKNOWN));
            }
        }
        assert!(!DistanceKey(1).has_value(0));
        assert_eq!(DistanceKey::from_conversion(Value::NONE), DistanceKey::NONE);
        for value in -48..=48 {
            assert_eq!(
                DistanceKey::from_conversion(Value::new(value)),
                DistanceKey::new(value, 1)
            );
        }
    }
}
