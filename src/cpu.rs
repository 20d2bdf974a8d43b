//! What solver and search ask of the machine beyond plain code: wide registers, memory
//! ahead of time, and large pages. Nothing here changes a result.

#![allow(unsafe_code)] // a few calls, each with its proof beside it

mod permute;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use std::sync::LazyLock;

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

/// The widest registers of a processor that krou has loops for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// Those that every processor of this kind has, and no permutations.
    Plain,
    /// aarch64: 16 bytes, and permutations.
    Neon,
    /// x86-64: 32 bytes.
    Avx2,
    /// x86-64: 64 bytes, and permutations (the extensions BW, VL and VBMI).
    Avx512,
}

impl Registers {
    /// Those of this processor. The answer is kept: a search asks at every evaluation.
    pub fn here() -> Registers {
        static HERE: LazyLock<Registers> = LazyLock::new(detected);
        *HERE
    }

    /// The name of these registers.
    pub fn as_str(self) -> &'static str {
        match self {
            Registers::Plain => "plain",
            Registers::Neon => "NEON",
            Registers::Avx2 => "AVX2",
            Registers::Avx512 => "AVX-512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Registers {
    use std::arch::is_x86_feature_detected as has;
    if !(has!("avx2") && has!("popcnt")) {
        Registers::Plain
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi") {
        Registers::Avx512
    } else {
        Registers::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Registers {
    match cfg!(target_arch = "aarch64") {
        true => Registers::Neon,
        false => Registers::Plain,
    }
}

/// Runs the work with the widest registers that this processor has.
///
/// On x86-64 the work is compiled three times, elsewhere once. The results are equal.
pub(crate) fn run_vectorized<W: Vectorized>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    match Registers::here() {
        // SAFETY: the processor has all that the function requires.
        Registers::Avx512 => return unsafe { run_with_avx512(work) },
        // SAFETY: as above.
        Registers::Avx2 => return unsafe { run_with_avx2(work) },
        Registers::Neon | Registers::Plain => {}
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
