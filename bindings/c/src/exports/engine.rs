//! The engine.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use krou::rules::Position;

use crate::border::guard::guarded;
use crate::border::pointers::{
    check_size, close, object_place, open, optional, place, places, several, shared, versioned,
};
use crate::border::text::{text, write_text};
use crate::objects::{krou_engine, krou_stop, krou_tablebase};
use crate::types::{krou_engine_options, krou_limits, krou_position, krou_report};

/// Opens an engine, which searches for the best move and probes tables for every board
/// that they have.
///
/// PARAMETERS
///   rules    name of the ruleset; null: that of the tables, or "awari" without tables
///   tables   from krou_open, of the same ruleset; null: none
///   options  the options; null: the defaults
///   out      becomes the engine, to be closed with krou_engine_close; null on failure
///
/// RETURN
///   KROU_OK; KROU_E_RULES if there is no such ruleset, or the tables are of another one;
///   KROU_E_ARGUMENT if an option is out of its range; KROU_E_MEMORY if the transposition
///   table does not fit into the memory; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.
///
/// NOTES
///   The engine has a share of the tables: `tables` may be closed before it.
///
/// THREADS
///   Threads may share `tables`. The engine is for one search at a time: a second call at
///   the same moment gets KROU_E_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_engine_open(
    rules: *const c_char,
    tables: *const krou_tablebase,
    options: *const krou_engine_options,
    out: *mut *mut krou_engine,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (out, rules, tables, options) = unsafe {
            (
                object_place(out, "out")?,
                optional(rules, || text(rules, "rules"))?,
                optional(tables, || shared(tables, "tables"))?,
                optional(options, || versioned(options, "options"))?,
            )
        };
        let rules = rules.map(str::parse).transpose()?;
        let tables = tables.map(|tables| tables.0.clone());
        open(out, krou_engine::new(rules, tables, options)?);
        Ok(())
    })
}

/// Closes an engine.
///
/// PARAMETERS
///   engine   from krou_engine_open; null does nothing
///
/// THREADS
///   No other thread may be using the engine, and none may use it afterwards: stop its
///   search first, and wait until it has returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_engine_close(engine: *mut krou_engine) {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { close(engine) };
        Ok(())
    });
}

/// Searches for the best move.
///
/// PARAMETERS
///   engine    from krou_engine_open
///   position  the position before `moves`
///   moves     the moves played since, as pits 0 to 5 of whoever moves, so that the engine
///             knows which boards have occurred; may be null if `count` is 0
///   count     how many moves there are
///   limits    when the search ends
///   report    becomes the result; unchanged on failure
///   size      sizeof(krou_report)
///
/// RETURN
///   KROU_OK; KROU_E_OVER if the game is over; KROU_E_MOVE if one of `moves` is illegal;
///   KROU_E_BOARD if the position has more than 48 seeds; KROU_E_ARGUMENT if a limit is
///   out of its range, or the search would never end; KROU_E_BUSY; KROU_E_SIZE;
///   KROU_E_NULL.
///
/// NOTES
///   However short the time, there is a move. With one thread, and limits of depth or
///   nodes alone, a new engine gives the same report for the same game. Results of earlier
///   searches help the next one; krou_engine_clear forgets them. A stop by `on_report`
///   counts as a request of `limits->stop`, too.
///
/// THREADS
///   One at a time. `limits->on_report` is called by the thread that calls this function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_search(
    engine: *const krou_engine,
    position: *const krou_position,
    moves: *const u8,
    count: usize,
    limits: *const krou_limits,
    report: *mut krou_report,
    size: usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_report>(size, "krou_report")?;
        // SAFETY: promised by the caller; the size of a report has been checked.
        let (engine, position, moves, limits, mut out) = unsafe {
            (
                shared(engine, "engine")?,
                shared(position, "position")?,
                several(moves, count, "moves")?,
                versioned(limits, "limits")?,
                place(report, "report")?,
            )
        };
        // SAFETY: promised by the caller.
        let stop = unsafe { optional(limits.stop, || shared(limits.stop, "limits->stop")) }?;
        let stop = stop.map_or_else(krou_stop::default, krou_stop::clone);
        let mut on_report = |report: &krou_report| match limits.on_report {
            // SAFETY: the caller promises that it is such a function, and that it returns.
            Some(on_report) => unsafe { on_report(report, limits.user) == 0 },
            None => true,
        };
        let position = Position::try_from(*position)?;
        out.write(engine.search(&position, moves, &limits, &stop, &mut on_report)?);
        Ok(())
    })
}

/// Forgets the results of earlier searches, as before a new game.
///
/// PARAMETERS
///   engine   from krou_engine_open
///
/// RETURN
///   KROU_OK, KROU_E_BUSY, KROU_E_NULL.
///
/// THREADS
///   One at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_engine_clear(engine: *const krou_engine) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { shared(engine, "engine") }?.clear()
    })
}

/// Says whether tables have failed. The engine plays on without them, but weaker.
///
/// PARAMETERS
///   engine   from krou_engine_open
///   count    becomes the number of probes that failed because a table is damaged or
///            cannot be read
///   first    becomes the first error as text, empty if there is none; null: not wanted
///   size     bytes of memory at `first`
///   needed   becomes the bytes that the text takes with its null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BUFFER if `size` is too small, with `count` written; KROU_E_BUSY;
///   KROU_E_NULL.
///
/// THREADS
///   One at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_engine_table_errors(
    engine: *const krou_engine,
    count: *mut u64,
    first: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (engine, mut count, first, needed) = unsafe {
            (
                shared(engine, "engine")?,
                place(count, "count")?,
                optional(first, || places(first.cast(), size, "first"))?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        let (failed, error) = engine.table_errors()?;
        count.write(failed);
        match (first, needed) {
            (None, None) => Ok(()),
            (first, needed) => write_text(&error, first.unwrap_or_default(), needed),
        }
    })
}
