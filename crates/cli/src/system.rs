//! The machine: processor, memory and threads.

use std::env::consts::{ARCH, OS};
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};
use std::{fs, io};

use krou::solve::default_memory_limit;
use krou::solve::system_bytes;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

/// The machine that a benchmark ran on.
#[derive(Serialize)]
pub struct Machine {
    /// The name of the processor.
    pub cpu: String,
    /// Cores available to this process.
    pub cores: usize,
    /// Bytes of memory, if the system reports them (Linux).
    pub memory: Option<u64>,
    /// The name of the operating system.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn new() -> Machine {
        // Linux reports the names; elsewhere the compilation target stands in.
        let cpu = text_of("/proc/cpuinfo", "model name");
        let system = text_of("/etc/os-release", "PRETTY_NAME");
        Machine {
            cpu: cpu.unwrap_or_else(|| ARCH.to_owned()),
            cores: available_parallelism().map_or(1, NonZero::get),
            memory: system_bytes("/proc/meminfo", "MemTotal:"),
            system: system.unwrap_or_else(|| OS.to_owned()),
        }
    }
}

/// The value of a line `name: value` or `name=value`.
fn text_of(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let value = line.trim_start_matches([' ', '\t', ':', '=']);
    Some(value.trim().trim_matches('"').to_owned())
}

/// The name of this machine, or nothing where the system does not tell it.
pub fn host_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = String::new();
    name
}

/// The nearest folder that is there already.
#[cfg(unix)]
fn what_is_there(folder: &Path) -> &Path {
    let there = folder.ancestors().find(|folder| folder.exists());
    there.unwrap_or(Path::new("."))
}

/// Bytes that are free for this user where a folder is or will be, where the system tells it.
pub fn free_space(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(what_is_there(folder)).ok()?;
        disk.f_bavail.checked_mul(disk.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

/// Makes parallel work run on this thread where the system starts no others, as in a container
/// with few processes.
pub fn use_threads() {
    let wanted = available_parallelism().map_or(1, NonZero::get);
    if check_threads(wanted).is_err() {
        let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        // It is the first, so that it can be made.
        let _ = alone.build_global();
    }
}

/// Checks that this many threads can be started, for crates that panic where they cannot.
pub fn check_threads(count: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // All are there at the same time.
        let closed = gate.lock();
        let start = || thread::Builder::new().spawn_scoped(scope, || drop(gate.lock()));
        let failed = (0..count).find_map(|_| start().err());
        drop(closed);
        failed.map_or(Ok(()), Err)
    })
}

/// Bytes of memory that this process may still take, if the system tells (Linux): what is free,
/// less where the address space is limited (`ulimit -v`).
pub fn free_memory() -> Option<u64> {
    let free = default_memory_limit()?;
    let limit = text_of("/proc/self/limits", "Max address space");
    let limit = limit.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    let Some(limit) = limit else {
        return Some(free);
    };
    let used = system_bytes("/proc/self/status", "VmSize:").unwrap_or(0);
    Some(free.min(limit.saturating_sub(used) / 8 * 7))
}

/// The peak resident memory of this process in bytes (Linux).
pub fn peak_memory() -> Option<u64> {
    system_bytes("/proc/self/status", "VmHWM:")
}
