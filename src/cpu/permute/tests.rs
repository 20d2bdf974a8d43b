//! Each way to permute, find, compress and expand against plain expectations.

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
    let (mut bytes, mut words): (Vec<Lower<u8, 64>>, Vec<Lower<i16, 32>>) =
        (vec![OneByOne::lower_bytes], vec![OneByOne::lower_words]);
    #[cfg(target_arch = "x86_64")]
    if Avx512::is_here() {
        bytes.push(Avx512::lower_bytes);
        words.push(Avx512::lower_words);
    }
    compare(|i| i as u8, &bytes);
    compare(|i| (i as u16).wrapping_mul(63_643).cast_signed(), &words);
}

/// Compresses, expands and finds numbers, from none to all of them, and whatever is at other
/// places.
fn check<T, const BYTES: usize, const ALL: usize>(
    number: impl Fn(usize) -> T,
    bytes: impl Fn(T) -> [u8; BYTES],
    differing: impl Fn(&[T; 64], &[T; 64]) -> u64,
    compress: impl Fn(&[T; 64], u64, &mut [u8; ALL]),
    expand: impl Fn(&mut [T; 64], u64, &[u8]),
) where
    T: Copy + PartialEq + Debug,
{
    let numbers: [T; 64] = std::array::from_fn(&number);
    let before: [T; 64] = std::array::from_fn(|i| number(i + 64));
    for step in 1..=65 {
        for from in 0..step.min(64) {
            let is_kept = |i: usize| step < 65 && i % step == from;
            let places = (0..64).filter(|&i| is_kept(i));
            let kept = places.clone().fold(0, |kept, i| kept | 1 << i);
            let expected: Vec<u8> = places.flat_map(|i| bytes(numbers[i])).collect();
            let mut compressed = [0; ALL];
            compress(&numbers, kept, &mut compressed);
            assert!(compressed.starts_with(&expected));
            let mut expanded = before;
            expand(&mut expanded, kept, &expected);
            let right = |i| if is_kept(i) { numbers[i] } else { before[i] };
            assert_eq!(expanded, std::array::from_fn(right));
            assert_eq!(differing(&before, &expanded), kept);
        }
    }
}

fn check_bytes_and_words<P: Permute>(
    differing_bytes: impl Fn(&[u8; 64], &[u8; 64]) -> u64,
    differing_words: impl Fn(&[i16; 64], &[i16; 64]) -> u64,
) {
    let byte = |i| (i * 37) as u8;
    check(
        byte,
        u8::to_le_bytes,
        differing_bytes,
        P::compress_bytes,
        P::expand_bytes,
    );
    let word = |i| (i as u16).wrapping_mul(63_643).cast_signed();
    check(
        word,
        i16::to_le_bytes,
        differing_words,
        P::compress_words,
        P::expand_words,
    );
}

#[test]
fn chosen_numbers_are_found_compressed_and_expanded() {
    type P = OneByOne;
    check_bytes_and_words::<P>(P::differing_bytes, P::differing_words);
    // As on processors other than x86-64.
    check_bytes_and_words::<P>(
        |a, b| by_16(a, b, differing_16),
        |a, b| by_16(a, b, differing_16),
    );
    #[cfg(target_arch = "x86_64")]
    if Avx512::is_here() {
        type P = Avx512;
        check_bytes_and_words::<P>(P::differing_bytes, P::differing_words);
    }
}
