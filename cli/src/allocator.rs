//! Makes the allocator return freed memory to the system.
//!
//! glibc returns large blocks to the system when they are freed, but its threshold
//! for "large" grows with the blocks that a program frees, up to 32 MiB. The process
//! would then hold more memory than `--memory` allows. So the threshold is fixed
//! here, before anything is allocated.

#![allow(unsafe_code)]

/// Blocks of at least this many bytes are returned to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Fixes the threshold for large blocks. On other platforms it does nothing, and
/// memory limits hold as far as the system's allocator allows.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and no pointers, and the option is one of
    // the linked C library, which checks the value. It changes the allocator's settings, so
    // no other thread may be allocating: `main` calls this first, when there is no other
    // thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
