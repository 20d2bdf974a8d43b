//! What tables on web hosts add to a tablebase and its builder.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;

use super::builder::TablebaseBuilder;
use super::tables::Tablebase;
use crate::remote::Host;
use crate::rules::{Board, Next};
use crate::table::TableError;

impl TablebaseBuilder {
    /// Adds the tables in a folder on a web host, after those in folders of this machine.
    /// A probe then waits until the host has sent the ranges that it reads.
    pub fn url(mut self, host: impl Into<Host>) -> TablebaseBuilder {
        self.hosts.add(host.into());
        self
    }
}

impl Tablebase {
    /// Fetches in the background what the answer to each move of a board will read from hosts, the
    /// values of its moves and the best line of at most `plies`: for programs whose user thinks
    /// meanwhile. The next call ends it. Without tables on hosts it does nothing.
    pub fn fetch_ahead(&self, board: &Board, plies: usize) {
        if !(0..=board.seeds()).any(|seeds| self.is_remote(seeds)) {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut current = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let last = std::mem::replace(&mut *current, stop.clone());
        drop(current);
        last.store(true, Ordering::Relaxed);
        let (tables, board) = (self.until(stop), *board);
        let fetch = move || -> Result<(), TableError> {
            let moves = tables.rules().moves(&board);
            let children = || moves.legal().filter(|step| step.next != Next::Over);
            for step in children() {
                tables.moves(&step.board)?;
            }
            for step in children() {
                tables.best_line(&step.board, plies)?;
            }
            Ok(())
        };
        // What fails now, or has no thread, is fetched when it is asked for.
        let thread = thread::Builder::new().name("krou-ahead".to_owned());
        let _ = thread.spawn(fetch);
    }
}
