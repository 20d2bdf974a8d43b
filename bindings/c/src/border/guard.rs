//! Runs a function so that no panic leaves it.

use std::any::Any;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::codes::{Failure, KROU_E_PANIC, KROU_OK};
use super::last_error;

/// Runs a function and returns its code. The sentence of a failure, or of a panic, becomes
/// this thread's last error.
///
/// What a panic leaves half done is either local to the call or behind a lock that is
/// poisoned by it, so that the next call notices.
pub fn guarded(f: impl FnOnce() -> Result<(), Failure>) -> c_int {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(())) => KROU_OK,
        Ok(Err(failure)) => report(&failure),
        Err(panic) => report(&of_panic(panic.as_ref())),
    }
}

fn report(failure: &Failure) -> c_int {
    last_error::set(&failure.message);
    failure.code
}

fn of_panic(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no details");
    Failure::new(
        KROU_E_PANIC,
        format!("this is an error in krou ({text}): close the object and report it"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_an_error_code() {
        assert_eq!(guarded(|| panic!("a test with {}", 1)), KROU_E_PANIC);
        let message = last_error::text();
        assert!(message.contains("a test with 1"), "{message}");
        assert_eq!(guarded(|| panic!("a plain text")), KROU_E_PANIC);
        assert!(last_error::text().contains("a plain text"));
        assert_eq!(guarded(|| Ok(())), KROU_OK);
        assert!(last_error::text().contains("a plain text"));
    }
}
