//! Each way to permute against plain expectations.

use std::fmt::Debug;

use super::*;

type Lower<T, const N: usize> = fn(&mut [T; N], &[T; N], &[u8; N]);

/// Every number with every place, and with none, by each of `lower`.
fn compare<T: Copy + Ord + Debug, const N: usize>(
    number: impl Fn(usize) -> T,
    lower: &[Lower<T, N>],
) {
    let window: [T; N] = std::array::from_fn(|i| number(37 * i + 5));
    for offset in 0..=N {
        let places: [u8; N] = std::array::from_fn(|i| match (i + offset) % (N + 1) {
            place if place < N => place as u8,
            _ => NOWHERE,
        });
        for shift in 0..256 {
            let before: [T; N] = std::array::from_fn(|i| number(i + shift));
            let expected: [T; N] = std::array::from_fn(|i| match places[i] {
                NOWHERE => before[i],
                place => before[i].min(window[usize::from(place)]),
            });
            for lower in lower {
                let mut least = before;
                lower(&mut least, &window, &places);
                assert_eq!(least, expected);
            }
        }
    }
}

#[test]
fn numbers_are_lowered_to_those_at_their_places() {
    #[allow(unused_mut)] // processors without permutations of their own
    let (mut bytes, mut words): (Vec<Lower<u8, 64>>, Vec<Lower<i16, 32>>) =
        (vec![OneByOne::lower_bytes], vec![OneByOne::lower_words]);
    #[cfg(target_arch = "x86_64")]
    if crate::cpu::Registers::here() == crate::cpu::Registers::Avx512 {
        bytes.push(Avx512::lower_bytes);
        words.push(Avx512::lower_words);
    }
    #[cfg(target_arch = "aarch64")]
    {
        bytes.push(neon::Neon::lower_bytes);
        words.push(neon::Neon::lower_words);
    }
    compare(|i| i as u8, &bytes);
    compare(|i| (i as u16).wrapping_mul(63_643).cast_signed(), &words);
}
