//! What the solver asks of the processor beyond plain code: wide registers, and
//! memory ahead of time.

#![allow(unsafe_code)] // two calls, each with its proof beside it

/// Work whose loops profit from wide registers.
///
/// `run` and everything that it calls in its loops must be `#[inline(always)]`:
/// only then are they compiled again for the wider registers. Nothing enforces
/// this but `bench/instructions`.
pub(super) trait Vectorized {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs the work with the widest registers that this processor has.
///
/// The work is compiled twice: for every x86-64 processor, and for those with
/// AVX2, which handle 32 bytes at a time instead of 16. The results are equal.
pub(super) fn run_vectorized<W: Vectorized>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function requires.
        return unsafe { run_with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2<W: Vectorized>(work: W) -> W::Output {
    work.run()
}

/// Starts to fetch the cache line of an entry that will be read soon.
///
/// Boards that are neighbours in play lie far apart in memory, where the processor
/// cannot guess them. Requesting many and reading them later waits about once for
/// all of them. It changes nothing but time, and does nothing on processors other
/// than x86-64.
#[inline]
pub(super) fn prefetch<E>(entry: &E) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(entry).cast();
        // SAFETY: SSE belongs to every x86-64. The instruction is a hint: it
        // neither reads nor writes as far as the program can see, and never
        // faults, whatever the address; this one is a live reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}
