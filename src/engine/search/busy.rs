//! Who is looking at what: so that the threads of a search share the work.
//!
//! A thread marks the board that it goes on to. Another one that has to choose puts
//! moves to marked boards behind its other ones; when it comes back to them, the
//! transposition table has the answer, or most of it. (This is the simplified form
//! that Tom Kerrigan gave to ABDADA; Jean-Christophe Weill described that in the ICCA
//! Journal of March 1996.)
//!
//! Marks are hints. A slot holds one, the last one set: one that is lost, or a board
//! taken for another, costs time and changes no answer.

use std::sync::atomic::{AtomicU64, Ordering};

use super::transposition::Key;
use crate::rules::Board;

/// The marks of all threads of a search.
pub(super) struct Busy {
    slots: Vec<AtomicU64>,
}

/// Far more than threads have boards on their lines at a time.
const SLOTS: usize = 1 << 12;

/// Below this depth a search is over sooner than others could make use of a mark.
const SHALLOW: u8 = 4;

impl Busy {
    /// Marks for so many threads; one alone needs none.
    pub fn new(threads: usize) -> Busy {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Busy {
            slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Whether some thread is searching a board to a depth.
    pub fn has(&self, board: &Board, depth: u8) -> bool {
        self.slot(board, depth)
            .is_some_and(|(slot, mark)| slot.load(Ordering::Relaxed) == mark)
    }

    /// Does some work with a board marked.
    pub fn during<T>(&self, board: &Board, depth: u8, work: impl FnOnce() -> T) -> T {
        let marked = self.slot(board, depth);
        if let Some((slot, mark)) = marked {
            slot.store(mark, Ordering::Relaxed);
        }
        let done = work();
        if let Some((slot, _)) = marked {
            slot.store(0, Ordering::Relaxed);
        }
        done
    }

    /// Where the mark of a board stands, and what it looks like.
    fn slot(&self, board: &Board, depth: u8) -> Option<(&AtomicU64, u64)> {
        if depth < SHALLOW || self.slots.is_empty() {
            return None;
        }
        // An odd number, since 0 is no mark.
        let mark = Key::of(board).mixed().wrapping_add(2 * u64::from(depth)) | 1;
        let place = (mark >> 32) as usize % self.slots.len();
        Some((&self.slots[place], mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";

    #[test]
    fn a_board_is_marked_as_long_as_it_is_searched() {
        let busy = Busy::new(2);
        let (board, other) = (Board::START, OTHER.parse().unwrap());
        let marks = || [(&board, 7), (&board, 6), (&other, 7)].map(|(b, d)| busy.has(b, d));
        assert_eq!(busy.during(&board, 7, marks), [true, false, false]);
        assert_eq!(marks(), [false; 3]);
    }

    #[test]
    fn shallow_searches_and_one_thread_alone_leave_no_marks() {
        let board = Board::START;
        let has = |busy: Busy, depth| busy.during(&board, depth, || busy.has(&board, depth));
        assert!(has(Busy::new(2), SHALLOW));
        assert!(!has(Busy::new(2), SHALLOW - 1));
        assert!(!has(Busy::new(1), SHALLOW));
    }
}
