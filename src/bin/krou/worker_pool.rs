//! WorkerPool: what a thread answers with, such as a prober that keeps what it has just
//! used. They outlive a batch, since a program at the other end of a pipe may send
//! one line at a time.

use std::sync::{Mutex, PoisonError};

/// Makes workers when all that there are have been lent.
pub struct WorkerPool<W, M> {
    idle: Mutex<Vec<W>>,
    make: M,
}

/// A worker that goes back when this is dropped.
pub struct PooledWorker<'a, W> {
    worker: Option<W>,
    idle: &'a Mutex<Vec<W>>,
}

impl<W, M: Fn() -> W> WorkerPool<W, M> {
    pub fn new(make: M) -> WorkerPool<W, M> {
        let idle = Mutex::new(Vec::new());
        WorkerPool { idle, make }
    }

    /// One for a thread.
    pub fn lend(&self) -> PooledWorker<'_, W> {
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
            .expect("it is there until it is dropped")
    }
}

impl<W> Drop for PooledWorker<'_, W> {
    fn drop(&mut self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.worker.take());
    }
}
