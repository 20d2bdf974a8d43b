//! Requests to stop.

#![allow(unsafe_code)]

use std::ffi::c_int;

use crate::border::guard::guarded;
use crate::border::pointers::{close, object_place, open, shared};
use crate::objects::krou_stop;

/// Opens an object by which one thread requests another one's search or build to stop.
///
/// PARAMETERS
///   out      becomes the object, without a request, to be closed with krou_stop_close;
///            null on failure
///
/// RETURN
///   KROU_OK, KROU_E_NULL.
///
/// NOTES
///   Name it in the limits of a search or the options of a build. A request before it
///   begins ends it at once. It stays until krou_stop_reset, so that none is lost.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_stop_open(out: *mut *mut krou_stop) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { object_place(out, "out") }?;
        open(out, krou_stop::default());
        Ok(())
    })
}

/// Requests to stop.
///
/// PARAMETERS
///   stop     from krou_stop_open
///
/// RETURN
///   KROU_OK, KROU_E_NULL.
///
/// NOTES
///   A search ends within milliseconds and returns the best move found so far. A build ends
///   within a second, and its finished layers stay.
///
/// THREADS
///   Threads may share `stop`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_stop_request(stop: *const krou_stop) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { shared(stop, "stop") }?.request();
        Ok(())
    })
}

/// Takes the request back, before the next search or build.
///
/// PARAMETERS
///   stop     from krou_stop_open
///
/// RETURN
///   KROU_OK, KROU_E_NULL.
///
/// THREADS
///   Threads may share `stop`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_stop_reset(stop: *const krou_stop) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { shared(stop, "stop") }?.reset();
        Ok(())
    })
}

/// Closes the object.
///
/// PARAMETERS
///   stop     from krou_stop_open; null does nothing
///
/// NOTES
///   A search or build that has begun keeps a share of it.
///
/// THREADS
///   No other thread may be using this handle, and none may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_stop_close(stop: *mut krou_stop) {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { close(stop) };
        Ok(())
    });
}
