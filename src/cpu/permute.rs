//! Taking entries from other places of a line, many at a time: a step of a sweep that compilers do
//! not turn into wide instructions by themselves. Only the solver permutes, and on aarch64 only
//! tests take one number after another.

#![allow(unsafe_code)] // functions of AVX-512, each with its proof and its plain twin
#![cfg_attr(any(not(feature = "solve"), target_arch = "aarch64"), allow(dead_code))]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_loadu_si256, _mm512_cvtepu8_epi16, _mm512_loadu_si512, _mm512_min_epi16,
    _mm512_min_epu8, _mm512_permutex2var_epi8, _mm512_permutex2var_epi16, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_storeu_si512,
};

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(test)]
mod tests;

/// What every processor of this kind has.
#[cfg(target_arch = "aarch64")]
pub(super) type Baseline = neon::Neon;
#[cfg(not(target_arch = "aarch64"))]
pub(super) type Baseline = OneByOne;

/// The place of a number that stays unchanged: beyond every window.
pub(crate) const NOWHERE: u8 = 96;

/// How a kind of processor takes numbers from other places.
pub(crate) trait Permute {
    /// Whether to permute is faster than to copy runs of a few neighbours.
    const IS_FAST: bool;

    /// Lowers each number to the one at its place in the window. Places are less than 64, or
    /// [`NOWHERE`].
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]);

    /// The same for numbers of two bytes. Places are less than 32, or [`NOWHERE`].
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]);
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

/// Processors with AVX-512 and its extensions BW, VL and VBMI, which take 64 bytes from any places
/// of 64 others in one instruction.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Permute for Avx512 {
    const IS_FAST: bool = true;

    #[inline(always)]
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
        // SAFETY: this type is named only in `run_with_avx512`, which runs only on such
        // processors, and in tests that have asked for the processor's registers.
        unsafe { lower_64_bytes(least, window, places) }
    }

    #[inline(always)]
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
        // SAFETY: as above.
        unsafe { lower_32_words(least, window, places) }
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
