//! Limits how much work runs at the same time, and how long it takes.
//!
//! The threads that handle requests must not wait for disks or opponents, so work runs on
//! threads of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::errors::ApiError;
use super::metrics::WorkMetrics;

/// How long work may take to stop.
const STOP_TIME: Duration = Duration::from_secs(2);

/// Limits one kind of work.
pub struct WorkLimiter {
    /// One for each piece of work that may run at the same time.
    pub permits: Arc<Semaphore>,
    /// How long a request waits for a permit.
    pub queue_time: Duration,
    /// How long work may take before it is asked to stop.
    pub work_time: Duration,
    pub metrics: WorkMetrics,
    /// Cancelled when the server stops, which ends the work early.
    pub stopping: CancellationToken,
}

impl WorkLimiter {
    /// Waits for a permit to run one piece of work.
    ///
    /// # Errors
    /// If no permit becomes free in time.
    pub async fn admit(&self) -> Result<Permit, ApiError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let Ok(Ok(permit)) = timeout(self.queue_time, permit).await else {
            self.metrics.refused.inc();
            return Err(ApiError::Busy);
        };
        self.metrics.running.inc();
        Ok(Permit {
            held: Held {
                _permit: permit,
                running: self.metrics.running.clone(),
            },
            work_time: self.work_time,
            stopping: self.stopping.clone(),
        })
    }

    /// Waits for a permit and runs the work: see [`Permit::run`].
    ///
    /// # Errors
    /// As [`WorkLimiter::admit`] and [`Permit::run`].
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.admit().await?.run(work).await
    }
}

/// The permission to run one piece of work.
pub struct Permit {
    held: Held,
    work_time: Duration,
    stopping: CancellationToken,
}

/// A place among all work of its kind.
struct Held {
    _permit: OwnedSemaphorePermit,
    running: Gauge,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.running.dec();
    }
}

/// Asks the work to stop when the request is dropped, because the client has gone.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Permit {
    /// The same permission for work that takes this time.
    #[must_use]
    pub fn with_work_time(mut self, work_time: Duration) -> Permit {
        self.work_time = work_time;
        self
    }

    /// Runs the work on another thread. When its time is over or the server stops, the flag
    /// is set, and the work has a moment to return an answer.
    ///
    /// # Errors
    /// If the work does not stop in time, or fails.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let flag = Arc::new(AtomicBool::new(false));
        let stop = StopWhenDropped(flag.clone());
        let held = self.held;
        let mut job = spawn_blocking(move || {
            // Work that does not stop keeps its place.
            let _held = held;
            work(&flag)
        });
        let done = tokio::select! {
            done = &mut job => done,
            // The time is over, or the server stops.
            _ = timeout(self.work_time, self.stopping.cancelled()) => {
                drop(stop);
                timeout(STOP_TIME, job).await.map_err(|_| ApiError::OutOfTime)?
            }
        };
        done.map_err(|error| ApiError::Failed(error.to_string()))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_mins(1);

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(future)
    }

    /// A limiter for one piece of work.
    fn limiter(work_time: Duration) -> WorkLimiter {
        WorkLimiter {
            permits: Arc::new(Semaphore::new(1)),
            queue_time: SHORT,
            work_time,
            metrics: WorkMetrics::default(),
            stopping: CancellationToken::new(),
        }
    }

    /// Work that runs until it is stopped.
    #[allow(clippy::unnecessary_wraps)]
    fn until_stopped(stop: &Arc<AtomicBool>) -> Result<bool, ApiError> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        Ok(true)
    }

    #[test]
    fn stopped_work_still_answers() {
        let limiter = limiter(SHORT);
        assert!(block_on(limiter.run(until_stopped)).unwrap());
        assert_eq!(limiter.metrics.running.get(), 0);
    }

    #[test]
    fn work_beyond_the_limit_is_rejected_as_busy() {
        let limiter = limiter(LONG);
        block_on(async {
            let (first, second) = tokio::join!(
                timeout(5 * SHORT, limiter.run(until_stopped)),
                limiter.run(until_stopped)
            );
            assert!(matches!(second, Err(ApiError::Busy)));
            // The first was dropped, which stops it and releases its permit.
            assert!(first.is_err());
            assert!(limiter.run(|_| Ok(true)).await.unwrap());
            assert_eq!(limiter.metrics.refused.get(), 1);
        });
    }

    #[test]
    fn work_ends_early_when_the_server_stops() {
        let limiter = limiter(LONG);
        block_on(async {
            let stop = async {
                tokio::time::sleep(SHORT).await;
                limiter.stopping.cancel();
            };
            let (done, ()) = tokio::join!(limiter.run(until_stopped), stop);
            assert!(done.unwrap());
        });
    }

    #[test]
    fn a_panic_is_an_error_and_releases_the_permit() {
        let limiter = limiter(LONG);
        block_on(async {
            let panicked = limiter.run::<()>(|_| panic!("on purpose")).await;
            assert!(matches!(panicked, Err(ApiError::Failed(_))));
            assert!(limiter.run(|_| Ok(true)).await.unwrap());
        });
    }
}
