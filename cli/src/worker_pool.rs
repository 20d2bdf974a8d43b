//! A pool of workers, such as probers with their caches. Workers outlive a batch,
//! because a program at the other end of a pipe may send one line at a time.

use std::sync::{Mutex, PoisonError};

/// Lends workers, and makes new ones when all are in use.
pub struct WorkerPool<W, M> {
    idle: Mutex<Vec<W>>,
    make: M,
}

/// A worker that returns to the pool when dropped.
pub struct PooledWorker<'a, W> {
    worker: Option<W>,
    idle: &'a Mutex<Vec<W>>,
}

impl<W, M: Fn() -> W> WorkerPool<W, M> {
    pub fn new(make: M) -> WorkerPool<W, M> {
        let idle = Mutex::new(Vec::new());
        WorkerPool { idle, make }
    }

    /// Takes an idle worker, or makes one.
    pub fn take(&self) -> PooledWorker<'_, W> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        PooledWorker {
            worker: Some(idle.unwrap_or_else(&self.make)),
            idle: &self.idle,
        }
    }
}

impl<W> PooledWorker<'_, W> {
    pub fn worker(&mut self) -> &mut W {
        self.worker
            .as_mut()
            .expect("the worker is there until drop")
    }
}

impl<W> Drop for PooledWorker<'_, W> {
    fn drop(&mut self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.worker.take());
    }
}
