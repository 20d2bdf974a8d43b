//! Every function with null pointers, and with sizes and alignments that are wrong. The
//! programs in `tests/c` call them as C does.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};
use std::ptr::{dangling_mut, null, null_mut};

use super::boards::*;
use super::build::krou_build;
use super::engine::*;
use super::library::*;
use super::many::*;
use super::rules::*;
use super::stop::*;
use super::tablebase::*;
use crate::border::codes::{KROU_E_ARGUMENT, KROU_E_NULL, KROU_E_SIZE, KROU_OK};
use crate::border::last_error;
use crate::objects::{krou_engine, krou_rules, krou_stop, krou_tablebase};
use crate::types::{krou_move, krou_position, krou_report, krou_result, krou_step};

const BOARD: [u8; 12] = [0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0];
const STEP: usize = size_of::<krou_step>();
const MOVE: usize = size_of::<krou_move>();

/// A call that must fail because a pointer, whose name is part of the message, is null.
fn assert_null(name: &str, code: c_int) {
    assert_eq!(code, KROU_E_NULL, "{name}");
    let message = last_error::text();
    assert!(message.contains(&format!("'{name}'")), "{message}");
}

fn open_tables() -> *mut krou_tablebase {
    let mut tables = null_mut();
    // SAFETY: no folder is read, and the handle has its place.
    let code = unsafe { krou_open(null(), null(), 0, &raw mut tables) };
    assert_eq!(code, KROU_OK);
    tables
}

#[test]
fn functions_for_tables_refuse_null() {
    let tables = open_tables();
    let (mut result, mut count, mut layers) = (krou_result::default(), 0, 0);
    let board = BOARD.as_ptr();
    let no_tables: *const krou_tablebase = null();
    // SAFETY: every pointer is null or that of a local variable.
    unsafe {
        assert_null("out", krou_open(null(), null(), 0, null_mut()));
        let mut other: *mut krou_tablebase = null_mut();
        assert_null("folders", krou_open(null(), null(), 1, &raw mut other));
        assert_null("out", krou_open_with(null(), null(), 0, null(), null_mut()));
        assert_null("tables", krou_layers(null(), &raw mut layers));
        let damaged = |tables, count| krou_damaged_tables(tables, count, null_mut(), 0, null_mut());
        assert_null("tables", damaged(null(), &raw mut count));
        assert_null("count", damaged(tables, null_mut()));
        assert_eq!((damaged(tables, &raw mut count), count), (KROU_OK, 0));
        assert_null("layers", krou_layers(tables, null_mut()));
        let name = |tables, size| krou_tables_ruleset(tables, null_mut(), size, null_mut());
        assert_null("tables", name(null(), 0));
        assert_null("out", name(tables, 9));
        assert_null("tables", krou_probe(no_tables, board, &raw mut result));
        assert_null("board", krou_probe(tables, null(), &raw mut result));
        assert_null("out", krou_probe(tables, board, null_mut()));
        assert_null("tables", krou_value(null(), board, &raw mut result.value));
        assert_null("board", krou_value(tables, null(), &raw mut result.value));
        assert_null("value", krou_value(tables, board, null_mut()));
        let many = |tables, board, out| krou_probe_many(tables, board, 1, out, null_mut());
        assert_null("tables", many(null(), board, &raw mut result));
        assert_null("boards", many(tables, null(), &raw mut result));
        assert_null("out", many(tables, board, null_mut()));
        let values = |tables, board, out| krou_probe_values(tables, board, 1, out, null_mut());
        assert_null("tables", values(null(), board, &raw mut result.value));
        assert_null("boards", values(tables, null(), &raw mut result.value));
        assert_null("values", values(tables, board, null_mut()));
        let worth = |tables, board, out, masks| krou_moves_many(tables, board, 1, out, masks);
        let (mut six, mut mask) = ([0; 6], 0);
        assert_null(
            "tables",
            worth(null(), board, six.as_mut_ptr(), &raw mut mask),
        );
        assert_null(
            "boards",
            worth(tables, null(), six.as_mut_ptr(), &raw mut mask),
        );
        assert_null("values", worth(tables, board, null_mut(), &raw mut mask));
        assert_null("masks", worth(tables, board, six.as_mut_ptr(), null_mut()));
        let moves: *mut krou_move = dangling_mut();
        let list = |tables, board, moves, count| krou_moves(tables, board, moves, MOVE, count);
        assert_null("tables", list(null(), board, moves, &raw mut count));
        assert_null("board", list(tables, null(), moves, &raw mut count));
        assert_null("moves", list(tables, board, null_mut(), &raw mut count));
        assert_null("count", list(tables, board, moves, null_mut()));
        let line = |tables, board, count| {
            krou_best_line(tables, board, null_mut(), STEP, 1, count, null_mut())
        };
        assert_null("tables", line(null(), board, &raw mut count));
        assert_null("board", line(tables, null(), &raw mut count));
        assert_null("steps", line(tables, board, &raw mut count));
        assert_null("count", line(tables, board, null_mut()));
        krou_close(null_mut());
        krou_close(tables);
        assert_null("folder", krou_build(null(), null(), 1, null()));
    }
}

#[test]
fn functions_for_names_and_texts_refuse_null() {
    let (board, text): (_, *const c_char) = (BOARD.as_ptr(), c"0".as_ptr());
    // SAFETY: every pointer is null, not used, or that of a local variable.
    unsafe {
        let name = |out| krou_ruleset(null(), null(), out, 9, null_mut());
        assert_null("out", name(null_mut()));
        assert_null("from", krou_parse_board(null(), [0; 12].as_mut_ptr()));
        assert_null("board", krou_parse_board(text, null_mut()));
        let format = |board| krou_format_board(board, null_mut(), 0, null_mut());
        assert_null("board", format(null()));
        assert_null("out", krou_format_board(board, null_mut(), 9, null_mut()));
        let size = size_of::<krou_position>();
        assert_null("from", krou_parse_position(null(), null_mut(), size));
        assert_null("position", krou_parse_position(text, null_mut(), size));
        let format = |position| krou_format_position(position, null_mut(), 0, null_mut());
        assert_null("position", format(null()));
    }
    assert!(krou_ruleset_name(usize::MAX).is_null());
    assert!(krou_code_name(c_int::MIN).is_null());
    assert!(!krou_last_error().is_null());
}

#[test]
fn functions_for_an_open_ruleset_refuse_null() {
    let (board, steps, mut count): (_, *mut krou_step, _) = (BOARD.as_ptr(), dangling_mut(), 0);
    let (mut number, mut over, mut rules): (u64, _, *mut krou_rules) = (0, 0, null_mut());
    let mut boards = BOARD;
    // SAFETY: every pointer is null, not used, or that of a local variable.
    unsafe {
        assert_null("out", krou_rules_open(null(), null_mut()));
        assert_eq!(krou_rules_open(null(), &raw mut rules), KROU_OK);
        let list = |it, board, steps, count| krou_rules_moves(it, board, steps, STEP, count);
        assert_null("rules", list(null(), board, steps, &raw mut count));
        assert_null("board", list(rules, null(), steps, &raw mut count));
        assert_null("steps", list(rules, board, null_mut(), &raw mut count));
        assert_null("count", list(rules, board, steps, null_mut()));
        assert_null("rules", krou_rules_play(null(), board, 0, steps, STEP));
        assert_null("board", krou_rules_play(rules, null(), 0, steps, STEP));
        assert_null("step", krou_rules_play(rules, board, 0, null_mut(), STEP));
        let is_over = |it, board, over| krou_rules_over(it, board, over, null_mut());
        assert_null("rules", is_over(null(), board, &raw mut over));
        assert_null("board", is_over(rules, null(), &raw mut over));
        assert_null("over", is_over(rules, board, null_mut()));
        assert_null(
            "rules",
            krou_legal_masks(null(), board, 1, boards.as_mut_ptr()),
        );
        assert_null(
            "boards",
            krou_legal_masks(rules, null(), 1, boards.as_mut_ptr()),
        );
        assert_null("masks", krou_legal_masks(rules, board, 1, null_mut()));
        let play = |it, board, pits, steps| krou_play_many(it, board, pits, 1, steps, STEP);
        assert_null("rules", play(null(), board, board, steps));
        assert_null("boards", play(rules, null(), board, steps));
        assert_null("pits", play(rules, board, null(), steps));
        assert_null("steps", play(rules, board, board, null_mut()));
        assert_null("rules", krou_layer_size(null(), 1, &raw mut number));
        assert_null("boards", krou_layer_size(rules, 1, null_mut()));
        assert_null("rules", krou_index_of(null(), board, 1, &raw mut number));
        assert_null("boards", krou_index_of(rules, null(), 1, &raw mut number));
        assert_null("indexes", krou_index_of(rules, board, 1, null_mut()));
        let at = |it, indexes, boards| krou_board_at(it, 1, indexes, 1, boards);
        assert_null("rules", at(null(), &raw const number, boards.as_mut_ptr()));
        assert_null("indexes", at(rules, null(), boards.as_mut_ptr()));
        assert_null("boards", at(rules, &raw const number, null_mut()));
        krou_rules_close(null_mut());
        krou_rules_close(rules);
    }
}

#[test]
fn functions_for_engines_refuse_null() {
    let mut engine: *mut krou_engine = null_mut();
    let mut stop: *mut krou_stop = null_mut();
    let mut count = 0;
    let position = krou_position {
        board: BOARD,
        south: 0,
        north: 0,
        north_to_move: 0,
    };
    let size = size_of::<krou_report>();
    // SAFETY: every pointer is null or that of a local variable.
    unsafe {
        assert_null("out", krou_engine_open(null(), null(), null(), null_mut()));
        assert_eq!(
            krou_engine_open(null(), null(), null(), &raw mut engine),
            KROU_OK
        );
        let position = &raw const position;
        let search = |engine, position, count| {
            krou_search(engine, position, null(), count, null(), null_mut(), size)
        };
        assert_null("engine", search(null(), position, 0));
        assert_null("position", search(engine, null(), 0));
        assert_null("moves", search(engine, position, 1));
        assert_null("limits", search(engine, position, 0));
        assert_null("engine", krou_engine_clear(null()));
        let errors =
            |engine, count| krou_engine_table_errors(engine, count, null_mut(), 0, null_mut());
        assert_null("engine", errors(null(), &raw mut count));
        assert_null("count", errors(engine, null_mut()));
        krou_engine_close(null_mut());
        krou_engine_close(engine);
        assert_null("out", krou_stop_open(null_mut()));
        assert_eq!(krou_stop_open(&raw mut stop), KROU_OK);
        assert_null("stop", krou_stop_request(null()));
        assert_null("stop", krou_stop_reset(null()));
        krou_stop_close(null_mut());
        krou_stop_close(stop);
    }
}

#[test]
fn wrong_sizes_and_misaligned_pointers_are_refused() {
    let tables = open_tables();
    let (board, mut count) = (BOARD.as_ptr(), 0);
    let mut other = null_mut();
    let odd = (&raw mut count).cast::<u8>().wrapping_add(1);
    // SAFETY: every pointer is misaligned, not used, or that of a local variable.
    unsafe {
        for size in [0, MOVE - 1, MOVE + 1, usize::MAX] {
            let code = krou_moves(tables, board, null_mut(), size, &raw mut count);
            assert_eq!(code, KROU_E_SIZE, "{size}");
        }
        assert_eq!(krou_layers(tables, odd.cast()), KROU_E_ARGUMENT);
        let code = krou_open(null(), odd.cast(), 1, &raw mut other);
        assert_eq!(code, KROU_E_ARGUMENT);
        assert_eq!(krou_open(null(), null(), 0, odd.cast()), KROU_E_ARGUMENT);
        let code = krou_probe_many(tables, board, usize::MAX, null_mut(), null_mut());
        assert_eq!(code, KROU_E_ARGUMENT);
        krou_close(tables);
    }
}
