//! A running engine, and what its output contains.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use krou::engine::Game;
use krou::rules::Player;
use tempfile::TempDir;

use crate::support::{call_with_input, krou_in};

/// How long a test waits for a line before it fails.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Starts the engine in an empty folder, which must outlive it.
pub fn start(args: &[&str]) -> (Child, TempDir) {
    let home = tempfile::tempdir().unwrap();
    let child = krou_in(home.path())
        .arg("engine")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (child, home)
}

/// A running engine with its input and output.
pub struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    _home: TempDir,
}

impl EngineProcess {
    pub fn start(args: &[&str]) -> EngineProcess {
        let (mut child, home) = start(args);
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        EngineProcess {
            input: child.stdin.take(),
            child,
            lines,
            _home: home,
        }
    }

    /// The process id.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line.
    pub fn send(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The next line of the output.
    pub fn line(&self) -> String {
        let line = self.lines.recv_timeout(TIMEOUT).expect("a line in time");
        // Programs take an empty line for the end of the output.
        assert_ne!(line, "");
        line
    }

    /// The lines up to the one that begins with this word.
    pub fn lines_until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// Checks that the engine answers other commands, but does not move.
    pub fn assert_no_move(&mut self) {
        for _ in 0..100 {
            self.send("isready");
            let lines = self.lines_until("readyok");
            let has_moved = lines.iter().any(|line| line.starts_with("bestmove"));
            assert!(!has_moved, "{lines:?}");
        }
    }

    /// The error message for a line, after which the engine still answers.
    pub fn error(&mut self, line: impl AsRef<[u8]>) -> String {
        self.send(line);
        self.send("isready");
        let mut lines = self.lines_until("readyok");
        assert_eq!(lines.len(), 2, "{lines:?}");
        let error = lines.remove(0);
        error.strip_prefix("info string ").unwrap().to_owned()
    }

    /// Sends `quit`; the engine must end as in [`EngineProcess::end`].
    pub fn quit(mut self) {
        self.send("quit");
        self.end();
    }

    /// Sends `quit` during a search; nothing but its reports may follow.
    pub fn quit_during_search(mut self) {
        self.send("quit");
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT) {
            assert!(line.starts_with("info "), "{line}");
        }
        self.end();
    }

    /// Ends the input: the engine must end with success, without another line and without
    /// an error message.
    pub fn end(mut self) {
        self.input = None;
        assert_eq!(
            self.lines.recv_timeout(TIMEOUT),
            Err(RecvTimeoutError::Disconnected)
        );
        let output = self.child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
}

/// The output of an engine for a whole input.
pub fn output_of(args: &[&str], input: &str) -> Vec<String> {
    let text = call_with_input(&[&["engine"], args].concat(), input).success();
    text.lines().map(str::to_owned).collect()
}

/// The moves of the `bestmove` lines.
pub fn best_moves(lines: &[String]) -> Vec<&str> {
    let moves = lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "));
    moves.map(|rest| rest.split(' ').next().unwrap()).collect()
}

/// Plays moves one after another, which must all be legal.
pub fn play(game: &mut Game, letters: &str) {
    for letter in letters.chars() {
        let (player, pit) = Player::from_letter(letter).unwrap();
        assert_eq!(player, game.to_move(), "{letters}");
        game.play(pit).unwrap();
    }
}

/// The word that follows another one in a line.
pub fn word_after<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    line.split(' ').skip_while(|&w| w != word).nth(1)
}
