//! Both bounds of a board in one byte.
//!
//! If all n seeds count for one player or the other, each bound is 2a − n, where the mover
//! gets a of them. The lower bound is 2a − n and the upper one 2b − n with 0 ≤ a ≤ b ≤ n:
//! (n + 1)(n + 2) / 2 pairs, of which b (b + 1) / 2 have a smaller b. With 21 seeds there are
//! 253.

use crate::rules::Bounds;
#[cfg(feature = "solve")]
use crate::rules::{Leftovers, Ruleset};

/// The most seeds with which each pair of bounds has a byte of its own.
#[cfg(any(feature = "solve", test))]
const MAX_SEEDS_IN_BYTE: u8 = 21;

/// a and b of each pair.
static PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [[0; 2]; 256];
    let (mut a, mut b) = (0, 0);
    let mut code = 0;
    while code < pairs.len() {
        pairs[code] = [a, b];
        if a == b {
            a = 0;
            b += 1;
        } else {
            a += 1;
        }
        code += 1;
    }
    pairs
};

/// Whether each pair of bounds that a board with this number of seeds can have has a byte.
#[cfg(feature = "solve")]
pub(super) fn fit_into_byte(rules: Ruleset, seeds: u8) -> bool {
    let all_seeds_count = match rules {
        Ruleset::Oware(rules) => rules.leftovers == Leftovers::Owner,
        Ruleset::Stores(_) => true,
    };
    all_seeds_count && seeds <= MAX_SEEDS_IN_BYTE
}

/// The byte of the bounds of a board with this number of seeds; `None` if no board with so
/// many seeds has them, or there are too many seeds for a byte.
#[cfg(any(feature = "solve", test))]
pub(super) fn to_byte(bounds: Bounds, seeds: u8) -> Option<u8> {
    let taken = |bound: i8| {
        let twice = u8::try_from(bound.checked_add_unsigned(seeds)?).ok()?;
        (twice % 2 == 0 && twice <= 2 * seeds).then_some(twice / 2)
    };
    if seeds > MAX_SEEDS_IN_BYTE || bounds.lower > bounds.upper {
        return None;
    }
    let (a, b) = (taken(bounds.lower)?, taken(bounds.upper)?);
    let pairs_before = u16::from(b) * u16::from(b + 1) / 2;
    u8::try_from(pairs_before + u16::from(a)).ok()
}

/// The bounds that a byte stands for on a board with this number of seeds.
#[inline]
pub(super) fn from_byte(byte: u8, seeds: u8) -> Bounds {
    let [lower, upper] =
        PAIRS[usize::from(byte)].map(|taken| (2 * taken).cast_signed() - seeds.cast_signed());
    Bounds { lower, upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_stands_for_one_pair_of_bounds() {
        for seeds in 0..=MAX_SEEDS_IN_BYTE {
            let most = seeds.cast_signed();
            let mut next = 0..;
            for upper in (-most..=most).step_by(2) {
                for lower in (-most..=upper).step_by(2) {
                    let bounds = Bounds { lower, upper };
                    let byte = to_byte(bounds, seeds).unwrap();
                    assert_eq!(Some(byte), next.next());
                    assert_eq!(from_byte(byte, seeds), bounds);
                }
            }
        }
    }

    #[test]
    fn bounds_that_no_board_has_have_no_byte() {
        let byte = |lower, upper, seeds| to_byte(Bounds { lower, upper }, seeds);
        assert_eq!(byte(1, 3, 4), None);
        assert_eq!(byte(2, 0, 4), None);
        assert_eq!(byte(-6, 0, 4), None);
        assert_eq!(byte(0, 6, 4), None);
        assert_eq!(byte(i8::MIN, i8::MAX, 4), None);
        assert_eq!(byte(0, 0, 22), None);
    }
}
