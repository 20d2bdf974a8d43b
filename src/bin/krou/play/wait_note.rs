//! A word to somebody who waits at a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long nobody minds to wait.
const UNNOTICED: Duration = Duration::from_secs(1);

/// Works; where that takes long and stderr is a terminal, the note stands there until
/// it is done.
pub fn with_note<T>(note: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, waiting) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(UNNOTICED) == Err(RecvTimeoutError::Timeout) {
                let mut terminal = io::stderr();
                // A note that cannot be shown is no reason to stop.
                let _ = write!(terminal, "{note} …");
                let _ = waiting.recv();
                let _ = write!(terminal, "\r{:width$}\r", "", width = note.len() + 2);
            }
        });
        let result = work();
        drop(done);
        result
    })
}
