//! Layers of the tables on their way into memory, in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::engine::table_errors::TableErrors;
use crate::tablebase::Tablebase;

/// The thread that loads layers. It ends early when this is dropped.
pub(super) struct Loading {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

impl Loading {
    /// Starts to load the layers that fit into this many bytes; `None` if there is nothing
    /// to do. If the system allows no more threads, the engine probes the files.
    #[cfg(feature = "solve")]
    pub fn start(
        tables: &Arc<Tablebase>,
        bytes: u64,
        errors: &Arc<TableErrors>,
    ) -> Option<Loading> {
        if bytes == 0 {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let load = {
            let (tables, errors) = (Arc::clone(tables), Arc::clone(errors));
            let stop = Arc::clone(&stop);
            move || errors.log_load(tables.make_resident(bytes, &stop))
        };
        let thread = thread::Builder::new().name("tables".to_owned());
        let thread = thread.spawn(load).ok()?;
        Some(Loading { thread, stop })
    }

    /// Without the feature `solve` no layer is held in memory.
    #[cfg(not(feature = "solve"))]
    pub fn start(_: &Arc<Tablebase>, _: u64, _: &Arc<TableErrors>) -> Option<Loading> {
        None
    }

    /// Waits until the layers are loaded, or `stop` is set.
    pub fn wait(&self, stop: &AtomicBool) {
        /// How much later than that the wait ends, at most.
        const PAUSE: Duration = Duration::from_millis(1);
        while !self.thread.is_finished() && !stop.load(Ordering::Relaxed) {
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
