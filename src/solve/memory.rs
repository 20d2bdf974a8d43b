//! How much memory solving takes: to be kept in step with what the solver holds.

use super::bands::gathered;
use super::entry::Score;
use super::room::Room;
use super::scratch::Stored;
use super::sweep::PORTION;
use crate::index::{LayerIndex, row};
use crate::rules::{ROW, Ruleset};

/// Bytes for the program itself, for sections of a table being packed, and for the
/// tiles and stacks of the threads of the present pool.
pub(super) fn program() -> u64 {
    (12 << 20) + rayon::current_num_threads() as u64 * (2 << 20)
}

/// Bytes of memory, at the least, with which the layer with `seeds` seeds can be
/// solved; the more there is beyond, the less is read from disk again and again.
pub fn memory_needed(rules: Ruleset, seeds: u8, distance: bool) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    let entry = if distance { 2 } else { 1 };
    program() + plan_bytes(seeds) + desk(&index, entry)
}

/// Bytes of memory with which the layer with `seeds` seeds can be solved without
/// anything lying on disk, those below it included.
pub fn memory_wanted(rules: Ruleset, seeds: u8, distance: bool) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    let entry = if distance { 2 } else { 1 };
    memory_to_import(rules, seeds, distance) + follow_bytes(&index, entry)
}

/// The same for a layer that is [adopted](super::Solver::adopt) from tables which
/// leave out what moves tell.
pub fn memory_to_import(rules: Ruleset, seeds: u8, distance: bool) -> u64 {
    let boards = |n| LayerIndex::new(rules, n).len();
    let planes = if rules.has_bounds() { 3 } else { 1 };
    // Values: the values and the best moves that leave the layer. Bounds: two of
    // each beside the values. Distances: what is solved, keys of two bytes, and
    // the best moves.
    let at_work = match (distance, planes) {
        (true, _) => planes + 3,
        (false, 1) => 2,
        (false, _) => 5,
    };
    let lower: u64 = (0..seeds).map(boards).sum();
    memory_needed(rules, seeds, distance) + planes * lower + at_work * boards(seeds)
}

/// What is on the desk while a layer is swept whose entries have so many bytes:
/// a section, the best moves of its boards, what is gathered for it, and lists.
pub(super) fn desk(index: &LayerIndex, entry: usize) -> u64 {
    let section = index.largest_section() * (entry + Score::BYTES);
    // When each line last changed, twice; and the boards that are over, twice.
    let lists = 8 * rows(index.seeds()) + 24 * u64::from(row::row_count(index.seeds()));
    (section + 2 * gathered(index)) as u64 + lists
}

/// Bytes for each board that is followed one by one: its change, of this round
/// and of the next, in lists that grow by half.
const FOLLOWING: u64 = 48;

/// Bytes that are worth keeping free, so that changes can be followed one by one
/// when few boards change.
pub(super) fn follow_bytes(index: &LayerIndex, entry: usize) -> u64 {
    if entry == 0 {
        return 0;
    }
    follow_fixed(index) + index.len() / 128 * FOLLOWING
}

/// How many boards may be followed one by one in the room that is left, once the
/// desk is cleared; half of the list is made before.
pub(super) fn followed(index: &LayerIndex, room: &Room, entry: usize) -> u64 {
    let Some(left) = room.left() else {
        return u64::MAX;
    };
    let then = (left + desk(index, entry)).saturating_sub(follow_fixed(index));
    (then / FOLLOWING).min(left / (FOLLOWING / 2))
}

/// Bytes for following any boards at all: the moves turned round, and what
/// becomes of the parents of a portion of changes, some ten each.
fn follow_fixed(index: &LayerIndex) -> u64 {
    backwards_bytes(index.seeds()) + 200 * (index.len() / 128).min(PORTION as u64)
}

/// Bytes of the moves turned round: 8 for each pit of each row, and 5.
fn backwards_bytes(seeds: u8) -> u64 {
    (8 * ROW as u64 + 5) * rows(seeds)
}

/// Bytes of the compiled plan: a row's moves take 52 bytes and its places in lists
/// 8; runs and points are allowed for.
fn plan_bytes(seeds: u8) -> u64 {
    100 * rows(seeds)
}

fn rows(seeds: u8) -> u64 {
    (0..=seeds).map(|k| u64::from(row::row_count(k))).sum()
}
