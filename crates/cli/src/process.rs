//! Settings of the process, made before anything else: `main` calls them first, when there is no
//! other thread and nothing is allocated.

#![allow(unsafe_code)]

/// Makes the allocator return freed memory to the system.
///
/// glibc returns large blocks when they are freed, but its threshold for "large" grows with the
/// blocks that a program frees, up to 32 MiB. The process would then hold more memory than
/// `--memory` allows. So it is fixed at 128 KiB. Smaller blocks stay with the arena of the thread
/// that freed them, and each thread has one: two arenas for all threads hold 12 MiB less while 21
/// seeds are verified. On other platforms memory limits hold as far as the system's allocator
/// allows.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and no pointers, and the options are those of
    // the linked C library, which checks the values. It changes the allocator's settings, so
    // no other thread may be allocating, and there is none yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Makes a write beyond the system's limit for the length of files (`ulimit -f`) an error like
/// any other, where a signal would end the program.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no code in place of the program's, and there is no other
    // thread yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Whether a signal is ignored, as the program's caller may have asked for.
pub fn is_ignored(signal: i32) -> bool {
    #[cfg(unix)]
    // SAFETY: without a new action the call only writes the present one to `action`, which is
    // plain numbers that may be zero.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
    #[cfg(not(unix))]
    {
        let _ = signal;
        false
    }
}
