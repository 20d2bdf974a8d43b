//! Work that takes a thread: so many pieces at a time, and only so long.
//!
//! Requests are answered on few threads that must not wait for disks or
//! thinking opponents, so such work goes to threads of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::errors::ApiError;

/// A number of places for work of one sort.
pub struct WorkLimiter {
    places: Arc<Semaphore>,
    count: usize,
    /// How long a request waits for a place.
    patience: Duration,
    /// How long work goes on before it is told to stop.
    time: Duration,
}

/// How long work may take to stop.
const STOPPING: Duration = Duration::from_secs(2);

/// Tells the work to stop when nobody waits for it any more: a request whose
/// client has gone is dropped.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl WorkLimiter {
    pub fn new(places: usize, patience: Duration, time: Duration) -> WorkLimiter {
        WorkLimiter {
            places: Arc::new(Semaphore::new(places)),
            count: places,
            patience,
            time,
        }
    }

    /// How many pieces of work there can be at a time.
    pub fn places(&self) -> usize {
        self.count
    }

    /// Does the work on a thread of its own. Once its time is over, the flag that
    /// it is given is set, and it has a moment to come to an answer.
    ///
    /// # Errors
    /// If no place becomes free, if the work does not stop in time, and whatever
    /// is wrong with the work itself.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = timeout(self.patience, self.places.clone().acquire_owned());
        let Ok(Ok(place)) = place.await else {
            return Err(ApiError::Busy);
        };
        let flag = Arc::new(AtomicBool::new(false));
        let stop = StopWhenDropped(flag.clone());
        let mut job = spawn_blocking(move || {
            // Work that does not stop keeps its place.
            let _place = place;
            work(&flag)
        });
        let done = match timeout(self.time, &mut job).await {
            Ok(done) => done,
            Err(_) => {
                drop(stop);
                let done = timeout(STOPPING, job).await;
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

    /// Work as a gate takes it: it could have failed.
    #[allow(clippy::unnecessary_wraps)]
    fn until_stopped(stop: &AtomicBool) -> Result<bool, ApiError> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        Ok(true)
    }

    #[test]
    fn work_that_stops_when_told_still_answers() {
        let gate = WorkLimiter::new(1, SHORT, SHORT);
        assert!(block_on(gate.run(until_stopped)).unwrap());
    }

    #[test]
    fn who_finds_no_place_is_told_so() {
        let gate = WorkLimiter::new(1, SHORT, Duration::from_mins(1));
        block_on(async {
            let (first, second) = tokio::join!(
                timeout(5 * SHORT, gate.run(until_stopped)),
                gate.run(until_stopped)
            );
            assert!(matches!(second, Err(ApiError::Busy)));
            // The first was dropped, which stops it and gives its place back.
            assert!(first.is_err());
            assert!(gate.run(|_| Ok(true)).await.unwrap());
        });
    }

    #[test]
    fn a_panic_is_an_error_and_gives_the_place_back() {
        let gate = WorkLimiter::new(1, SHORT, SHORT);
        block_on(async {
            let failed = gate.run::<()>(|_| panic!("on purpose")).await;
            assert!(matches!(failed, Err(ApiError::Failed(_))));
            assert!(gate.run(|_| Ok(true)).await.unwrap());
        });
    }
}
