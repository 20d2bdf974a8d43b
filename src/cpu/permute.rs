//! Taking entries from other places of a line, and collecting those that have changed, many at
//! a time: the steps of a sweep that compilers do not turn into wide instructions by themselves.

#![allow(unsafe_code)] // functions of AVX-512 and SSE2, each with its proof and its plain twin
#![cfg_attr(not(feature = "solve"), allow(dead_code))] // only the solver permutes

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm256_loadu_si256, _mm512_add_epi8,
    _mm512_cmpneq_epu8_mask, _mm512_cvtepu8_epi16, _mm512_loadu_si512, _mm512_maskz_compress_epi8,
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

    /// Collects the bytes of `now` that differ from those of `before`, in order, and their
    /// places, counted from `first`. Returns how many there are; what is behind them in
    /// `places` and `bytes` is unspecified. `first` is at most 192.
    fn collect_changed(
        before: &[u8; 64],
        now: &[u8; 64],
        first: u8,
        places: &mut [u8; 64],
        bytes: &mut [u8; 64],
    ) -> usize;
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

    #[inline(always)]
    fn collect_changed(
        before: &[u8; 64],
        now: &[u8; 64],
        first: u8,
        places: &mut [u8; 64],
        bytes: &mut [u8; 64],
    ) -> usize {
        // A branch for each byte could not be predicted.
        let mut differing = differing_places(before, now);
        let count = differing.count_ones() as usize;
        for (collected_place, collected_byte) in places.iter_mut().zip(bytes).take(count) {
            let place = differing.trailing_zeros() as u8;
            differing &= differing - 1;
            *collected_place = first + place;
            *collected_byte = now[usize::from(place) % 64];
        }
        count
    }
}

/// At which places bytes differ: bit `i` is set if those at place `i` do.
#[inline(always)]
fn differing_places(before: &[u8; 64], now: &[u8; 64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has SSE2.
    return unsafe { differing_places_by_16(before, now) };
    #[cfg(not(target_arch = "x86_64"))]
    differing_places_one_by_one(before, now)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn differing_places_one_by_one(before: &[u8; 64], now: &[u8; 64]) -> u64 {
    let bytes = (0..).zip(before.iter().zip(now));
    bytes.fold(0, |places, (place, (before, now))| {
        places | u64::from(before != now) << place
    })
}

#[inline(always)]
fn lower<N: Copy + Ord>(least: &mut [N], window: &[N], places: &[u8]) {
    for (number, &place) in least.iter_mut().zip(places) {
        if let Some(&other) = window.get(usize::from(place)) {
            *number = (*number).min(other);
        }
    }
}

/// Processors with AVX-512 and its extensions BW, VBMI and VBMI2, which take 64 bytes from any
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
    fn collect_changed(
        before: &[u8; 64],
        now: &[u8; 64],
        first: u8,
        places: &mut [u8; 64],
        bytes: &mut [u8; 64],
    ) -> usize {
        // SAFETY: as above.
        unsafe { collect_changed_of_64(before, now, first, places, bytes) }
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
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
fn collect_changed_of_64(
    before: &[u8; 64],
    now: &[u8; 64],
    first: u8,
    places: &mut [u8; 64],
    bytes: &mut [u8; 64],
) -> usize {
    const PLACES: [u8; 64] = {
        let mut places = [0; 64];
        let mut place = 0;
        while place < places.len() {
            places[place] = place as u8;
            place += 1;
        }
        places
    };
    // SAFETY: as above.
    unsafe {
        let before = _mm512_loadu_si512(before.as_ptr().cast());
        let now = _mm512_loadu_si512(now.as_ptr().cast());
        let all_places = _mm512_loadu_si512(PLACES.as_ptr().cast());
        let all_places = _mm512_add_epi8(all_places, _mm512_set1_epi8(first.cast_signed()));
        let changed = _mm512_cmpneq_epu8_mask(before, now);
        let changed_places = _mm512_maskz_compress_epi8(changed, all_places);
        _mm512_storeu_si512(places.as_mut_ptr().cast(), changed_places);
        let changed_bytes = _mm512_maskz_compress_epi8(changed, now);
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), changed_bytes);
        changed.count_ones() as usize
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
#[inline]
fn differing_places_by_16(before: &[u8; 64], now: &[u8; 64]) -> u64 {
    let mut places = 0;
    for (part, (before, now)) in (0..).zip(before.as_chunks().0.iter().zip(now.as_chunks().0)) {
        let load = |bytes: &[u8; 16]| {
            // SAFETY: these are as many bytes as the instruction reads, at any alignment.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        };
        let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(load(before), load(now)));
        places |= u64::from(!equal.cast_unsigned() & 0xffff) << (16 * part);
    }
    places
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

    type Collect = fn(&[u8; 64], &[u8; 64], u8, &mut [u8; 64], &mut [u8; 64]) -> usize;

    #[test]
    fn changed_bytes_are_collected_in_order() {
        let mut all: Vec<Collect> = vec![OneByOne::collect_changed];
        #[cfg(target_arch = "x86_64")]
        if Avx512::is_here() {
            all.push(Avx512::collect_changed);
        }
        let before: [u8; 64] = std::array::from_fn(|i| (i * 37) as u8);
        // From no byte to all of them, and differences in each bit and in several.
        let bits = |i: usize| match i % 11 {
            bit @ 0..8 => 1 << bit,
            several => [0x7f, 0xff, 0x81][several - 8],
        };
        for step in 1..=65 {
            for from in 0..step.min(64) {
                let changes = |i: usize| step < 65 && i % step == from;
                let change = |i: usize| if changes(i) { bits(i + from) } else { 0 };
                let now = std::array::from_fn(|i| before[i] ^ change(i));
                let expected: Vec<usize> = (0..64).filter(|&i| changes(i)).collect();
                let differing = differing_places(&before, &now);
                assert_eq!(differing, differing_places_one_by_one(&before, &now));
                for (collect, first) in all.iter().flat_map(|all| [(all, 0), (all, 64)]) {
                    let (mut places, mut bytes) = ([0; 64], [0; 64]);
                    let count = collect(&before, &now, first, &mut places, &mut bytes);
                    assert_eq!(count, expected.len());
                    for (&i, (place, byte)) in expected.iter().zip(places.iter().zip(bytes)) {
                        assert_eq!(
                            (usize::from(*place), byte),
                            (usize::from(first) + i, now[i])
                        );
                    }
                }
            }
        }
    }
}
