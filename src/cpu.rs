//! What solver and search ask of the machine beyond plain code: wide registers, memory
//! ahead of time, and large pages. Nothing here changes a result.

#![allow(unsafe_code)] // a few calls, each with its proof beside it

mod permute;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

pub(crate) use self::permute::NOWHERE;
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) use self::permute::OneByOne;
pub(crate) use self::permute::Permute;

/// Work whose loops profit from wide registers.
///
/// `run` and everything that it calls in its loops must be `#[inline(always)]`:
/// only then are they compiled again for the wider registers. Nothing enforces
/// this but `crates/lab/benches/instructions.rs`.
pub(crate) trait Vectorized {
    type Output;
    /// Does the work, with the processor's way to permute.
    fn run<P: Permute>(self) -> Self::Output;
}

/// Runs the work with the widest registers that this processor has.
///
/// On x86-64 the work is compiled three times: for every processor, for those with AVX2, which
/// handle 32 bytes at a time instead of 16, and for those with AVX-512 that permute 64
/// bytes. Elsewhere it is compiled once; on aarch64 every processor permutes. The results are
/// equal.
pub(crate) fn run_vectorized<W: Vectorized>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if permute::Avx512::is_here() {
        // SAFETY: the processor has all that the function requires.
        return unsafe { run_with_avx512(work) };
    } else if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: as above.
        return unsafe { run_with_avx2(work) };
    }
    work.run::<permute::Baseline>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn run_with_avx2<W: Vectorized>(work: W) -> W::Output {
    work.run::<OneByOne>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vbmi,popcnt")]
fn run_with_avx512<W: Vectorized>(work: W) -> W::Output {
    work.run::<permute::Avx512>()
}

/// Starts to fetch the cache line of an entry that will be read soon.
///
/// Boards that are neighbours in play lie far apart in memory, where the processor
/// cannot guess them. Requesting many and reading them later waits about once for
/// all of them. It changes nothing but time, and does nothing on processors other
/// than x86-64.
#[inline]
pub(crate) fn prefetch<E>(entry: &E) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<_MM_HINT_T0, E>(entry);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}

/// The same for what will be read after so much else that it would not stay in the nearest
/// cache, and leaves that to what is read now.
#[inline]
pub(crate) fn prefetch_for_later<E>(entry: &E) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<{ std::arch::x86_64::_MM_HINT_T1 }, E>(entry);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_to<const CACHE: i32, E>(entry: &E) {
    let address = std::ptr::from_ref(entry).cast();
    // SAFETY: SSE belongs to every x86-64. The instruction is a hint: it
    // neither reads nor writes as far as the program can see, and never
    // faults, whatever the address; this one is a live reference's.
    unsafe { _mm_prefetch::<CACHE>(address) };
}

/// The usual size of a large page.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// An empty vector with room for `len` elements, in large pages where the system has
/// them: Linux with transparent huge pages set to `madvise` or `always`.
///
/// Random access to many megabytes in pages of 4 KiB misses the processor's cache of
/// page addresses (TLB) nearly every time, which may cost more than the load itself.
pub(crate) fn vec_in_large_pages<T>(len: usize) -> Vec<T> {
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
    let mut vec = Vec::with_capacity(len);
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4 << 10;
        let range = vec.spare_capacity_mut().as_mut_ptr_range();
        // Whole pages inside the allocation.
        let start = range.start.addr().next_multiple_of(PAGE);
        let end = range.end.addr() / PAGE * PAGE;
        if let Some(bytes) = end.checked_sub(start)
            && bytes >= LARGE_PAGE
        {
            // SAFETY: the pages belong to the vector, which is borrowed mutably. The
            // advice moves them in physical memory at most; addresses and contents stay.
            // If it fails, such as on a page size above `PAGE`, pages stay small.
            unsafe {
                libc::madvise(
                    range.start.with_addr(start).cast(),
                    bytes,
                    libc::MADV_HUGEPAGE,
                )
            };
        }
    }
    vec
}
