//! What the system has to offer.

use std::fs;

use anyhow::{Result, anyhow};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads, or one for each core.
pub fn thread_pool(threads: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = pool.build();
    pool.map_err(|error| anyhow!("cannot start the threads ({error}): ask for fewer"))
}

/// Bytes of memory that are free to use, where the system says so (Linux): what
/// is available in all, or in the container if that is less.
pub fn available_memory() -> Option<u64> {
    let available = system_memory()?;
    Some(container_memory().map_or(available, |contained| contained.min(available)))
}

/// What a control group of version 2 has left.
fn container_memory() -> Option<u64> {
    let number = |name| -> Option<u64> {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    // Without a limit the first is the word 'max'.
    number("memory.max")?.checked_sub(number("memory.current")?)
}

fn system_memory() -> Option<u64> {
    bytes_of("/proc/meminfo", "MemAvailable:")
}

/// The size on the line of a file of the system that begins with `name`.
fn bytes_of(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
