//! The program `krou`: all of it is in the library beside it.

use std::process::ExitCode;

// That of musl asks the system for many blocks anew: builds and batches of probes would take
// half as much time again.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    krou_cli::run()
}
