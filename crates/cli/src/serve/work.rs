//! Limits how much work runs at the same time, and how long it takes.
//!
//! The threads that handle requests must not wait for disks or opponents, so work runs on
//! threads of its own. Nothing is allocated for work that waits. Of the requests of one
//! client, one at a time waits for a place beside those of others, so that clients take
//! turns however many requests each has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::errors::ApiError;
use super::metrics::{Counted, WorkMetrics};

/// How long work may take to stop.
const STOP_TIME: Duration = Duration::from_secs(2);
/// How long work that gives way runs at least when others wait.
const SLICE: Duration = Duration::from_millis(500);

/// Set to stop a piece of work.
pub type StopFlag = Arc<AtomicBool>;

/// Limits one kind of work.
pub struct WorkLimiter {
    /// One for each piece of work that may run at the same time.
    pub permits: Arc<Semaphore>,
    /// A reference for each request that waits for a permit, and this one.
    pub waiting: Arc<()>,
    /// How long a request waits for a permit.
    pub queue_time: Duration,
    /// How long work may take before it is asked to stop.
    pub work_time: Duration,
    pub metrics: WorkMetrics,
    /// Cancelled when the server stops, which ends the work early.
    pub stopping: CancellationToken,
}

impl WorkLimiter {
    /// Waits for a permit to run one piece of work, in its turn among the requests of its
    /// client, which has no limit of time.
    ///
    /// # Errors
    /// If no permit becomes free in time.
    pub async fn admit(&self, turn: Option<&Turn<()>>) -> Result<Permit, ApiError> {
        let _turn = match turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let permit = timeout(self.queue_time, self.permit()).await;
        permit.map_err(|_| {
            self.metrics.refused.inc();
            ApiError::Busy
        })
    }

    /// Waits for a permit for work that has begun, as long as it takes.
    pub async fn admit_again(&self, turn: &Turn<()>) -> Permit {
        let _turn = turn.lock().await;
        self.permit().await
    }

    async fn permit(&self) -> Permit {
        let waiting = Arc::clone(&self.waiting);
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        drop(waiting);
        Permit {
            held: Held {
                _permit: permit.expect("never closed"),
                _running: Counted::new(&self.metrics.running),
            },
            work_time: self.work_time,
            gives_way: false,
            waiting: Arc::downgrade(&self.waiting),
            stopping: self.stopping.clone(),
        }
    }

    /// Waits for a permit and runs the work: see [`Permit::run`].
    ///
    /// # Errors
    /// As [`WorkLimiter::admit`] and [`Permit::run`].
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&StopFlag) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.admit(None).await?.run(work).await
    }
}

/// The permission to run one piece of work.
pub struct Permit {
    held: Held,
    /// How long the work may take before it is asked to stop.
    pub work_time: Duration,
    /// Whether it is asked to stop after a slice of time if other requests wait.
    pub gives_way: bool,
    waiting: Weak<()>,
    stopping: CancellationToken,
}

/// A place among all work of its kind.
struct Held {
    _permit: OwnedSemaphorePermit,
    _running: Counted,
}

/// Asks the work to stop when the request is dropped, because the client has gone.
struct StopWhenDropped(StopFlag);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Permit {
    /// Runs the work on another thread. When it must end, the flag is set, and the work has
    /// a moment to return an answer.
    ///
    /// # Errors
    /// If the work does not stop in time, or fails.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&StopFlag) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let flag = StopFlag::default();
        let stop = StopWhenDropped(flag.clone());
        let held = self.held;
        let mut job = spawn_blocking(move || {
            // Work that does not stop keeps its place.
            let _held = held;
            work(&flag)
        });
        let others_wait = async {
            loop {
                sleep(SLICE).await;
                if self.gives_way && self.waiting.strong_count() > 1 {
                    return;
                }
            }
        };
        let end = async {
            tokio::select! {
                () = others_wait => {}
                // Its time is over, or the server stops.
                _ = timeout(self.work_time, self.stopping.cancelled()) => {}
            }
        };
        let done = tokio::select! {
            done = &mut job => done,
            () = end => {
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
    const LONG: Duration = Duration::from_secs(60);

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
            waiting: Arc::default(),
            queue_time: SHORT,
            work_time,
            metrics: WorkMetrics::default(),
            stopping: CancellationToken::new(),
        }
    }

    /// Work that runs until it is stopped.
    #[allow(clippy::unnecessary_wraps)]
    fn until_stopped(stop: &StopFlag) -> Result<bool, ApiError> {
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
