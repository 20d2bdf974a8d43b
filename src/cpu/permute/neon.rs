//! Permutations with NEON, which belongs to every aarch64: one instruction takes 16 bytes from any
//! places of 64 others, so four of them handle what is one instruction of AVX-512.

#![allow(unsafe_code)] // functions of NEON, each with its proof and its plain twin

use std::arch::aarch64::{
    vaddq_u8, vdupq_n_u8, vld1q_s16, vld1q_u8, vld1q_u8_x4, vminq_s16, vminq_u8, vqtbx4q_u8,
    vreinterpretq_s16_u8, vreinterpretq_u8_s16, vst1q_s16, vst1q_u8, vzip1q_u8, vzip2q_u8,
};

use super::Permute;

/// Processors with NEON.
pub(in crate::cpu) struct Neon;

impl Permute for Neon {
    const IS_FAST: bool = true;

    #[inline(always)]
    fn lower_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
        // SAFETY: NEON belongs to every aarch64.
        unsafe { lower_64_bytes(least, window, places) }
    }

    #[inline(always)]
    fn lower_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
        // SAFETY: as above.
        unsafe { lower_32_words(least, window, places) }
    }
}

// Numbers without a place are compared with themselves: where a place is beyond the table, the
// instruction keeps what was there before.

#[target_feature(enable = "neon")]
#[inline]
fn lower_64_bytes(least: &mut [u8; 64], window: &[u8; 64], places: &[u8; 64]) {
    // SAFETY: the pointer is that of a reference to 64 bytes, which is as much as is read, at any
    // alignment.
    let window = unsafe { vld1q_u8_x4(window.as_ptr()) };
    let (least, places) = (least.as_chunks_mut::<16>().0, places.as_chunks::<16>().0);
    for (least, places) in least.iter_mut().zip(places) {
        // SAFETY: as above, of 16 bytes, which are read and written.
        unsafe {
            let before = vld1q_u8(least.as_ptr());
            let others = vqtbx4q_u8(before, window, vld1q_u8(places.as_ptr()));
            vst1q_u8(least.as_mut_ptr(), vminq_u8(before, others));
        }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn lower_32_words(least: &mut [i16; 32], window: &[i16; 32], places: &[u8; 32]) {
    // SAFETY: as above: 32 words are 64 bytes.
    let window = unsafe { vld1q_u8_x4(window.as_ptr().cast()) };
    let (least, places) = (least.as_chunks_mut::<16>().0, places.as_chunks::<16>().0);
    for (least, places) in least.iter_mut().zip(places) {
        // SAFETY: as above, of 16 bytes.
        let places = unsafe { vld1q_u8(places.as_ptr()) };
        // Those of a word's two bytes. Twice `NOWHERE` is beyond the table, and still a byte.
        let first = vaddq_u8(places, places);
        let second = vaddq_u8(first, vdupq_n_u8(1));
        let halves = [vzip1q_u8(first, second), vzip2q_u8(first, second)];
        for (least, places) in least.as_chunks_mut::<8>().0.iter_mut().zip(halves) {
            // SAFETY: as above: 8 words are 16 bytes.
            unsafe {
                let before = vld1q_s16(least.as_ptr());
                let others = vqtbx4q_u8(vreinterpretq_u8_s16(before), window, places);
                let lowered = vminq_s16(before, vreinterpretq_s16_u8(others));
                vst1q_s16(least.as_mut_ptr(), lowered);
            }
        }
    }
}
