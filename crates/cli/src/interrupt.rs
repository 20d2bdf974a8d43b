//! Ctrl-C and other requests to end: long work ends in order and keeps what is finished.

use std::fs;
use std::path::Path;
use std::process::{ExitCode, exit};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

use crate::process::is_ignored;

/// How often those look who cannot wait for a signal.
pub const PERIOD: Duration = Duration::from_millis(50);

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// A flag that Ctrl-C sets, or another request to end. The second one ends the program at
/// once. Signals that were ignored when the program started, as `nohup` does, stay ignored.
pub fn on_interrupt() -> Result<&'static Arc<AtomicBool>> {
    let mut signals = TERM_SIGNALS.to_vec();
    #[cfg(unix)]
    signals.push(signal_hook::consts::SIGHUP);
    signals.retain(|&signal| !is_ignored(signal));
    for signal in signals {
        let number = signal.unsigned_abs() as usize;
        let registered = flag::register_conditional_shutdown(signal, code(number), STOP.clone())
            .and_then(|_| flag::register_usize(signal, SIGNAL.clone(), number))
            .and_then(|_| flag::register(signal, STOP.clone()));
        registered.context("cannot wait for signals")?;
    }
    Ok(&STOP)
}

/// The exit code of a program that a signal breaks off, as shells count them.
fn code(signal: usize) -> i32 {
    // Signals are small numbers.
    128 + (signal & 127) as i32
}

/// The exit code of work that was broken off by a signal, or else that of complete work.
pub fn exit_code() -> ExitCode {
    match SIGNAL.load(Ordering::Relaxed) {
        0 => ExitCode::SUCCESS,
        signal => ExitCode::from(code(signal).unsigned_abs() as u8),
    }
}

/// What work on a thread of its own returns, or `None` as soon as Ctrl-C is pressed; the work then
/// ends with the program.
pub fn unless_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let stop = on_interrupt()?;
    let (sender, done) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || sender.send(work()));
    thread.context("cannot start a thread")?;
    loop {
        match done.recv_timeout(PERIOD) {
            Ok(done) => return Ok(Some(done)),
            Err(RecvTimeoutError::Disconnected) => bail!("the work has failed"),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// From now on Ctrl-C removes a temporary folder and ends the program.
#[allow(clippy::exit)]
pub fn remove_on_interrupt(folder: &Path) -> Result<()> {
    let folder = folder.to_owned();
    let stop = on_interrupt()?;
    let wait = move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(PERIOD);
        }
        // What cannot be removed is in the system's temporary folder.
        let _ = fs::remove_dir_all(&folder);
        exit(code(SIGNAL.load(Ordering::Relaxed)));
    };
    let started = thread::Builder::new().spawn(wait);
    started.map(drop).context("cannot start a thread")
}
