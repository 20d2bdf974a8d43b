//! What threads share: work on many blocks, with the feature `solve`, and a bit for
//! each of many things.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::table::entries::to_usize;
use crate::table::error::TableError;

/// Does something with each item, on all threads. The error is that of the first item
/// that failed.
#[cfg(feature = "solve")]
pub(super) fn try_each<I: rayon::iter::IntoParallelIterator>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), TableError> + Send + Sync,
) -> Result<(), TableError> {
    use rayon::iter::ParallelIterator;
    let results = items.into_par_iter().map(work);
    results.find_first(Result::is_err).unwrap_or(Ok(()))
}

/// Does something with each item, up to the first that fails.
#[cfg(not(feature = "solve"))]
pub(super) fn try_each<I: IntoIterator>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    items.into_iter().try_for_each(work)
}

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
