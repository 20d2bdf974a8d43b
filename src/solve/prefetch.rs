//! Asking the processor for memory some time before it is read.
//!
//! Boards that are neighbours in play lie far apart in memory. The processor
//! cannot guess where the next one is, so it would wait for each; but the plan
//! knows it. Asking for many and then reading them waits about once for all.

#![allow(unsafe_code)] // one hint that reads and writes nothing, see below

/// Starts to fetch the cache line of an entry. Changes nothing but the time
/// that a later access takes; does nothing on processors other than x86-64.
#[inline]
pub(super) fn prefetch<E>(entry: &E) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(entry).cast();
        // SAFETY: SSE belongs to every x86-64. The instruction is a hint: it
        // neither reads nor writes as far as the program can tell, and never
        // faults, whatever the address; this one is a live reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}
