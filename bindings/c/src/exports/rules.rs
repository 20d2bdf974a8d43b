//! Rulesets and moves, without tables.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::LazyLock;

use krou::Ruleset;
use krou::rules::{Choices, UnknownWord};
use std::str::FromStr;

use crate::border::codes::{Failure, KROU_E_RULES};
use crate::border::guard::guarded;
use crate::border::pointers::{
    check_size, close, count_place, object_place, open, optional, place, places, read_board,
    shared, versioned,
};
use crate::border::text::{ruleset, text, write_text};
use crate::objects::krou_rules;
use crate::types::{KROU_MAX_MOVES, krou_choices, krou_step};

/// The names of the named rulesets.
static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
    let names = Ruleset::NAMED.iter().copied().map(|(name, _)| name);
    names.filter_map(|name| CString::new(name).ok()).collect()
});

/// Returns the name of a named ruleset.
///
/// PARAMETERS
///   index    0 for the default, "awari", and on from there
///
/// RETURN
///   A text that is valid until the end of the program; null if there are no more.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn krou_ruleset_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// Writes the name of a ruleset with other choices. All functions with a parameter `rules`
/// accept it.
///
/// PARAMETERS
///   rules    name of a ruleset; null: "awari"
///   choices  the choices that differ from the ruleset's own; null: none
///   out      becomes the name; may be null if `size` is 0
///   size     bytes of memory at `out`; KROU_MAX_TEXT are enough
///   needed   becomes the bytes that the name takes with its null byte; may be null
///
/// RETURN
///   KROU_OK; KROU_E_RULES if there is no such ruleset or choice, or the ruleset belongs to
///   the store family, which has no choices; KROU_E_BUFFER if `size` is too small;
///   KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.
///
/// NOTES
///   The name is that of a named ruleset with the same choices if there is one: "awari"
///   with the choice "by-side" of endless play is "awale".
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_ruleset(
    rules: *const c_char,
    choices: *const krou_choices,
    out: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, choices, out, needed) = unsafe {
            (
                ruleset(rules)?,
                optional(choices, || versioned(choices, "choices"))?,
                places(out.cast(), size, "out")?,
                optional(needed, || place(needed, "needed"))?,
            )
        };
        let rules = match choices {
            // SAFETY: promised by the caller.
            Some(choices) => rules.with_choices(&unsafe { read_choices(&choices) }?)?,
            None => rules,
        };
        write_text(&rules.to_string(), out, needed)
    })
}

/// # Safety
/// Each pointer is null or leads to a text.
unsafe fn read_choices(texts: &krou_choices) -> Result<Choices, Failure> {
    let mut choices = Choices::default();
    // SAFETY: promised by the caller.
    unsafe {
        choices.grand_slam = choice(texts.grand_slam, "grand_slam")?;
        choices.feeding = choice(texts.feeding, "feeding")?;
        choices.leftovers = choice(texts.leftovers, "leftovers")?;
        choices.endless = choice(texts.endless, "endless")?;
    }
    Ok(choices)
}

/// # Safety
/// The pointer is null or leads to a text.
unsafe fn choice<T: FromStr<Err = UnknownWord>>(
    word: *const c_char,
    name: &str,
) -> Result<Option<T>, Failure> {
    // SAFETY: promised by the caller.
    let word = unsafe { optional(word, || text(word, name)) }?;
    let choice = word.map(str::parse).transpose();
    choice
        .map_err(|error| Failure::new(KROU_E_RULES, format!("'{name}' has another word: {error}")))
}

/// Opens a ruleset, so that its name is read once.
///
/// PARAMETERS
///   rules    name of the ruleset; null: "awari"
///   out      becomes the ruleset, to be closed with krou_rules_close; null on failure
///
/// RETURN
///   KROU_OK, KROU_E_RULES, KROU_E_TEXT, KROU_E_NULL.
///
/// THREADS
///   Any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_rules_open(rules: *const c_char, out: *mut *mut krou_rules) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (out, rules) = unsafe { (object_place(out, "out")?, ruleset(rules)?) };
        open(out, krou_rules::new(rules));
        Ok(())
    })
}

/// Closes a ruleset.
///
/// PARAMETERS
///   rules    from krou_rules_open; null does nothing
///
/// THREADS
///   No other thread may be using the ruleset, and none may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_rules_close(rules: *mut krou_rules) {
    guarded(|| {
        // SAFETY: promised by the caller.
        unsafe { close(rules) };
        Ok(())
    });
}

/// Lists the legal moves of a board, without tables, by pit.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   board    twelve pits, the mover's row first
///   steps    memory for KROU_MAX_MOVES steps
///   size     sizeof(krou_step)
///   count    becomes the number of moves; 0 if the game is over
///
/// RETURN
///   KROU_OK, KROU_E_BOARD, KROU_E_SIZE, KROU_E_NULL.
///
/// THREADS
///   Threads may share `rules`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_rules_moves(
    rules: *const krou_rules,
    board: *const u8,
    steps: *mut krou_step,
    size: usize,
    count: *mut usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_step>(size, "krou_step")?;
        // SAFETY: promised by the caller; the size of a step has been checked.
        let (mut count, rules, board, mut out) = unsafe {
            (
                count_place(count)?,
                shared(rules, "rules")?,
                read_board(board)?,
                places(steps, KROU_MAX_MOVES, "steps")?,
            )
        };
        count.write(out.write(rules.rules.moves(&board).legal().map(Into::into)));
        Ok(())
    })
}

/// Plays one pit.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   board    twelve pits, the mover's row first
///   pit      the pit to play, 0 to 5
///   step     becomes what the move does; unchanged on failure
///   size     sizeof(krou_step)
///
/// RETURN
///   KROU_OK; KROU_E_MOVE if the move is illegal, and krou_last_error says why;
///   KROU_E_BOARD; KROU_E_SIZE; KROU_E_NULL.
///
/// THREADS
///   Threads may share `rules`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_rules_play(
    rules: *const krou_rules,
    board: *const u8,
    pit: u8,
    step: *mut krou_step,
    size: usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_step>(size, "krou_step")?;
        // SAFETY: promised by the caller; the size of a step has been checked.
        let (rules, board, mut out) = unsafe {
            (
                shared(rules, "rules")?,
                read_board(board)?,
                place(step, "step")?,
            )
        };
        out.write(rules.rules.play(&board, pit)?.into());
        Ok(())
    })
}

/// Says whether the game is over because the mover has no legal move.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   board    twelve pits, the mover's row first
///   over     becomes 1 if the mover has no legal move, else 0
///   value    becomes what that is worth to the mover, else 0; may be null
///
/// RETURN
///   KROU_OK, KROU_E_BOARD, KROU_E_NULL.
///
/// THREADS
///   Threads may share `rules`.
/// cbindgen:ptrs-as-arrays=[[board;12]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_rules_over(
    rules: *const krou_rules,
    board: *const u8,
    over: *mut c_int,
    value: *mut i8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, board, mut over, value) = unsafe {
            (
                shared(rules, "rules")?,
                read_board(board)?,
                place(over, "over")?,
                optional(value, || place(value, "value"))?,
            )
        };
        let terminal_value = rules.rules.moves(&board).terminal_value();
        over.write(terminal_value.is_some().into());
        if let Some(mut value) = value {
            value.write(terminal_value.unwrap_or(0));
        }
        Ok(())
    })
}
