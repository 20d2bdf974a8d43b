//! The threads that answer arrays of boards: one pool for the process.
//!
//! A process that was forked has a copy of its parent's memory but none of its threads: it
//! makes a pool of its own.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, and the process that it belongs to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process, with a thread for each core.
pub fn shared() -> PyResult<Arc<ThreadPool>> {
    let mut shared = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*shared {
        Some((owner, pool)) if *owner == process::id() => Ok(Arc::clone(pool)),
        _ => {
            let pool = Arc::new(with_threads(None)?);
            // Dropping the parent's pool would wait for threads that are not here.
            let parent = shared.replace((process::id(), Arc::clone(&pool)));
            std::mem::forget(parent);
            Ok(pool)
        }
    }
}

/// A pool with this many threads, or one for each core.
pub fn with_threads(threads: Option<usize>) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    pool.build().map_err(|error| {
        PyRuntimeError::new_err(format!("cannot start the threads ({error}): ask for fewer"))
    })
}
