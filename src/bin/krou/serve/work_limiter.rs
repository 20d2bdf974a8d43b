//! Limits concurrent work and its time.
//!
//! The threads that handle requests must not wait for disks or opponents, so such
//! work runs on other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::errors::ApiError;

/// A limit for one kind of work.
pub struct WorkLimiter {
    permits: Arc<Semaphore>,
    concurrency: usize,
    /// How long a request waits for a permit.
    queue_time: Duration,
    /// How long work may take before it is asked to stop.
    work_time: Duration,
}

/// How long work may take to stop.
const STOP_TIME: Duration = Duration::from_secs(2);

/// Asks the work to stop when the request is dropped, because the client has gone.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl WorkLimiter {
    pub fn new(concurrency: usize, queue_time: Duration, work_time: Duration) -> WorkLimiter {
        WorkLimiter {
            permits: Arc::new(Semaphore::new(concurrency)),
            concurrency,
            queue_time,
            work_time,
        }
    }

    /// The maximum number of concurrent pieces of work.
    pub fn concurrency(&self) -> usize {
        self.concurrency
    }

    /// Waits for a permit to run one piece of work.
    ///
    /// # Errors
    /// If no permit becomes free in time.
    pub async fn admit(&self) -> Result<Permit, ApiError> {
        let permit = timeout(self.queue_time, self.permits.clone().acquire_owned());
        let Ok(Ok(permit)) = permit.await else {
            return Err(ApiError::Busy);
        };
        Ok(Permit {
            permit,
            work_time: self.work_time,
        })
    }

    /// Waits for a permit and runs the work: see [`Permit::run`].
    ///
    /// # Errors
    /// As [`WorkLimiter::admit`] and [`Permit::run`].
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.admit().await?.run(work).await
    }
}

/// The permission to run one piece of work.
#[derive(Debug)]
pub struct Permit {
    permit: OwnedSemaphorePermit,
    work_time: Duration,
}

impl Permit {
    /// Runs the work on another thread. When its time is over, the flag is set, and the
    /// work has a moment to return an answer.
    ///
    /// # Errors
    /// If the work does not stop in time, or fails.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let flag = Arc::new(AtomicBool::new(false));
        let stop = StopWhenDropped(flag.clone());
        let permit = self.permit;
        let mut job = spawn_blocking(move || {
            // Work that does not stop keeps its permit.
            let _permit = permit;
            work(&flag)
        });
        let done = match timeout(self.work_time, &mut job).await {
            Ok(done) => done,
            Err(_) => {
                drop(stop);
                let done = timeout(STOP_TIME, job).await;
                done.map_err(|_| ApiError::OutOfTime)?
            }
        };
        done.map_err(|error| ApiError::Failed(error.to_string()))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(future)
    }

    /// Work that runs until it is stopped.
    #[allow(clippy::unnecessary_wraps)]
    fn until_stopped(stop: &AtomicBool) -> Result<bool, ApiError> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        Ok(true)
    }

    #[test]
    fn stopped_work_still_answers() {
        let limiter = WorkLimiter::new(1, SHORT, SHORT);
        assert!(block_on(limiter.run(until_stopped)).unwrap());
    }

    #[test]
    fn work_beyond_the_limit_is_rejected_as_busy() {
        let limiter = WorkLimiter::new(1, SHORT, Duration::from_mins(1));
        block_on(async {
            let (first, second) = tokio::join!(
                timeout(5 * SHORT, limiter.run(until_stopped)),
                limiter.run(until_stopped)
            );
            assert!(matches!(second, Err(ApiError::Busy)));
            // The first was dropped, which stops it and releases its permit.
            assert!(first.is_err());
            assert!(limiter.run(|_| Ok(true)).await.unwrap());
        });
    }

    #[test]
    fn a_panic_is_an_error_and_releases_the_permit() {
        let limiter = WorkLimiter::new(1, SHORT, SHORT);
        block_on(async {
            let panicked = limiter.run::<()>(|_| panic!("on purpose")).await;
            assert!(matches!(panicked, Err(ApiError::Failed(_))));
            assert!(limiter.run(|_| Ok(true)).await.unwrap());
        });
    }
}
