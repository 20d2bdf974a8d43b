//! Rules, indexes and values of many boards at once.

#![allow(unsafe_code)]

use std::ffi::c_int;

use krou::Board;
use krou::rules::{MAX_SEEDS, Next, PITS, ROW};

use crate::border::codes::{Failure, KROU_OK};
use crate::border::guard::guarded;
use crate::border::pointers::{Places, check_size, optional, place, places, several, shared};
use crate::objects::{krou_rules, krou_tablebase};
use crate::types::{krou_step, of_next};

/// Index of a board that no layer indexes: see krou_index_of.
pub const KROU_NO_INDEX: u64 = u64::MAX;

/// Says which pits may be played on each of many boards.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   boards   `count` boards of twelve pits, one after another
///   count    how many boards there are; 0 is allowed
///   masks    becomes a byte for each board: bit n is set if pit n may be played; 0 if the
///            game is over. It must not overlap `boards`
///
/// RETURN
///   KROU_OK; KROU_E_BOARD, with no mask written; KROU_E_NULL; KROU_E_ARGUMENT.
///
/// THREADS
///   Threads may share `rules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_legal_masks(
    rules: *const krou_rules,
    boards: *const u8,
    count: usize,
    masks: *mut u8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, boards, mut out) = unsafe {
            (
                shared(rules, "rules")?,
                read_boards(boards, count)?,
                places(masks, count, "masks")?,
            )
        };
        let mut legal = vec![[false; ROW]; count];
        rules.rules.legal_mask(&boards, &mut legal);
        out.write(legal.into_iter().map(mask));
        Ok(())
    })
}

/// Plays a pit on each of many boards.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   boards   `count` boards of twelve pits, one after another
///   pits     the pit to play on each board, 0 to 5
///   count    how many boards there are; 0 is allowed
///   steps    becomes what each move does, the captured seeds left out: `captured` is 0. It
///            must not overlap `boards` and `pits`
///   size     sizeof(krou_step)
///
/// RETURN
///   KROU_OK; KROU_E_MOVE if a move is illegal, and krou_last_error names the first such
///   board; KROU_E_BOARD; KROU_E_SIZE; KROU_E_NULL; KROU_E_ARGUMENT. On failure nothing is
///   written.
///
/// THREADS
///   Threads may share `rules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_play_many(
    rules: *const krou_rules,
    boards: *const u8,
    pits: *const u8,
    count: usize,
    steps: *mut krou_step,
    size: usize,
) -> c_int {
    guarded(|| {
        check_size::<krou_step>(size, "krou_step")?;
        // SAFETY: promised by the caller; the size of a step has been checked.
        let (rules, mut boards, pits, mut out) = unsafe {
            (
                shared(rules, "rules")?,
                read_boards(boards, count)?,
                several(pits, count, "pits")?,
                places(steps, count, "steps")?,
            )
        };
        let (mut gains, mut next) = (vec![0; count], vec![Next::Over; count]);
        let played = rules
            .rules
            .play_many(&mut boards, pits, &mut gains, &mut next);
        played.map_err(|(number, why)| Failure::from(why).of_board(number))?;
        let played = boards.iter().zip(pits).zip(gains).zip(next);
        out.write(played.map(|(((board, &pit), gain), next)| krou_step {
            pit,
            captured: 0,
            gain,
            next: of_next(next),
            board: board.pits(),
        }));
        Ok(())
    })
}

/// Says how many boards a layer has. Their indexes are the numbers below that.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   seeds    the number of seeds of the layer, at most 48
///   boards   becomes the number of boards
///
/// RETURN
///   KROU_OK, KROU_E_ARGUMENT, KROU_E_NULL.
///
/// THREADS
///   Threads may share `rules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_layer_size(
    rules: *const krou_rules,
    seeds: u32,
    boards: *mut u64,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, mut out) = unsafe { (shared(rules, "rules")?, place(boards, "boards")?) };
        out.write(rules.layer(layer(seeds)?).len());
        Ok(())
    })
}

/// Gives the index of each of many boards in its layer.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   boards   `count` boards of twelve pits, one after another
///   count    how many boards there are; 0 is allowed
///   indexes  becomes the index of each board; KROU_NO_INDEX if no move leads to it, so
///            that it has none. It must not overlap `boards`
///
/// RETURN
///   KROU_OK, KROU_E_BOARD, KROU_E_NULL, KROU_E_ARGUMENT.
///
/// THREADS
///   Threads may share `rules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_index_of(
    rules: *const krou_rules,
    boards: *const u8,
    count: usize,
    indexes: *mut u64,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, boards, mut out) = unsafe {
            (
                shared(rules, "rules")?,
                read_boards(boards, count)?,
                places(indexes, count, "indexes")?,
            )
        };
        let index = |board: &Board| rules.layer(board.seeds()).index(board);
        out.write(
            boards
                .iter()
                .map(|board| index(board).unwrap_or(KROU_NO_INDEX)),
        );
        Ok(())
    })
}

/// Gives the boards with some indexes of a layer, such as random ones.
///
/// PARAMETERS
///   rules    from krou_rules_open
///   seeds    the number of seeds of the layer, at most 48
///   indexes  `count` numbers below krou_layer_size
///   count    how many there are; 0 is allowed
///   boards   becomes `count` boards of twelve pits, one after another. It must not overlap
///            `indexes`
///
/// RETURN
///   KROU_OK; KROU_E_ARGUMENT if a number is too large, with no board written; KROU_E_NULL.
///
/// THREADS
///   Threads may share `rules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_board_at(
    rules: *const krou_rules,
    seeds: u32,
    indexes: *const u64,
    count: usize,
    boards: *mut u8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, indexes, mut out): (_, _, Places<[u8; PITS]>) = unsafe {
            (
                shared(rules, "rules")?,
                several(indexes, count, "indexes")?,
                places(boards.cast(), count, "boards")?,
            )
        };
        let layer = rules.layer(layer(seeds)?);
        if let Some(index) = indexes.iter().find(|&&index| index >= layer.len()) {
            return Err(Failure::argument(format!(
                "'indexes' has {index}, but the layer has only {} boards",
                layer.len()
            )));
        }
        out.write(indexes.iter().map(|&index| layer.board(index).pits()));
        Ok(())
    })
}

/// Probes the values of many boards, in parallel, without anything else.
///
/// PARAMETERS
///   tables   from krou_open
///   boards   `count` boards of twelve pits, one after another
///   count    how many boards there are; 0 is allowed
///   values   becomes the value of each board, 0 for one with an error. It must not
///            overlap `boards`
///   codes    becomes the code that krou_probe would return for each board; may be null
///
/// RETURN
///   As krou_probe_many, except that a board with too many seeds is an error of the call:
///   KROU_E_BOARD, with nothing written.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_probe_values(
    tables: *const krou_tablebase,
    boards: *const u8,
    count: usize,
    values: *mut i8,
    codes: *mut c_int,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, boards, mut out, codes) = unsafe {
            (
                shared(tables, "tables")?,
                read_boards(boards, count)?,
                places(values, count, "values")?,
                optional(codes, || places(codes, count, "codes"))?,
            )
        };
        let mut values = vec![0; count];
        let failed = tables.0.probe_values(&boards, &mut values);
        out.write(values);
        let failed = failed
            .into_iter()
            .map(|(number, error)| (number, error.into()));
        let failed: Vec<(usize, Failure)> = failed.collect();
        if let Some(mut codes) = codes {
            let mut all = vec![KROU_OK; count];
            for (number, why) in &failed {
                all[*number] = why.code;
            }
            codes.write(all);
        }
        let first = failed.into_iter().next();
        first.map_or(Ok(()), |(number, why)| Err(why.of_board(number)))
    })
}

/// Values the moves of many boards, in parallel.
///
/// PARAMETERS
///   tables   from krou_open
///   boards   `count` boards of twelve pits, one after another
///   count    how many boards there are; 0 is allowed
///   values   becomes six values for each board: what playing each pit is worth to the
///            mover, 0 where that is not known. It must not overlap `boards`
///   masks    becomes a byte for each board: bit n is set if the value of pit n is known,
///            that is if the move is legal and no table is missing. It must not overlap the
///            others
///
/// RETURN
///   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_NULL;
///   KROU_E_ARGUMENT. On failure nothing is written.
///
/// THREADS
///   Threads may share `tables`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_moves_many(
    tables: *const krou_tablebase,
    boards: *const u8,
    count: usize,
    values: *mut i8,
    masks: *mut u8,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (tables, boards, mut out, mut masks): (_, _, Places<[i8; ROW]>, _) = unsafe {
            (
                shared(tables, "tables")?,
                read_boards(boards, count)?,
                places(values.cast(), count, "values")?,
                places(masks, count, "masks")?,
            )
        };
        let moves = tables.0.moves_many(&boards)?;
        let value = |value: Option<i8>| value.unwrap_or(0);
        out.write(moves.iter().map(|values| values.map(value)));
        masks.write(
            moves
                .iter()
                .map(|values| mask(values.map(|value| value.is_some()))),
        );
        Ok(())
    })
}

/// The bits of the pits.
fn mask(pits: [bool; ROW]) -> u8 {
    (0..)
        .zip(pits)
        .map(|(pit, is_set)| u8::from(is_set) << pit)
        .sum()
}

/// A layer that exists.
fn layer(seeds: u32) -> Result<u8, Failure> {
    let layer = u8::try_from(seeds).ok().filter(|&seeds| seeds <= MAX_SEEDS);
    layer.ok_or_else(|| {
        Failure::argument(format!(
            "'seeds' is {seeds}: at most {MAX_SEEDS} are possible"
        ))
    })
}

/// Many boards: each text must be a board.
///
/// # Safety
/// The pointer is null or leads to `count` times twelve bytes.
unsafe fn read_boards(pointer: *const u8, count: usize) -> Result<Vec<Board>, Failure> {
    // SAFETY: promised by the caller.
    let boards = unsafe { several::<[u8; PITS]>(pointer.cast(), count, "boards") }?;
    let read =
        |(number, &pits)| Board::new(pits).map_err(|why| Failure::from(why).of_board(number));
    boards.iter().enumerate().map(read).collect()
}
