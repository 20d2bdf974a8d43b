//! A note on the terminal while a search takes long.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long to wait before the note appears.
const DELAY: Duration = Duration::from_secs(1);

/// Does the work. If it takes long and stderr is a terminal, shows the note there until
/// the work is done.
pub fn with_note<T>(note: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, waiting) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                let mut terminal = io::stderr();
                // The work goes on even if the note cannot be written.
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
