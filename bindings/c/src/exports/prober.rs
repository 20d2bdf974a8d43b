//! Probing from one thread.

#![allow(unsafe_code)]

use std::ffi::c_int;

use super::tablebase::ranked_moves;
use crate::border::guard::guarded;
use crate::border::pointers::{close, object_place, open, place, read_board, shared};
use crate::objects::{krou_prober, krou_tablebase};
use crate::types::{krou_move, krou_result};

/// Opens a prober, which asks for values alone: they take less work than krou_probe, which
/// also finds distances and bounds.
///
/// PARAMETERS
///   tables   from krou_open
///   out      becomes the prober, to be closed with krou_prober_close; null on failure
///
/// RETURN
///   KROU_OK, KROU_E_NULL.
///
/// NOTES
///   It has a share of the tables: `tables` may be closed before it.
///
/// THREADS
///   Threads may share `tables` and the prober.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_prober_open(
    tables: *const krou_tablebase,
    out: *mut *mut krou_prober,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (out, tables) = unsafe { (object_place(out, "out")?, shared(tables, "tables")?) };
        open(out, krou_prober(tables.0.clone()));
        Ok(())
    })
}

/// Closes a prober.
///
/// PARAMETERS
///   prober   from krou_prober_open; null does nothing
///
/// THREADS
///   No other thread may be using the prober, and none may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_prober_close(prober: *mut krou_prober) {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { close(prober) };
        Ok(())
    });
}

/// Probes the value of a board alone: the fastest call of a search.
///
/// PARAMETERS
///   prober   from krou_prober_open
///   board    twelve pits, the mover's row first
///   value    becomes the value; unchanged on failure
///
/// RETURN
///   As krou_probe.
///
/// THREADS
///   One at a time.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_prober_value(
    prober: *const krou_prober,
    board: *const u8,
    value: *mut i8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (prober, board, mut out) = unsafe {
            (
                shared(prober, "prober")?,
                read_board(board)?,
                place(value, "value")?,
            )
        };
        out.write(prober.0.value(&board)?);
        Ok(())
    })
}

/// As krou_probe, through a prober.
///
/// PARAMETERS
///   prober   from krou_prober_open
///   board    twelve pits, the mover's row first
///   out      becomes the result; on failure nothing in it is known
///
/// RETURN
///   As krou_probe.
///
/// THREADS
///   One at a time.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_prober_probe(
    prober: *const krou_prober,
    board: *const u8,
    out: *mut krou_result,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let mut out = unsafe { place(out, "out") }?;
        out.write(krou_result::default());
        // SAFETY: promised by the caller.
        let (prober, board) = unsafe { (shared(prober, "prober")?, read_board(board)?) };
        out.write(prober.0.probe(&board)?.into());
        Ok(())
    })
}

/// As krou_moves, through a prober.
///
/// PARAMETERS
///   prober   from krou_prober_open
///   board    twelve pits, the mover's row first
///   moves    memory for KROU_MAX_MOVES moves
///   size     sizeof(krou_move)
///   count    becomes the number of moves; 0 if the game is over
///
/// RETURN
///   As krou_moves.
///
/// THREADS
///   One at a time.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_prober_moves(
    prober: *const krou_prober,
    board: *const u8,
    moves: *mut krou_move,
    size: usize,
    count: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let prober = unsafe { shared(prober, "prober") }?;
        // SAFETY: promised by the caller.
        unsafe { ranked_moves(&prober.0, board, moves, size, count) }
    })
}
