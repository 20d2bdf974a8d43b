//! Texts that come from the caller, and texts for the caller.

#![allow(unsafe_code)]

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::{CStr, c_char};
use std::iter;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use krou::Ruleset;

use super::codes::{Failure, KROU_E_BUFFER, KROU_E_TEXT};
use super::pointers::{Place, Places, check, optional};

/// A text of the caller.
///
/// # Safety
/// The pointer is null or leads to a text with a null byte at its end, which lives as long
/// as `'a` and does not change.
pub unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: not null; the rest is promised by the caller. The pointer is the caller's own, as
    // one from a reference to the first byte would be for that byte alone.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|error| {
        Failure::new(
            KROU_E_TEXT,
            format!(
                "'{name}' is not valid UTF-8 from byte {} on: pass UTF-8",
                error.valid_up_to()
            ),
        )
    })
}

/// A path of the caller: its bytes as they are on Unix, UTF-8 elsewhere.
///
/// # Safety
/// As [`text`].
pub unsafe fn path<'a>(pointer: *const c_char, name: &str) -> Result<&'a Path, Failure> {
    #[cfg(unix)]
    {
        check(pointer, name)?;
        // SAFETY: as in `text`.
        let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
        Ok(Path::new(OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: promised by the caller.
        unsafe { text(pointer, name) }.map(Path::new)
    }
}

/// The ruleset of a name; null is the default.
///
/// # Safety
/// As [`text`].
pub unsafe fn ruleset(name: *const c_char) -> Result<Ruleset, Failure> {
    // SAFETY: promised by the caller.
    match optional(name, || unsafe { text(name, "rules") })? {
        Some(name) => Ok(name.parse()?),
        None => Ok(Ruleset::default()),
    }
}

/// Writes a text with a null byte at its end. `needed` becomes the number of bytes of both,
/// also if there is not enough memory for them.
pub fn write_text(
    text: &str,
    mut out: Places<u8>,
    needed: Option<Place<usize>>,
) -> Result<(), Failure> {
    let size = text.len() + 1;
    if let Some(mut needed) = needed {
        needed.write(size);
    }
    if out.capacity() < size {
        return Err(Failure::new(
            KROU_E_BUFFER,
            format!(
                "the buffer has {} bytes, but the text needs {size}: pass a larger one",
                out.capacity()
            ),
        ));
    }
    out.write(text.bytes().chain(iter::once(0)));
    Ok(())
}
