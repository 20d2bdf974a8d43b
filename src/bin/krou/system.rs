//! What the system has to offer.

use std::fs;

/// Bytes of memory to use if nothing else is said, where the system tells
/// (Linux): most of what is available, or of what the container has if that is
/// less. The rest keeps files at hand.
pub fn memory_to_use() -> Option<u64> {
    let available = system_memory()?;
    let available = container_memory().map_or(available, |contained| contained.min(available));
    Some(available / 8 * 7)
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
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
