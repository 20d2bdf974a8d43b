//! Limits concurrent work and its time, and shares it fairly among clients.
//!
//! The threads that handle requests must not wait for disks or opponents, so such
//! work runs on other threads.
//!
//! Each client has a limit below that of all. A client's requests wait for one another
//! first and only then for those of others, so however many one client sends, the next
//! request of another client waits for few of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::client::Client;
use super::errors::ApiError;
use super::metrics::WorkMetrics;

/// A limit for one kind of work.
pub struct WorkLimiter {
    limits: WorkLimits,
    permits: Arc<Semaphore>,
    /// The permits of each client with work that runs or waits.
    shares: Mutex<HashMap<Client, Weak<Semaphore>>>,
    metrics: WorkMetrics,
    /// Whether the server stops, which ends the work early.
    stopping: watch::Receiver<bool>,
}

/// How much work of one kind may run, and how long.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimits {
    /// Pieces of work at the same time.
    pub concurrency: usize,
    /// Those of one client.
    pub share: usize,
    /// How long a request waits for a permit.
    pub queue_time: Duration,
    /// How long work may take before it is asked to stop.
    pub work_time: Duration,
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
    pub fn new(
        limits: WorkLimits,
        metrics: WorkMetrics,
        stopping: watch::Receiver<bool>,
    ) -> WorkLimiter {
        WorkLimiter {
            limits,
            permits: Arc::new(Semaphore::new(limits.concurrency)),
            shares: Mutex::default(),
            metrics,
            stopping,
        }
    }

    /// The maximum number of concurrent pieces of work.
    pub fn concurrency(&self) -> usize {
        self.limits.concurrency
    }

    /// Whether the server stops.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits for a permit to run one piece of work.
    ///
    /// # Errors
    /// If no permit becomes free in time.
    pub async fn admit(&self, client: Client) -> Result<Permit, ApiError> {
        let share = self.share(client);
        let permits = async {
            let share = share.acquire_owned().await.ok()?;
            let permit = self.permits.clone().acquire_owned().await.ok()?;
            Some((share, permit))
        };
        let Ok(Some(permits)) = timeout(self.limits.queue_time, permits).await else {
            self.metrics.refused.inc();
            return Err(ApiError::Busy);
        };
        Ok(Permit {
            held: Held::new(permits, self.metrics.running.clone()),
            work_time: self.limits.work_time,
            stopping: self.stopping.clone(),
        })
    }

    /// The permits of a client.
    fn share(&self, client: Client) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(&client).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(self.limits.share));
        shares.insert(client, Arc::downgrade(&share));
        share
    }

    /// Waits for a permit and runs the work: see [`Permit::run`].
    ///
    /// # Errors
    /// As [`WorkLimiter::admit`] and [`Permit::run`].
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.admit(client).await?.run(work).await
    }
}

/// The permission to run one piece of work.
pub struct Permit {
    held: Held,
    work_time: Duration,
    stopping: watch::Receiver<bool>,
}

/// Places among all work and among that of a client.
struct Held {
    _permits: (OwnedSemaphorePermit, OwnedSemaphorePermit),
    running: Gauge,
}

impl Held {
    fn new(permits: (OwnedSemaphorePermit, OwnedSemaphorePermit), running: Gauge) -> Held {
        running.inc();
        Held {
            _permits: permits,
            running,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.running.dec();
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
        mut self,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let flag = Arc::new(AtomicBool::new(false));
        let stop = StopWhenDropped(flag.clone());
        let held = self.held;
        let mut job = spawn_blocking(move || {
            // Work that does not stop keeps its places.
            let _held = held;
            work(&flag)
        });
        let done = tokio::select! {
            done = &mut job => Some(done),
            () = sleep(self.work_time) => None,
            _ = self.stopping.wait_for(|stopping| *stopping) => None,
        };
        let done = match done {
            Some(done) => done,
            None => {
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
    use std::net::IpAddr;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(future)
    }

    fn client(n: u8) -> Client {
        Client::from(IpAddr::from([192, 0, 2, n]))
    }

    fn limiter(concurrency: usize, share: usize, work_time: Duration) -> WorkLimiter {
        let limits = WorkLimits {
            concurrency,
            share,
            queue_time: SHORT,
            work_time,
        };
        let (sender, stopping) = watch::channel(false);
        // The server of these tests never stops.
        std::mem::forget(sender);
        WorkLimiter::new(limits, WorkMetrics::default(), stopping)
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
        let limiter = limiter(1, 1, SHORT);
        assert!(block_on(limiter.run(client(1), until_stopped)).unwrap());
        assert_eq!(limiter.metrics.running.get(), 0);
    }

    #[test]
    fn work_beyond_the_limit_is_rejected_as_busy() {
        let limiter = limiter(1, 1, Duration::from_mins(1));
        block_on(async {
            let (first, second) = tokio::join!(
                timeout(5 * SHORT, limiter.run(client(1), until_stopped)),
                limiter.run(client(2), until_stopped)
            );
            assert!(matches!(second, Err(ApiError::Busy)));
            // The first was dropped, which stops it and releases its permit.
            assert!(first.is_err());
            assert!(limiter.run(client(2), |_| Ok(true)).await.unwrap());
            assert_eq!(limiter.metrics.refused.get(), 1);
        });
    }

    #[test]
    fn one_client_cannot_take_every_permit() {
        let limiter = limiter(2, 1, Duration::from_mins(1));
        block_on(async {
            let held = limiter.admit(client(1)).await.unwrap();
            assert!(matches!(
                limiter.admit(client(1)).await,
                Err(ApiError::Busy)
            ));
            let other = limiter.admit(client(2)).await.unwrap();
            assert_eq!(limiter.metrics.running.get(), 2);
            assert!(matches!(
                limiter.admit(client(3)).await,
                Err(ApiError::Busy)
            ));
            drop(held);
            let again = limiter.admit(client(1)).await;
            assert!(again.is_ok());
            drop((other, again));
        });
        // Clients without work are forgotten.
        limiter.share(client(4));
        assert_eq!(limiter.shares.lock().unwrap().len(), 1);
    }

    #[test]
    fn work_ends_early_when_the_server_stops() {
        let limits = WorkLimits {
            concurrency: 1,
            share: 1,
            queue_time: SHORT,
            work_time: Duration::from_mins(1),
        };
        let (sender, stopping) = watch::channel(false);
        let limiter = WorkLimiter::new(limits, WorkMetrics::default(), stopping);
        block_on(async {
            let stop = async {
                sleep(SHORT).await;
                sender.send_replace(true);
            };
            let (done, ()) = tokio::join!(limiter.run(client(1), until_stopped), stop);
            assert!(done.unwrap());
        });
    }

    #[test]
    fn a_panic_is_an_error_and_releases_the_permit() {
        let limiter = limiter(1, 1, Duration::from_mins(1));
        block_on(async {
            let panicked = limiter.run::<()>(client(1), |_| panic!("on purpose")).await;
            assert!(matches!(panicked, Err(ApiError::Failed(_))));
            assert!(limiter.run(client(1), |_| Ok(true)).await.unwrap());
        });
    }
}
