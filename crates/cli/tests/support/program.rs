//! Runs the program in a folder of the test, without the environment of the test run. Each
//! test program uses a part of it.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::{env, thread};

/// Variables that programs need to start and to make temporary files.
const KEPT: [&str; 5] = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"];
/// Variables that say where a user's files are.
const HOMES: [&str; 4] = ["APPDATA", "HOME", "LOCALAPPDATA", "USERPROFILE"];

/// The exit code and the output of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// The output of a run that must succeed and write nothing to stderr.
    pub fn success(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// The output of a run that must succeed, and on stderr at most says that it solved small
    /// layers.
    pub fn success_without_tables(mut self) -> String {
        if self.stderr.lines().count() == 1 && self.stderr.contains("solved in memory") {
            self.stderr.clear();
        }
        self.success()
    }

    /// The output of a run that must end with exit code 1: the answer is 'no', or some line
    /// of the input is invalid.
    pub fn exit_1(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(1), ""));
        self.stdout
    }

    /// The error message of a run that must fail: one sentence on stderr, nothing on
    /// stdout.
    pub fn error(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        let sentence = self.stderr.strip_prefix("krou: ");
        let sentence = sentence.unwrap_or_else(|| panic!("not an error message: {self:?}"));
        let sentence = sentence.strip_suffix('\n').expect("a line feed at the end");
        assert!(!sentence.is_empty());
        assert!(!sentence.contains(char::is_control), "{sentence:?}");
        sentence.to_owned()
    }
}

/// The program, in a folder that is also the user's home.
pub fn krou_in(folder: &Path) -> Command {
    isolated(env!("CARGO_BIN_EXE_krou"), folder)
}

/// Any program, in a folder that is also the user's home: it sees only the tables and
/// settings of the test.
pub fn isolated(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear();
    for name in KEPT {
        command.envs(env::var_os(name).map(|value| (name, value)));
    }
    command.envs(HOMES.map(|name| (name, folder)));
    command
}

/// Runs a command to its end, with an empty stdin.
pub fn run(command: &mut Command) -> Outcome {
    let output = command.output();
    outcome_of(output.unwrap_or_else(|error| {
        let program = command.get_program().display();
        panic!("{program} cannot be run ({error}): install it to run this test")
    }))
}

/// Sends a signal such as `INT` to a process, by the `kill` that every shell has.
pub fn send_signal(signal: &str, process: &Child) {
    let command = format!("kill -{signal} {}", process.id());
    let sent = run(Command::new("sh").args(["-c", &command]));
    assert_eq!(sent.code, Some(0), "{sent:?}");
}

/// Runs a command to its end, with this input on stdin.
pub fn run_with_input(command: &mut Command, input: impl Into<Vec<u8>>) -> Outcome {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (process.stdin.take().unwrap(), input.into());
    // It may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    outcome_of(output)
}

fn outcome_of(output: Output) -> Outcome {
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
