//! Taking entries from other places of a line, and collecting those that have changed, many at
//! a time: the steps of a sweep that compilers do not turn into wide instructions by themselves.

#![allow(unsafe_code)] // functions of AVX-512, each with its proof and its plain twin
#![cfg_attr(not(feature = "solve"), allow(dead_code))] // only the solver permutes

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_loadu_si256, _mm512_cvtepu8_epi16, _mm512_loadu_si512, _mm512_maskz_compress_epi8,
    _mm512_min_epi16, _mm512_min_epu8, _mm512_permutex2var_epi8, _mm512_permutex2var_epi16,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_storeu_si512,
};

/// The place of a number that is to stay as it is: beyond every window.
pub(crate) const NOWHERE: u8 = 96;

/// How a kind of processor takes numbers from other places.
pub(crate) trait Permute {
    /// Whether this is faster than to copy runs of a few neighbours.
    const IS_FAST: bool;

    /// Lowers each number to the one at its place in the window. Places are less than 64, or
    /// [`NOWHERE`].
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]);

    /// The same for numbers of two bytes. Places are less than 32, or [`NOWHERE`].
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]);

    /// Collects the bytes whose bits are set in `kept`: writes their places and, behind them,
    /// these bytes. What follows in `to` is unspecified.
    #[inline(always)]
    fn collect_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 128]) {
        collect(bytes, kept, to, u8::to_le_bytes);
    }

    /// The same for numbers of two bytes.
    #[inline(always)]
    fn collect_words(words: &[i16; 64], kept: u64, to: &mut [u8; 192]) {
        collect(words, kept, to, i16::to_le_bytes);
    }
}

/// Any processor: takes one number after another.
pub(crate) struct OneByOne;

impl Permute for OneByOne {
    const IS_FAST: bool = false;

    #[inline(always)]
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
        lower(least, window, places);
    }

    #[inline(always)]
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
        lower(least, window, places);
    }
}

#[inline(always)]
fn lower<N: Copy + Ord>(least: &mut [N], window: &[N], places: &[u8]) {
    for (number, &place) in least.iter_mut().zip(places) {
        if let Some(&other) = window.get(usize::from(place)) {
            *number = (*number).min(other);
        }
    }
}

#[inline(always)]
fn collect<N: Copy, const BYTES: usize>(
    numbers: &[N; 64],
    mut kept: u64,
    to: &mut [u8],
    bytes: impl Fn(N) -> [u8; BYTES],
) {
    let count = kept.count_ones() as usize;
    let (places, collected) = to[..count * (1 + BYTES)].split_at_mut(count);
    let (collected, _) = collected.as_chunks_mut();
    // A branch for each number could not be predicted.
    for (place, number) in places.iter_mut().zip(collected) {
        *place = kept.trailing_zeros() as u8;
        kept &= kept - 1;
        *number = bytes(numbers[usize::from(*place) % 64]);
    }
}

/// Processors with AVX-512 and its extensions BW, VL, VBMI and VBMI2, which take 64 bytes from any
/// places of 64 others in one instruction, and move chosen ones together in another.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Whether this processor is one of them.
    pub fn is_here() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512vbmi")
            && std::arch::is_x86_feature_detected!("avx512vbmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
    }
}

#[cfg(target_arch = "x86_64")]
impl Permute for Avx512 {
    const IS_FAST: bool = true;

    #[inline(always)]
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
        // SAFETY: this type is named only in `run_with_avx512`, which runs only on such
        // processors, and in tests that have asked `is_here`.
        unsafe { lower_64_bytes(least, window, places) }
    }

    #[inline(always)]
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
        // SAFETY: as above.
        unsafe { lower_32_words(least, window, places) }
    }

    #[inline(always)]
    fn collect_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 128]) {
        // SAFETY: as above.
        unsafe { collect_of_64_bytes(bytes, kept, to) }
    }
}

// Numbers without a place are compared with the largest number there is: of the two tables
// of a permutation, bit 6 of a byte's place and bit 5 of a word's choose the second.

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn lower_64_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
    // SAFETY: each pointer is that of a reference to 64 bytes, which is as much as these
    // instructions read and write, at any alignment.
    unsafe {
        let window = _mm512_loadu_si512(window.as_ptr().cast());
        let places = _mm512_loadu_si512(places.as_ptr().cast());
        let before = _mm512_loadu_si512(least.as_ptr().cast());
        let others = _mm512_permutex2var_epi8(window, places, _mm512_set1_epi8(-1));
        _mm512_storeu_si512(least.as_mut_ptr().cast(), _mm512_min_epu8(before, others));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn lower_32_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
    // SAFETY: as above; of the places, 32 bytes are read.
    unsafe {
        let window = _mm512_loadu_si512(window.as_ptr().cast());
        let places = _mm512_cvtepu8_epi16(_mm256_loadu_si256(places.as_ptr().cast()));
        let before = _mm512_loadu_si512(least.as_ptr().cast());
        let others = _mm512_permutex2var_epi16(window, places, _mm512_set1_epi16(i16::MAX));
        _mm512_storeu_si512(least.as_mut_ptr().cast(), _mm512_min_epi16(before, others));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
#[inline]
fn collect_of_64_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 128]) {
    const PLACES: [u8; 64] = {
        let mut places = [0; 64];
        let mut place = 0;
        while place < places.len() {
            places[place] = place as u8;
            place += 1;
        }
        places
    };
    let count = kept.count_ones() as usize;
    // SAFETY: as above; of `to`, 64 bytes from `count` on are written, which is at most 64.
    unsafe {
        let places = _mm512_loadu_si512(PLACES.as_ptr().cast());
        let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
        let to = to.as_mut_ptr();
        _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept, places));
        _mm512_storeu_si512(
            to.add(count).cast(),
            _mm512_maskz_compress_epi8(kept, bytes),
        );
    }
}

#[cfg(test)]
mod tests {
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

    type Collect = fn(&[u8; 64], u64, &mut [u8; 128]);

    #[test]
    fn kept_numbers_are_collected_in_order() {
        let mut all: Vec<Collect> = vec![OneByOne::collect_bytes];
        #[cfg(target_arch = "x86_64")]
        if Avx512::is_here() {
            all.push(Avx512::collect_bytes);
        }
        let bytes: [u8; 64] = std::array::from_fn(|i| (i * 37) as u8);
        let words: [i16; 64] =
            std::array::from_fn(|i| (i as u16).wrapping_mul(63_643).cast_signed());
        // From no number to all of them.
        for step in 1..=65 {
            for from in 0..step.min(64) {
                let places = (0..64_u8).filter(|&i| step < 65 && i % step == from);
                let places: Vec<u8> = places.collect();
                let kept = places.iter().fold(0, |kept, &place| kept | 1 << place);
                let of = |place: &u8| usize::from(*place);
                let kept_bytes: Vec<u8> = places.iter().map(|place| bytes[of(place)]).collect();
                for collect in &all {
                    let mut collected = [0; 128];
                    collect(&bytes, kept, &mut collected);
                    assert!(collected.starts_with(&[&places[..], &kept_bytes].concat()));
                }
                let kept_words = places
                    .iter()
                    .flat_map(|place| words[of(place)].to_le_bytes());
                let expected: Vec<u8> = places.iter().copied().chain(kept_words).collect();
                let mut collected = [0; 192];
                OneByOne::collect_words(&words, kept, &mut collected);
                assert!(collected.starts_with(&expected));
            }
        }
    }
}
