//! Possible entries.
//!
//! Writer and reader both check every entry. So neither a bug in the solver nor a
//! forged file yields a value beyond the seeds on the board, and callers need not
//! expect one.

use super::id::Kind;

/// A number of things in memory.
#[inline]
pub(super) fn to_usize(number: u64) -> usize {
    usize::try_from(number).expect("a number of things in memory")
}

/// The first impossible entry of a flat block, as its offset in the block: a value
/// or bound beyond the seeds on the board, or a lower bound above the upper.
pub(super) fn first_impossible(kind: Kind, seeds: u8, raw: &[u8]) -> Option<usize> {
    let beyond = |entry: u8| entry.wrapping_add(seeds) > 2 * seeds;
    let any = |plane: &[u8]| plane.iter().fold(false, |any, &entry| any | beyond(entry));
    match kind {
        Kind::Value if any(raw) => raw.iter().position(|&entry| beyond(entry)),
        Kind::Value | Kind::Distance => None,
        Kind::Bounds => {
            let (lower, upper) = raw.split_at(raw.len() / 2);
            let crossed = |(low, high): (&u8, &u8)| *low as i8 > *high as i8;
            let pairs = || lower.iter().zip(upper);
            if !any(raw) && !pairs().fold(false, |any, pair| any | crossed(pair)) {
                return None;
            }
            pairs().position(|(&low, &high)| beyond(low) || beyond(high) || crossed((&low, &high)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte in every layer, against the plain definition.
    #[test]
    fn values_range_from_minus_to_plus_all_seeds() {
        for seeds in 0..=48 {
            for byte in 0..=255_u8 {
                let possible = byte.cast_signed().unsigned_abs() <= seeds;
                let raw = [0, 0, byte];
                let found = first_impossible(Kind::Value, seeds, &raw);
                assert_eq!(found, (!possible).then_some(2), "{seeds} {byte}");
                assert_eq!(first_impossible(Kind::Distance, seeds, &raw), None);
            }
        }
    }

    #[test]
    fn bounds_are_in_range_and_in_order() {
        for low in i8::MIN..=i8::MAX {
            for high in i8::MIN..=i8::MAX {
                let possible = -5 <= low && low <= high && high <= 5;
                let raw = [0, low.cast_unsigned(), 0, high.cast_unsigned()];
                let found = first_impossible(Kind::Bounds, 5, &raw);
                assert_eq!(found, (!possible).then_some(1), "{low} {high}");
            }
        }
    }
}
