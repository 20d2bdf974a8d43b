//! What a command tells: text and JSON on stdout, messages of one line on stderr, exit codes.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::HumanCount;
pub use krou::answers::one_line;
use serde::Serialize;

/// Prints text on stdout.
pub fn print_text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints an answer for programs on stdout: one line of JSON.
pub fn print_json(answer: &impl Serialize) -> io::Result<()> {
    print_text(&(serde_json::to_string(answer)? + "\n"))
}

/// A number of boards in words.
pub fn boards(count: u64) -> String {
    match count {
        1 => "1 board".to_owned(),
        _ => format!("{} boards", HumanCount(count)),
    }
}

/// The exit code of a command that asks whether something holds, or that has answered all
/// lines of its input.
pub fn exit_code(is_right: bool) -> ExitCode {
    ExitCode::from(u8::from(!is_right))
}

/// Prints one line on stderr.
pub fn print_message(message: &str) {
    // If stderr is gone too, there is nowhere left to report to.
    let _ = writeln!(io::stderr(), "krou: {}", one_line(message));
}

/// An error with its causes. A cause that the text already contains is not repeated.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text += ": ";
            text += &words;
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn repeated_causes_are_printed_once() {
        let error = anyhow!("no such file").context("cannot read x (no such file)");
        assert_eq!(with_causes(error.as_ref()), "cannot read x (no such file)");
        let error = anyhow!("no such file").context("cannot read x");
        assert_eq!(with_causes(error.as_ref()), "cannot read x: no such file");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(one_line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
    }
}
