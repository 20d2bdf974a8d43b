//! Opening tables, and probing them.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};
use std::path::Path;
use std::ptr;

use krou::Tablebase;
use krou::rules::PITS;
#[cfg(feature = "full")]
use krou::tablebase::Host;
use krou::tablebase::VariationEnd;

use crate::border::codes::Failure;
use crate::border::guard::guarded;
use crate::border::pointers::{
    check_size, close, count_place, object_place, open, optional, place, places, read_board,
    several, shared, versioned,
};
use crate::border::text::{path, ruleset, write_text};
use crate::objects::krou_tablebase;
use crate::types::{KROU_MAX_MOVES, krou_move, krou_open_options, krou_result, krou_step};

/// `end` of krou_best_line: the game is over.
pub const KROU_END_OVER: c_int = 0;
/// `end` of krou_best_line: the last move leads back to an earlier board (endless play).
pub const KROU_END_LOOP: c_int = 1;
/// `end` of krou_best_line: a layer is missing.
pub const KROU_END_MISSING: c_int = 2;
/// `end` of krou_best_line: the line has as many moves as were asked for.
pub const KROU_END_LENGTH: c_int = 3;

/// Opens the tables of a ruleset.
///
/// PARAMETERS
///   rules    name of the ruleset, such as "awari", or a name that krou_ruleset has
///            written; null: "awari"
///   folders  folders of tables: bytes as the system has them on Unix, else UTF-8, or the
///            addresses of folders on web hosts, "https://..."; the first one that has
///            a table counts. May be null if `count` is 0
///   count    how many folders there are; 0: the built-in tables alone, such as those
///            of awari up to 9 seeds
///   out      becomes the tables, to be closed with krou_close; null on failure
///
/// RETURN
///   KROU_OK; KROU_E_RULES: no such ruleset; KROU_E_FOLDER: no such folder; KROU_E_TABLE: a
///   host sends no index, or a table to load is damaged; KROU_E_TEXT; KROU_E_NULL.
///
/// NOTES
///   The built-in tables answer where no folder has a table. All headers are read at
///   once; entries are read when they are probed. Files of other rulesets are ignored.
///   A table that cannot be opened closes no other one: krou_damaged_tables names it, and
///   boards that need it get KROU_E_TABLE.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_open(
    rules: *const c_char,
    folders: *const *const c_char,
    count: usize,
    out: *mut *mut krou_tablebase,
) -> c_int {
    // SAFETY: promised by the caller.
    guarded(|| unsafe { open_tables(rules, folders, count, None, out) })
}

/// As krou_open, with options.
///
/// PARAMETERS
///   rules    as krou_open
///   folders  as krou_open
///   count    as krou_open
///   options  the options; null: as krou_open
///   out      as krou_open
///
/// RETURN
///   As krou_open; KROU_E_SIZE if `options->size` is wrong.
///
/// NOTES
///   With `mapped`, a probe of tables of the codec `raw` is one load from memory. Others
///   are decoded as without it.
///   With `table_memory`, a probe of the layers that are loaded is one load, whatever the
///   codec; distances still come from their tables. A board takes one byte, two with
///   bounds and more than 21 seeds.
///   Loading takes two to four times as much memory, and a second for tens of millions of boards.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_open_with(
    rules: *const c_char,
    folders: *const *const c_char,
    count: usize,
    options: *const krou_open_options,
    out: *mut *mut krou_tablebase,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let options = unsafe { optional(options, || versioned(options, "options")) };
        // SAFETY: promised by the caller.
        unsafe { open_tables(rules, folders, count, options?, out) }
    })
}

/// # Safety
/// As [`krou_open`]; if the options say that files are mapped, nobody changes them.
unsafe fn open_tables(
    rules: *const c_char,
    folders: *const *const c_char,
    count: usize,
    options: Option<krou_open_options>,
    out: *mut *mut krou_tablebase,
) -> Result<(), Failure> {
    // SAFETY: promised by the caller.
    let (out, rules, pointers) = unsafe {
        (
            object_place(out, "out")?,
            ruleset(rules)?,
            several(folders, count, "folders")?,
        )
    };
    let has_option = |option: fn(&krou_open_options) -> c_int| {
        options.as_ref().is_some_and(|options| option(options) != 0)
    };
    let cache = options.map_or(ptr::null(), |options| options.cache);
    // SAFETY: promised by the caller.
    let cache = optional(cache, || unsafe { path(cache, "cache") })?;
    let insecure = has_option(|options| options.insecure);
    let mut tables = Tablebase::builder(rules);
    for (number, &folder) in pointers.iter().enumerate() {
        // SAFETY: promised by the caller.
        let folder = unsafe { path(folder, &format!("folders[{number}]")) }?;
        tables = match folder.to_str().filter(|text| text.contains("://")) {
            #[cfg(feature = "full")]
            Some(url) => tables.url(host(url, insecure, cache)),
            #[cfg(not(feature = "full"))]
            Some(url) => {
                let why = format!("'{url}': this library is for probing alone and reads no hosts");
                return Err(Failure::new(crate::border::codes::KROU_E_FOLDER, why));
            }
            None => tables.folder(folder),
        };
    }
    if has_option(|options| options.without_built_in) {
        tables = tables.without_embedded();
    }
    if let Some(options) = options {
        tables = tables.table_memory(options.table_memory);
    }
    let mut tables = match has_option(|options| options.mapped) {
        // SAFETY: promised by the caller.
        true => unsafe { tables.open_mapped() },
        false => tables.open(),
    }?;
    if let Some(options) = options.filter(|options| options.cache_bytes > 0) {
        tables = tables.with_cache_bytes(options.cache_bytes);
    }
    open(out, krou_tablebase(tables));
    Ok(())
}

/// The host with this address.
#[cfg(feature = "full")]
fn host(url: &str, insecure: bool, cache: Option<&Path>) -> Host {
    let mut host = Host::new(url);
    if insecure {
        host = host.insecure();
    }
    match cache {
        Some(folder) => host.cache(folder, Host::CACHE_BYTES),
        None => host,
    }
}

/// Closes tables.
///
/// PARAMETERS
///   tables   from krou_open; null does nothing
///
/// NOTES
///   Engines keep their share of the tables and stay usable.
///
/// THREADS
///   No other thread may be using this handle, and none may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_close(tables: *mut krou_tablebase) {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { close(tables) };
        Ok(())
    });
}

/// Says which layers the tables have.
///
/// PARAMETERS
///   tables   from krou_open
///   layers   becomes a set of layers: bit n is set if the values of all boards with n
///            seeds are there
///
/// RETURN
///   KROU_OK, KROU_E_NULL.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_layers(tables: *const krou_tablebase, layers: *mut u64) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, mut out) = unsafe { (shared(tables, "tables")?, place(layers, "layers")?) };
        out.write(tables.0.layers().bits());
        Ok(())
    })
}

/// Says which tables of the folders could not be opened.
///
/// PARAMETERS
///   tables   from krou_open
///   count    becomes their number
///   out      becomes a line for each: the file, what is wrong with it and what to do; null:
///            not wanted
///   size     bytes of memory at `out`
///   needed   becomes the bytes that the lines take with their null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BUFFER if `size` is too small, with `count` written; KROU_E_NULL.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_damaged_tables(
    tables: *const krou_tablebase,
    count: *mut usize,
    out: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, mut count, out, needed) = unsafe {
            (
                shared(tables, "tables")?,
                place(count, "count")?,
                optional(out, || places(out.cast(), size, "out"))?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        let damaged = tables.0.damaged_tables();
        let lines: Vec<String> = damaged.map(ToString::to_string).collect();
        count.write(lines.len());
        match (out, needed) {
            (None, None) => Ok(()),
            (out, needed) => write_text(&lines.join("\n"), out.unwrap_or_default(), needed),
        }
    })
}

/// Writes the name of the tables' ruleset.
///
/// PARAMETERS
///   tables   from krou_open
///   out      becomes the name; may be null if `size` is 0
///   size     bytes of memory at `out`
///   needed   becomes the bytes that the name takes with its null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BUFFER if `size` is too small; KROU_E_NULL.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_tables_ruleset(
    tables: *const krou_tablebase,
    out: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, out, needed) = unsafe {
            (
                shared(tables, "tables")?,
                places(out.cast(), size, "out")?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        write_text(&tables.0.rules().to_string(), out, needed)
    })
}

/// Probes a board: what is it worth to the player to move?
///
/// PARAMETERS
///   tables   from krou_open
///   board    twelve pits, the mover's row first, both rows in sowing order
///   out      becomes the result; on failure nothing in it is known
///
/// RETURN
///   KROU_OK; KROU_E_BOARD if there are more than 48 seeds; KROU_E_MISSING if no table has
///   the board's layer; KROU_E_TABLE if a table is damaged; KROU_E_NULL.
///
/// NOTES
///   A value counts the seeds on the board now: those that the mover still takes minus
///   those that the opponent still takes, with best play by both. For many boards at once
///   krou_probe_many is faster.
///
/// THREADS
///   Threads may share `tables`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_probe(
    tables: *const krou_tablebase,
    board: *const u8,
    out: *mut krou_result,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let mut out = unsafe { place(out, "out") }?;
        out.write(krou_result::default());
        // SAFETY: promised by the caller.
        let (tables, board) = unsafe { (shared(tables, "tables")?, read_board(board)?) };
        out.write(tables.0.probe(&board)?.into());
        Ok(())
    })
}

/// Probes the value of a board alone: the fastest call of a search.
///
/// PARAMETERS
///   tables   from krou_open
///   board    twelve pits, the mover's row first
///   value    becomes the value; unchanged on failure
///
/// RETURN
///   As krou_probe, which also finds distances and bounds.
///
/// THREADS
///   Threads may share `tables`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_value(
    tables: *const krou_tablebase,
    board: *const u8,
    value: *mut i8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, board, mut out) = unsafe {
            (
                shared(tables, "tables")?,
                read_board(board)?,
                place(value, "value")?,
            )
        };
        out.write(tables.0.value(&board)?);
        Ok(())
    })
}

/// Probes many boards, in parallel.
///
/// PARAMETERS
///   tables   from krou_open
///   boards   `count` boards of twelve pits, one after another
///   count    how many boards there are; 0 is allowed
///   out      `count` results, in the order of the boards; nothing is known in those of
///            boards with an error. It must not overlap `boards`
///   codes    becomes the code that krou_probe would return for each board; may be null
///
/// RETURN
///   KROU_OK if all boards have a result; else the code of the first one that has none,
///   which krou_last_error then names. All others are answered nevertheless. KROU_E_NULL
///   and KROU_E_ARGUMENT are about the call itself: then nothing is written.
///
/// NOTES
///   It uses one thread for each core, or as many as the environment variable
///   RAYON_NUM_THREADS says. Where tables are read it is faster than a loop also with
///   one thread: boards are probed in the order of the tables.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_probe_many(
    tables: *const krou_tablebase,
    boards: *const u8,
    count: usize,
    out: *mut krou_result,
    codes: *mut c_int,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, boards, out, codes) = unsafe {
            (
                shared(tables, "tables")?,
                several::<[u8; PITS]>(boards.cast(), count, "boards")?,
                places(out, count, "out")?,
                optional(codes, || places(codes, count, "codes"))?,
            )
        };
        tables.probe_many(boards, out, codes)
    })
}

/// Lists the legal moves of a board with what each is worth, best first.
///
/// PARAMETERS
///   tables   from krou_open
///   board    twelve pits, the mover's row first
///   moves    memory for KROU_MAX_MOVES moves
///   size     sizeof(krou_move)
///   count    becomes the number of moves; 0 if the game is over
///
/// RETURN
///   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_SIZE; KROU_E_NULL.
///
/// NOTES
///   Moves are ordered by value; among equals the shortest way to a win comes first, the
///   longest to a loss. Moves whose layer is missing come last, with nothing known: that
///   is not an error here.
///
/// THREADS
///   Threads may share `tables`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_moves(
    tables: *const krou_tablebase,
    board: *const u8,
    moves: *mut krou_move,
    size: usize,
    count: *mut usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_move>(size, "krou_move")?;
        // SAFETY: promised by the caller; the size of a move has been checked.
        let (mut count, tables, board, mut out) = unsafe {
            (
                count_place(count)?,
                shared(tables, "tables")?,
                read_board(board)?,
                places(moves, KROU_MAX_MOVES, "moves")?,
            )
        };
        let moves = tables.0.moves(&board)?;
        count.write(out.write(moves.into_iter().map(Into::into)));
        Ok(())
    })
}

/// Follows the best moves of both sides.
///
/// PARAMETERS
///   tables    from krou_open
///   board     twelve pits, the mover's row first
///   steps     memory for `capacity` steps; each is a move on the board of the step before
///             it. May be null if `capacity` is 0
///   size      sizeof(krou_step)
///   capacity  the most moves to follow
///   count     becomes the number of moves
///   end       becomes the reason why the line ends: KROU_END_OVER, KROU_END_LOOP,
///             KROU_END_MISSING or KROU_END_LENGTH; may be null
///
/// RETURN
///   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_SIZE;
///   KROU_E_ARGUMENT; KROU_E_NULL.
///
/// NOTES
///   With distance tables each move of the winner leads nearer to a capture. Without them
///   moves that do not lead back to an earlier board are preferred.
///
/// THREADS
///   Threads may share `tables`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_best_line(
    tables: *const krou_tablebase,
    board: *const u8,
    steps: *mut krou_step,
    size: usize,
    capacity: usize,
    count: *mut usize,
    end: *mut c_int,
) -> c_int {
    guarded(|| {
        check_size::<krou_step>(size, "krou_step")?;
        // SAFETY: promised by the caller; the size of a step has been checked.
        let (mut count, tables, board, mut out, end) = unsafe {
            (
                count_place(count)?,
                shared(tables, "tables")?,
                read_board(board)?,
                places(steps, capacity, "steps")?,
                optional(end, || place(end, "end"))?,
            )
        };
        let line = tables.0.best_line(&board, capacity)?;
        count.write(out.write(line.steps.into_iter().map(Into::into)));
        if let Some(mut end) = end {
            end.write(match line.end {
                VariationEnd::Over => KROU_END_OVER,
                VariationEnd::Loop => KROU_END_LOOP,
                VariationEnd::Missing => KROU_END_MISSING,
                _ => KROU_END_LENGTH,
            });
        }
        Ok(())
    })
}
