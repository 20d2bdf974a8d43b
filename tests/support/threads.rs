//! Threads of tests.

use rayon::ThreadPoolBuilder;

/// Runs a test of many small parallel calls on a thread of its own, where they cost no
/// handing over to other threads and no waiting for them. Tests run beside one another.
pub fn on_one_thread(test: impl FnOnce() + Send) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(test);
}
