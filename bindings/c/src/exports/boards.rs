//! Boards and positions as text.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use krou::Board;
use krou::rules::{PITS, Position};

use crate::border::guard::guarded;
use crate::border::pointers::{check_size, optional, place, places, read_board, shared};
use crate::border::text::{text, write_text};
use crate::types::krou_position;

/// Reads a board from text: twelve numbers, such as "1 1 1 1 1 2 / 4 2 3 0 0 0", or a
/// position in the notation of oware engines, whose board is kept.
///
/// PARAMETERS
///   from     the text
///   board    becomes twelve pits, the mover's row first; unchanged on failure
///
/// RETURN
///   KROU_OK; KROU_E_BOARD if the text is no board, and krou_last_error names the wrong
///   part; KROU_E_TEXT; KROU_E_NULL.
///
/// THREADS
///   Any thread may call it at any time.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_parse_board(from: *const c_char, board: *mut u8) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (from, mut out) = unsafe {
            (
                text(from, "from")?,
                place(board.cast::<[u8; PITS]>(), "board")?,
            )
        };
        out.write(from.parse::<Board>()?.pits());
        Ok(())
    })
}

/// Writes a board as text, such as "1 1 1 1 1 2 / 4 2 3 0 0 0".
///
/// PARAMETERS
///   board    twelve pits, the mover's row first
///   out      becomes the text; may be null if `size` is 0
///   size     bytes of memory at `out`; KROU_MAX_TEXT are enough
///   needed   becomes the bytes that the text takes with its null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BOARD if there are more than 48 seeds; KROU_E_BUFFER if `size` is too
///   small; KROU_E_NULL.
///
/// THREADS
///   Any thread may call it at any time.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_format_board(
    board: *const u8,
    out: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (board, out, needed) = unsafe {
            (
                read_board(board)?,
                places(out.cast(), size, "out")?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        write_text(&board.to_string(), out, needed)
    })
}

/// Reads a position from text: "h1-...-h12-south-north-S" (or "-N"), the notation of oware
/// engines, with South's pits first whoever is to move; or a board alone, with empty stores
/// and South to move.
///
/// PARAMETERS
///   from      the text
///   position  becomes the position; unchanged on failure
///   size      sizeof(krou_position)
///
/// RETURN
///   KROU_OK; KROU_E_BOARD if the text is no position, and krou_last_error names the wrong
///   part; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_parse_position(
    from: *const c_char,
    position: *mut krou_position,
    size: usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_position>(size, "krou_position")?;
        // SAFETY: promised by the caller; the size of a position has been checked.
        let (from, mut out) = unsafe { (text(from, "from")?, place(position, "position")?) };
        out.write(from.parse::<Position>()?.into());
        Ok(())
    })
}

/// Writes a position in the notation of oware engines.
///
/// PARAMETERS
///   position  the position
///   out       becomes the text; may be null if `size` is 0
///   size      bytes of memory at `out`; KROU_MAX_TEXT are enough
///   needed    becomes the bytes that the text takes with its null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BOARD if the board has more than 48 seeds; KROU_E_ARGUMENT;
///   KROU_E_BUFFER if `size` is too small; KROU_E_NULL.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_format_position(
    position: *const krou_position,
    out: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (position, out, needed) = unsafe {
            (
                shared(position, "position")?,
                places(out.cast(), size, "out")?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        let position = Position::try_from(*position)?;
        write_text(&position.to_string(), out, needed)
    })
}
