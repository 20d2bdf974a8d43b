//! Tables on web hosts, which a search does not wait for: they are asked about the board to move
//! on by a thread beside it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::engine::table_errors::TableErrors;
use crate::rules::Board;
use crate::tablebase::Tablebase;

/// The thread that asks. It gives up when this is dropped.
pub(super) struct Asking {
    thread: JoinHandle<()>,
    answered: Arc<AtomicBool>,
    given_up: Arc<AtomicBool>,
}

impl Asking {
    /// Asks about the moves of a board, unless all that they take is here, or the system allows
    /// no more threads.
    pub fn start(tables: &Tablebase, board: &Board, errors: &Arc<TableErrors>) -> Option<Asking> {
        let has_remote = (0..=board.seeds()).any(|seeds| tables.is_remote(seeds));
        if !has_remote || !has_to_wait(tables, board) {
            return None;
        }
        let (answered, given_up) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let ask = {
            let (tables, board) = (tables.until(given_up.clone()), *board);
            let (errors, answered) = (Arc::clone(errors), answered.clone());
            move || {
                if errors.log(tables.moves(&board)).is_some() {
                    answered.store(true, Ordering::Relaxed);
                }
            }
        };
        let thread = thread::Builder::new().name("hosts".to_owned());
        Some(Asking {
            thread: thread.spawn(ask).ok()?,
            answered,
            given_up,
        })
    }

    /// Set once the answer is here.
    pub fn answered(&self) -> &AtomicBool {
        &self.answered
    }

    /// Waits for an answer or a failure, or until `stop` is set.
    pub fn wait(&self, stop: &AtomicBool) {
        /// How much later than that the wait ends, at most.
        const PAUSE: Duration = Duration::from_millis(1);
        while !self.thread.is_finished() && !stop.load(Ordering::Relaxed) {
            thread::sleep(PAUSE);
        }
    }
}

/// Whether the moves of a board take bytes that are not here.
fn has_to_wait(tables: &Tablebase, board: &Board) -> bool {
    let here = tables.without_waiting().moves(board);
    here.is_err_and(|error| error.is_stopped())
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
    }
}
