//! A running engine: its process, input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Lines of output that wait to be read; an engine that prints more has to wait.
const QUEUED_LINES: usize = 1000;
/// How long it takes at most to notice that the match is over.
const POLL: Duration = Duration::from_millis(50);

/// Why an engine does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// Its process has ended, or closed its input or output.
    Crashed,
    /// The time is over.
    TimedOut,
    /// The match is over.
    Stopped,
}

/// The process of an engine. It is killed when this is dropped.
pub struct EngineProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl EngineProcess {
    /// Starts a program with its arguments.
    pub fn start(words: &[String]) -> Result<EngineProcess> {
        let (program, arguments) = words.split_first().context("the command is empty")?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C at the terminal is for the match, which then ends its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let output = child.stdout.take().context("the engine has no output")?;
        let input = child.stdin.take().context("the engine has no input")?;
        let (sender, lines) = sync_channel(QUEUED_LINES);
        let read = move || {
            // A read error counts as the end of the output.
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(read)
            .context("cannot start a thread")?;
        Ok(EngineProcess {
            child,
            input,
            lines,
        })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Silence> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| Silence::Crashed)
    }

    /// The lines up to the one that begins with `word`, unless they take longer than
    /// `time` or `stopped` is set.
    pub fn read_until(
        &self,
        word: &str,
        time: Duration,
        stopped: &AtomicBool,
    ) -> Result<Vec<String>, Silence> {
        let start = Instant::now();
        let mut lines = Vec::new();
        loop {
            if stopped.load(Ordering::Relaxed) {
                return Err(Silence::Stopped);
            }
            let left = time.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(line) => {
                    let is_last = line.split_whitespace().next() == Some(word);
                    lines.push(line);
                    if is_last {
                        return Ok(lines);
                    }
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::TimedOut),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Crashed),
            }
            // A flood of lines must not outlast the time.
            if start.elapsed() > time && !lines.is_empty() {
                return Err(Silence::TimedOut);
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // A polite engine ends by itself; either call fails if it has ended.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
