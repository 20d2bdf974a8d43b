//! Conversions of numbers.

/// A number of things in memory.
#[inline]
pub(super) fn to_usize(number: u64) -> usize {
    usize::try_from(number).expect("a number of things in memory")
}
