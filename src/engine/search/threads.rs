//! What the threads of a search remember, and how they divide the work.
//!
//! A thread marks the child that it searches. Another thread at the same board defers
//! moves to marked children; when it comes back to them, the transposition table
//! has most of the answer. This is Tom Kerrigan's simplification of ABDADA, which
//! Jean-Christophe Weill described in the ICCA Journal of March 1996.
//!
//! Marks are hints. A slot holds the last one set, so a mark that is lost, or one whose
//! hash is that of another board, costs time and never changes a result.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::BoardKey;
use super::transposition::TranspositionTable;

/// The memory of one thread.
#[derive(Clone, Copy)]
pub(super) struct ThreadMemory<'a> {
    /// The transposition table of all threads.
    pub hash: &'a TranspositionTable,
    /// That of this thread for shallow nodes.
    pub shallow: &'a TranspositionTable,
    /// The marks of all threads.
    pub deferred: &'a DeferredMoves,
}

/// Nodes that are searched to this depth or less are shallow: most of all nodes. Their table
/// is small enough for the processor's cache, so that there is no wait for it, and leaves the
/// large one to results that took longer.
pub(super) const SHALLOW_DEPTH: u8 = 2;

/// Bytes of a table for shallow nodes: a part of the cache that a core has for itself.
pub(super) const SHALLOW_BYTES: usize = 256 << 10;

impl<'a> ThreadMemory<'a> {
    /// The transposition table for nodes that are searched to this depth.
    #[inline(always)]
    pub fn table(self, depth: u8) -> &'a TranspositionTable {
        if depth <= SHALLOW_DEPTH {
            self.shallow
        } else {
            self.hash
        }
    }
}

/// The marks of all search threads.
pub(super) struct DeferredMoves {
    slots: Vec<AtomicU64>,
}

/// The mark of a board, if it has one.
pub(super) struct Mark<'d> {
    slot: Option<&'d AtomicU64>,
}

impl Mark<'_> {
    /// Removes the mark.
    pub fn remove(self) {
        if let Some(slot) = self.slot {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

/// Far more than all threads mark at a time.
const SLOTS: usize = 1 << 12;

/// Below this depth a search ends before another thread could use its mark.
const MIN_DEPTH: u8 = 4;

impl DeferredMoves {
    /// The marks for a number of threads; a single one needs none.
    pub fn new(threads: usize) -> DeferredMoves {
        let slots = if threads > 1 { SLOTS } else { 0 };
        DeferredMoves {
            slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Whether other threads may be searching boards to this depth.
    pub fn is_active(&self, depth: u8) -> bool {
        !self.slots.is_empty() && depth >= MIN_DEPTH
    }

    /// Whether a thread is searching a board to this depth.
    pub fn is_marked(&self, key: BoardKey, depth: u8) -> bool {
        self.slot(key, depth)
            .is_some_and(|(slot, mark)| slot.load(Ordering::Relaxed) == mark)
    }

    /// Marks a board while it is searched to this depth.
    pub fn mark(&self, key: BoardKey, depth: u8) -> Mark<'_> {
        let slot = self.slot(key, depth).map(|(slot, mark)| {
            slot.store(mark, Ordering::Relaxed);
            slot
        });
        Mark { slot }
    }

    /// The slot and the mark of a board's key.
    fn slot(&self, key: BoardKey, depth: u8) -> Option<(&AtomicU64, u64)> {
        if !self.is_active(depth) {
            return None;
        }
        // Odd, since 0 is an empty slot.
        let mark = key.hash().wrapping_add(2 * u64::from(depth)) | 1;
        let index = (mark >> 32) as usize % self.slots.len();
        Some((&self.slots[index], mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, PackedBoard};

    fn key(board: &str) -> BoardKey {
        let board: Board = board.parse().unwrap();
        BoardKey::of(PackedBoard::of(&board), 0)
    }

    const BOARD: &str = "4 4 4 4 4 4 / 4 4 4 4 4 4";
    const OTHER: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";

    #[test]
    fn a_board_is_marked_while_it_is_searched() {
        let deferred = DeferredMoves::new(2);
        let (board, other) = (key(BOARD), key(OTHER));
        let marks = || [(board, 7), (board, 6), (other, 7)].map(|(b, d)| deferred.is_marked(b, d));
        let mark = deferred.mark(board, 7);
        assert_eq!(marks(), [true, false, false]);
        mark.remove();
        assert_eq!(marks(), [false; 3]);
    }

    #[test]
    fn shallow_and_single_threaded_searches_set_no_marks() {
        let board = key(BOARD);
        let is_marked = |deferred: DeferredMoves, depth| {
            let mark = deferred.mark(board, depth);
            let is_marked = deferred.is_marked(board, depth);
            mark.remove();
            is_marked
        };
        assert!(is_marked(DeferredMoves::new(2), MIN_DEPTH));
        assert!(!is_marked(DeferredMoves::new(2), MIN_DEPTH - 1));
        assert!(!is_marked(DeferredMoves::new(1), MIN_DEPTH));
    }
}
