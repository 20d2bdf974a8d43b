//! The library itself: its version, and what went wrong.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use crate::border::codes::NAMES;
use crate::border::last_error;

/// Version of the functions and structs of this header. It changes if a program has to be
/// compiled or written anew.
pub const KROU_ABI_VERSION: u32 = 1;

/// The version with a null byte at its end.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// Returns the ABI version of the library that the program runs with.
///
/// RETURN
///   KROU_ABI_VERSION of the library's own header. A program that loads the library itself
///   compares it with the one that it was compiled with; the linker does so for others.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn krou_abi_version() -> u32 {
    KROU_ABI_VERSION
}

/// Returns the version of the library, such as "0.1.0".
///
/// RETURN
///   A text that is valid until the end of the program.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn krou_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Says what went wrong in the last call of this thread that failed.
///
/// RETURN
///   One sentence in UTF-8: what is wrong, where, and what to do. It is never null; before
///   the first failure it is empty. It is valid until the next call of this thread that
///   fails, and until the thread ends.
///
/// NOTES
///   Successful calls do not change it: look at the code first.
///
/// THREADS
///   Each thread has its own.
#[unsafe(no_mangle)]
pub extern "C" fn krou_last_error() -> *const c_char {
    last_error::pointer()
}

/// Returns the name of a code, such as "KROU_E_BOARD".
///
/// PARAMETERS
///   code    what a function has returned
///
/// RETURN
///   A text that is valid until the end of the program; null if there is no such code.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn krou_code_name(code: c_int) -> *const c_char {
    let name = usize::try_from(code).ok().and_then(|code| NAMES.get(code));
    name.map_or(ptr::null(), |name| name.as_ptr())
}
