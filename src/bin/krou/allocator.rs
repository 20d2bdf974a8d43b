//! Memory that is given back when it is freed.
//!
//! The C library of most Linux systems gives large pieces of memory straight
//! back to the system, but what counts as large grows with the pieces that a
//! program frees, up to 32 MiB. After that it keeps more than `--memory` allows.
//! So the size is fixed here, before anything is allocated.

#![allow(unsafe_code)]

/// Pieces of so many bytes and more go back to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Makes the allocator give large pieces back. Elsewhere it does nothing, and
/// a limit of memory is kept as well as the system's allocator lets it.
pub fn give_large_pieces_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and no pointers, and `M_MMAP_THRESHOLD`
    // is an option of the C library that is linked, which checks the number. It
    // changes the allocator's settings, so no other thread may be allocating:
    // `main` calls this first, when there is no other thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
