//! Threads that each stay on one core (Linux).
//!
//! A thread that is moved to another core loses its caches, and on a machine with several
//! memory nodes it leaves its pages behind.

use anyhow::{Result, bail};
use rayon::ThreadPool;

/// Pins each thread of a pool to one of the cores that this process may use, in their order.
/// With more threads than cores, cores get several.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn pin_threads(pool: &ThreadPool) -> Result<()> {
    use anyhow::Context as _;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed = sched_getaffinity(None).context("cannot tell which cores may be used")?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU)
        .filter(|&core| allowed.is_set(core))
        .collect();
    if cores.is_empty() {
        bail!("cannot tell which cores may be used");
    }
    let pinned = pool.broadcast(|thread| {
        let core = cores[thread.index() % cores.len()];
        let mut only = CpuSet::new();
        only.set(core);
        sched_setaffinity(None, &only)
            .with_context(|| format!("cannot pin a thread to core {core}"))
    });
    pinned.into_iter().collect()
}

/// Fails: krou can pin threads on Linux only.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn pin_threads(_: &ThreadPool) -> Result<()> {
    bail!("threads can be pinned to cores on Linux only: leave out --pin");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rayon::ThreadPoolBuilder;
    use rustix::thread::{CpuSet, sched_getaffinity};

    use super::*;

    #[test]
    fn each_thread_stays_on_one_core_that_was_allowed() {
        let before = sched_getaffinity(None).unwrap();
        for threads in [1, 2, 5] {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pin_threads(&pool).unwrap();
            let cores = pool.broadcast(|_| sched_getaffinity(None).unwrap());
            let used: Vec<usize> = cores
                .iter()
                .map(|core| {
                    assert_eq!(core.count(), 1);
                    (0..CpuSet::MAX_CPU)
                        .find(|&number| core.is_set(number))
                        .unwrap()
                })
                .collect();
            assert!(used.iter().all(|&core| before.is_set(core)), "{used:?}");
            let mut distinct = used.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let all = before.count() as usize;
            assert_eq!(distinct.len(), threads.min(all), "{used:?}");
        }
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
