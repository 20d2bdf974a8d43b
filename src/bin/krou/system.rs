//! What the system has to offer.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::num::NonZero;
use std::thread::available_parallelism;

use anyhow::{Result, anyhow};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

/// The machine that figures were taken on.
#[derive(Serialize)]
pub struct Machine {
    /// What the processor calls itself.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Bytes of memory, where the system tells.
    pub memory: Option<u64>,
    /// What the operating system calls itself.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn new() -> Machine {
        // The names as Linux tells them; elsewhere what the program is made for.
        let cpu = text_of("/proc/cpuinfo", "model name");
        let system = text_of("/etc/os-release", "PRETTY_NAME");
        Machine {
            cpu: cpu.unwrap_or_else(|| ARCH.to_owned()),
            cores: available_parallelism().map_or(1, NonZero::get),
            memory: total_memory(),
            system: system.unwrap_or_else(|| OS.to_owned()),
        }
    }
}

/// What stands behind the name and a colon or an equals sign.
fn text_of(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let value = line.trim_start_matches([' ', '\t', ':', '=']);
    Some(value.trim().trim_matches('"').to_owned())
}

/// So many threads, or one for each core.
pub fn thread_pool(threads: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = pool.build();
    pool.map_err(|error| anyhow!("cannot start the threads ({error}): ask for fewer"))
}

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
    bytes_of("/proc/meminfo", "MemAvailable:")
}

/// Bytes of memory that the machine has (Linux).
fn total_memory() -> Option<u64> {
    bytes_of("/proc/meminfo", "MemTotal:")
}

/// The most bytes of memory that this process has held at any time (Linux).
pub fn peak_memory() -> Option<u64> {
    bytes_of("/proc/self/status", "VmHWM:")
}

/// The size on the line of a file of the system that begins with `name`.
fn bytes_of(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
