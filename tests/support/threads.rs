//! The threads that a test runs on.

use rayon::ThreadPoolBuilder;

/// Runs a test on a thread pool with one thread. Many small parallel calls are faster there:
/// none is handed to another thread. The other cores run other tests.
pub fn on_one_thread(test: impl FnOnce() + Send) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(test);
}
