//! Long work that Ctrl-C and exceptions in callbacks can stop.
//!
//! Python runs signal handlers on its main thread only, between two steps of Python code.
//! So the work is done by another thread, while the calling one waits for events without
//! the interpreter's lock, and takes it now and then to run handlers and callbacks.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use krou::solve::Stopped;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at pending signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work`, which should end soon after `stop` is set, and calls `on_event` for each
/// event that it sends, on the calling thread. An exception of `on_event` or of a signal
/// handler, such as `KeyboardInterrupt`, sets `stop` and is returned when the work has
/// ended.
pub fn run<T: Send, E: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(Sender<E>) -> T + Send,
    on_event: impl Fn(Python<'_>, E) -> PyResult<()> + Send + Sync,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, events) = mpsc::channel();
            let worker = thread::Builder::new()
                .name("krou".to_owned())
                .spawn_scoped(scope, move || work(sender))
                .map_err(|error| {
                    PyRuntimeError::new_err(format!("cannot start a thread ({error})"))
                })?;
            let mut failure = None;
            loop {
                let event = match events.recv_timeout(INTERVAL) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if failure.is_none() {
                    let handled = Python::attach(|py| {
                        py.check_signals()?;
                        event.map_or(Ok(()), |event| on_event(py, event))
                    });
                    if let Err(error) = handled {
                        failure = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
            let outcome = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            failure.map_or(Ok(outcome), Err)
        })
    })
}

/// The exception for work that was stopped, should no handler have raised another one.
pub fn stopped(stopped: Stopped) -> PyErr {
    PyRuntimeError::new_err(stopped.to_string())
}
