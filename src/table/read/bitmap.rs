//! A bit for each of many things, which threads set.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::table::entries::to_usize;

/// Bits that any thread may set, all clear at first. Memory is taken with the first use.
#[derive(Debug, Default)]
pub(super) struct AtomicBitmap(OnceLock<Box<[AtomicU64]>>);

impl AtomicBitmap {
    /// A bit of `len()` bits.
    #[inline]
    pub fn bit(&self, number: u64, len: impl FnOnce() -> u64) -> Bit<'_> {
        let words = self.0.get_or_init(|| {
            let words = len().div_ceil(64);
            (0..words).map(|_| AtomicU64::new(0)).collect()
        });
        Bit {
            word: &words[to_usize(number / 64)],
            mask: 1 << (number % 64),
        }
    }
}

/// One of the bits.
pub(super) struct Bit<'b> {
    word: &'b AtomicU64,
    mask: u64,
}

impl Bit<'_> {
    #[inline]
    pub fn is_set(&self) -> bool {
        self.word.load(Ordering::Relaxed) & self.mask != 0
    }

    pub fn set(&self) {
        self.word.fetch_or(self.mask, Ordering::Relaxed);
    }
}
