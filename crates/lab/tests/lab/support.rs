//! Runs of the programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code and the output of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The output of a run that must succeed.
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// The message of a run that must fail.
    pub fn error(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        self.stderr
    }
}

/// `krou-lab` in a folder.
pub fn lab_in(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_krou-lab"));
    command.current_dir(folder).env_remove("KROU_DIR");
    command
}

/// Runs `krou-lab` in a folder with the words of a line, and more arguments.
pub fn lab(folder: &Path, line: &str, more: &[&str]) -> Run {
    run(lab_in(folder).args(line.split_whitespace()).args(more))
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The program `krou`, beside `krou-lab`.
pub fn krou() -> PathBuf {
    let krou = Path::new(env!("CARGO_BIN_EXE_krou-lab")).with_file_name("krou");
    assert!(krou.exists(), "run 'cargo build' first");
    krou
}
