//! What tables on web hosts add to a tablebase and its builder.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;

use super::builder::TablebaseBuilder;
use super::tables::Tablebase;
use crate::remote::Host;
use crate::rules::{Board, Next};

impl TablebaseBuilder {
    /// Adds the tables in a folder on a web host, after those in folders of this machine.
    /// A probe then waits until the host has sent the ranges that it reads.
    pub fn url(mut self, host: impl Into<Host>) -> TablebaseBuilder {
        self.hosts.add(host.into());
        self
    }
}

impl Tablebase {
    /// Fetches in the background what the answer to each move of a board will read from hosts:
    /// for programs whose user thinks meanwhile. The next call ends it. Without tables on hosts it
    /// does nothing.
    pub fn fetch_ahead(&self, board: &Board) {
        if !(0..=board.seeds()).any(|seeds| self.is_remote(seeds)) {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut current = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let last = std::mem::replace(&mut *current, stop.clone());
        drop(current);
        last.store(true, Ordering::Relaxed);
        let (tables, board) = (self.until(stop), *board);
        let fetch = move || {
            for step in tables.rules().moves(&board).legal() {
                // What fails now is told when it is asked for.
                if step.next != Next::Over && tables.moves(&step.board).is_err() {
                    return;
                }
            }
        };
        // Without a thread everything is fetched when it is asked for.
        let _ = thread::Builder::new()
            .name("krou-ahead".to_owned())
            .spawn(fetch);
    }
}
