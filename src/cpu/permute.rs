//! Taking entries from other places of a line, and finding, compressing and expanding those that
//! have changed, many at a time: steps of a sweep that compilers do not turn into wide
//! instructions by themselves.

#![allow(unsafe_code)] // functions of SSE2 and AVX-512, each with its proof and its plain twin
#![cfg_attr(not(feature = "solve"), allow(dead_code))] // only the solver permutes

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
    _mm256_loadu_si256, _mm512_cmpneq_epi8_mask, _mm512_cmpneq_epi16_mask, _mm512_cvtepu8_epi16,
    _mm512_loadu_si512, _mm512_mask_expand_epi8, _mm512_mask_expand_epi16,
    _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi16, _mm512_maskz_loadu_epi8,
    _mm512_min_epi16, _mm512_min_epu8, _mm512_permutex2var_epi8, _mm512_permutex2var_epi16,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_storeu_si512,
};

#[cfg(test)]
mod tests;

/// The place of a number that is to stay as it is: beyond every window.
pub(crate) const NOWHERE: u8 = 96;

/// How a kind of processor takes numbers from other places.
pub(crate) trait Permute {
    /// Whether to permute, compress and expand is faster than to copy runs of a few neighbours.
    const IS_FAST: bool;

    /// Lowers each number to the one at its place in the window. Places are less than 64, or
    /// [`NOWHERE`].
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]);

    /// The same for numbers of two bytes. Places are less than 32, or [`NOWHERE`].
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]);

    /// Where two lists of bytes differ: bit `k` is set if those at `k` do.
    #[inline(always)]
    fn differing_bytes(a: &[u8; 64], b: &[u8; 64]) -> u64 {
        by_16(a, b, differing_16_bytes)
    }

    /// The same for numbers of two bytes.
    #[inline(always)]
    fn differing_words(a: &[i16; 64], b: &[i16; 64]) -> u64 {
        by_16(a, b, differing_16_words)
    }

    /// Writes the bytes whose bits are set in `kept` one after another. What follows in `to` is
    /// unspecified.
    #[inline(always)]
    fn compress_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 64]) {
        compress(bytes, kept, to, u8::to_le_bytes);
    }

    /// The same for numbers of two bytes.
    #[inline(always)]
    fn compress_words(words: &[i16; 64], kept: u64, to: &mut [u8; 128]) {
        compress(words, kept, to, i16::to_le_bytes);
    }

    /// The reverse: replaces the bytes whose bits are set in `places` by those of `from`, which has
    /// at least as many.
    #[inline(always)]
    fn expand_bytes(bytes: &mut [u8; 64], places: u64, from: &[u8]) {
        expand(bytes, places, from, u8::from_le_bytes);
    }

    /// The same for numbers of two bytes.
    #[inline(always)]
    fn expand_words(words: &mut [i16; 64], places: u64, from: &[u8]) {
        expand(words, places, from, i16::from_le_bytes);
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

/// The bits of 64 pairs of numbers, from those of 16 pairs at a time.
#[inline(always)]
fn by_16<N>(a: &[N; 64], b: &[N; 64], bits: impl Fn(&[N; 16], &[N; 16]) -> u16) -> u64 {
    let quarters = a.as_chunks().0.iter().zip(b.as_chunks().0);
    let quarters = quarters.map(|(a, b)| u64::from(bits(a, b)));
    quarters.rev().fold(0, |bits, next| bits << 16 | next)
}

// Comparisons that are stored as bytes and read again as bits would make processors wait: they
// read more at a time than they have stored. Every x86-64 processor has these instructions.

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn differing_16_bytes(a: &[u8; 16], b: &[u8; 16]) -> u16 {
    // SAFETY: SSE2 belongs to every x86-64. Each pointer is that of a reference to 16 bytes, which
    // is as much as is read, at any alignment.
    unsafe {
        let [a, b] = [a, b].map(|bytes| _mm_loadu_si128(bytes.as_ptr().cast()));
        !(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)).cast_unsigned() as u16)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn differing_16_words(a: &[i16; 16], b: &[i16; 16]) -> u16 {
    let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    // SAFETY: as above, for references to 8 words.
    unsafe {
        let [first, second] = [0, 1].map(|half| {
            let [a, b] = [a, b].map(|words| _mm_loadu_si128(words[half].as_ptr().cast()));
            _mm_cmpeq_epi16(a, b)
        });
        !(_mm_movemask_epi8(_mm_packs_epi16(first, second)).cast_unsigned() as u16)
    }
}

#[cfg(not(target_arch = "x86_64"))]
use {differing_16 as differing_16_bytes, differing_16 as differing_16_words};

/// The same on any processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn differing_16<N: PartialEq>(a: &[N; 16], b: &[N; 16]) -> u16 {
    let pairs = a.iter().zip(b).rev();
    pairs.fold(0, |bits, (a, b)| bits << 1 | u16::from(a != b))
}

#[inline(always)]
fn compress<N: Copy, const BYTES: usize>(
    numbers: &[N; 64],
    mut kept: u64,
    to: &mut [u8],
    bytes: impl Fn(N) -> [u8; BYTES],
) {
    let count = kept.count_ones() as usize;
    for to in &mut to.as_chunks_mut().0[..count] {
        *to = bytes(numbers[kept.trailing_zeros() as usize % 64]);
        kept &= kept - 1;
    }
}

#[inline(always)]
fn expand<N, const BYTES: usize>(
    numbers: &mut [N; 64],
    mut places: u64,
    from: &[u8],
    number: impl Fn([u8; BYTES]) -> N,
) {
    let count = places.count_ones() as usize;
    for &from in &from.as_chunks().0[..count] {
        numbers[places.trailing_zeros() as usize % 64] = number(from);
        places &= places - 1;
    }
}

/// Processors with AVX-512 and its extensions BW, VL, VBMI and VBMI2, which take 64 bytes from any
/// places of 64 others in one instruction, and move chosen ones together in another.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Whether this processor is one of them. The answer is kept: a search asks at every
    /// evaluation.
    pub fn is_here() -> bool {
        static IS_HERE: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512vbmi")
                && std::arch::is_x86_feature_detected!("avx512vbmi2")
                && std::arch::is_x86_feature_detected!("popcnt")
        });
        *IS_HERE
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
    fn differing_bytes(a: &[u8; 64], b: &[u8; 64]) -> u64 {
        // SAFETY: as above.
        unsafe { differing_64_bytes(a, b) }
    }

    #[inline(always)]
    fn differing_words(a: &[i16; 64], b: &[i16; 64]) -> u64 {
        // SAFETY: as above.
        unsafe { differing_64_words(a, b) }
    }

    #[inline(always)]
    fn compress_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 64]) {
        // SAFETY: as above.
        unsafe { compress_64_bytes(bytes, kept, to) }
    }

    #[inline(always)]
    fn expand_bytes(bytes: &mut [u8; 64], places: u64, from: &[u8]) {
        // SAFETY: as above.
        unsafe { expand_64_bytes(bytes, places, from) }
    }

    #[inline(always)]
    fn compress_words(words: &[i16; 64], kept: u64, to: &mut [u8; 128]) {
        // SAFETY: as above.
        unsafe { compress_64_words(words, kept, to) }
    }

    #[inline(always)]
    fn expand_words(words: &mut [i16; 64], places: u64, from: &[u8]) {
        // SAFETY: as above.
        unsafe { expand_64_words(words, places, from) }
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
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn differing_64_bytes(a: &[u8; 64], b: &[u8; 64]) -> u64 {
    // SAFETY: as above.
    let [a, b] = [a, b].map(|bytes| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) });
    _mm512_cmpneq_epi8_mask(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn differing_64_words(a: &[i16; 64], b: &[i16; 64]) -> u64 {
    let halves = a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0);
    let masks = halves.map(|(a, b)| {
        // SAFETY: as above.
        let [a, b] = [a, b].map(|words| unsafe { _mm512_loadu_si512(words.as_ptr().cast()) });
        u64::from(_mm512_cmpneq_epi16_mask(a, b))
    });
    masks.rev().fold(0, |bits, mask| bits << 32 | mask)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2")]
#[inline]
fn compress_64_bytes(bytes: &[u8; 64], kept: u64, to: &mut [u8; 64]) {
    // SAFETY: as above.
    unsafe {
        let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
        // To compress straight into memory takes much longer on some processors.
        let compressed = _mm512_maskz_compress_epi8(kept, bytes);
        _mm512_storeu_si512(to.as_mut_ptr().cast(), compressed);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
#[inline]
fn compress_64_words(words: &[i16; 64], kept: u64, to: &mut [u8; 128]) {
    let [low, high] = [kept as u32, (kept >> 32) as u32];
    // SAFETY: as above; of `to`, 64 bytes are written from its beginning on, and from behind the
    // words of the first half, which are at most 32.
    unsafe {
        let words = words.as_ptr();
        let [first, second] = [words, words.add(32)].map(|words| _mm512_loadu_si512(words.cast()));
        let to = to.as_mut_ptr();
        _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi16(low, first));
        let to = to.add(2 * low.count_ones() as usize);
        _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi16(high, second));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
fn expand_64_bytes(bytes: &mut [u8; 64], places: u64, from: &[u8]) {
    let from = &from[..places.count_ones() as usize];
    // SAFETY: as above; of `from`, only as many bytes are read as it has.
    unsafe {
        let before = _mm512_loadu_si512(bytes.as_ptr().cast());
        let from = _mm512_maskz_loadu_epi8(first_lanes(from.len()), from.as_ptr().cast());
        let after = _mm512_mask_expand_epi8(before, places, from);
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), after);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
fn expand_64_words(words: &mut [i16; 64], places: u64, from: &[u8]) {
    let mut rest = from;
    let (halves, _) = words.as_chunks_mut::<32>();
    for (half, places) in halves
        .iter_mut()
        .zip([places as u32, (places >> 32) as u32])
    {
        let from;
        (from, rest) = rest.split_at(2 * places.count_ones() as usize);
        // SAFETY: as above.
        unsafe {
            let before = _mm512_loadu_si512(half.as_ptr().cast());
            let from = _mm512_maskz_loadu_epi8(first_lanes(from.len()), from.as_ptr().cast());
            let after = _mm512_mask_expand_epi16(before, places, from);
            _mm512_storeu_si512(half.as_mut_ptr().cast(), after);
        }
    }
}

/// The mask of the first `count` lanes of bytes, at most 64.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn first_lanes(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
}
