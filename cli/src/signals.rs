//! Signals that would end the program where an error says more.

#![allow(unsafe_code)]

/// Makes a write beyond the system's limit for the length of files (`ulimit -f`) an error like
/// any other.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no code in place of the program's, and `main` calls this
    // first, when there is no other thread.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
