//! What the handles of the header stand for, and long work.
//!
//! Several handles may stand for the same tables: each has a share of them, so that they
//! may be closed in any order. What only one thread may use at a time is behind a lock that
//! nobody waits for: a second thread gets an error.

// The names are those of the header.
#![allow(non_camel_case_types)]

#[cfg(feature = "full")]
pub mod build;
mod engine;
mod rules;
mod stop;
mod tablebase;

use std::sync::{Mutex, MutexGuard, TryLockError};

pub use engine::krou_engine;
pub use rules::krou_rules;
pub use stop::krou_stop;
pub use tablebase::krou_tablebase;

use crate::border::codes::{Failure, KROU_E_BUSY, KROU_E_PANIC};

/// Largest number of threads.
const MAX_THREADS: usize = 1024;

/// Whether a number of threads is in its range.
fn check_threads(threads: usize) -> Result<(), Failure> {
    match threads {
        0..=MAX_THREADS => Ok(()),
        _ => Err(Failure::argument(format!(
            "'threads' is {threads}: at most {MAX_THREADS} are possible"
        ))),
    }
}

/// The content of a lock, unless a thread has it.
fn lock<'a, T>(content: &'a Mutex<T>, name: &str) -> Result<MutexGuard<'a, T>, Failure> {
    content.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Failure::new(
            KROU_E_BUSY,
            format!("the {name} is in use by another call: open one for each thread"),
        ),
        TryLockError::Poisoned(_) => Failure::new(
            KROU_E_PANIC,
            format!("an earlier error in krou has left the {name} unusable: close it"),
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn content_in_use_is_busy_and_after_a_panic_unusable() {
        let content = Mutex::new(());
        let held = lock(&content, "engine").unwrap();
        let failure = lock(&content, "engine").unwrap_err();
        assert_eq!(failure.code, KROU_E_BUSY);
        drop(held);
        assert!(lock(&content, "engine").is_ok());
        let panics = || {
            let _held = lock(&content, "engine");
            panic!("while it is held");
        };
        catch_unwind(panics).unwrap_err();
        let failure = lock(&content, "engine").unwrap_err();
        assert_eq!(failure.code, KROU_E_PANIC);
    }
}
