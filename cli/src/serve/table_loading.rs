//! Loads layers of the tables into memory while the server answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};

use super::{Server, access_log};

/// A thread that loads layers. Dropping it stops the thread.
#[derive(Debug)]
pub struct TableLoading {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TableLoading {
    /// Starts to load the layers of all rulesets that fit into `bytes`, one ruleset after
    /// the other.
    pub fn start(server: Arc<Server>, bytes: u64) -> Result<TableLoading> {
        let stop = Arc::<AtomicBool>::default();
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("tables".to_owned());
        let thread = thread.spawn(move || load(&server, bytes, &stopped));
        Ok(TableLoading {
            stop,
            thread: Some(thread.context("cannot start the thread that loads tables")?),
        })
    }
}

impl Drop for TableLoading {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic has been reported already.
            let _ = thread.join();
        }
    }
}

fn load(server: &Server, bytes: u64, stop: &AtomicBool) {
    let mut left = bytes;
    for tables in server.tables.listed() {
        if let Err(error) = tables.make_resident(left, stop) {
            access_log::load_failure(&error);
        }
        left = left.saturating_sub(tables.resident_bytes());
        server
            .metrics
            .table_memory
            .set((bytes - left).cast_signed());
    }
}
