//! Running a piece of work with the widest registers that the processor has.
//!
//! The work is written once, in plain loops. It is compiled twice: for every
//! x86-64, and for those with AVX2, which handle 32 bytes at a time instead of
//! 16. Which one runs is found out when it runs; the results are the same.

#![allow(unsafe_code)] // one call, whose condition is checked on the line before

/// Something to be done. `run` and what it calls in its loops must be
/// `#[inline(always)]`, to be compiled for the processor that it runs on.
pub(super) trait Work {
    type Done;
    fn run(self) -> Self::Done;
}

/// Does the work, as this processor does it best.
pub(super) fn widely<W: Work>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, all that the function asks for.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) -> W::Done {
    work.run()
}
