//! What a command tells: text and JSON on stdout, messages of one sentence on stderr, exit codes.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::HumanCount;
use krou::table::reason;
pub use krou_answers::one_line;
use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

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

/// Prints a sentence about an error, or one that the user should know, on stderr.
pub fn print_message(message: &str) {
    print_note(&format!("krou: {message}"));
}

/// Prints a sentence about the work on stderr: one line or, on a terminal, as many as it takes.
pub fn print_note(words: &str) {
    let width = terminal_size_of(io::stderr()).map(|(Width(width), _)| width);
    let text = wrapped(&one_line(words), width.map_or(usize::MAX, usize::from));
    // The work goes on even if stderr is gone: there is nowhere left to report to.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Text in lines of at most `width` characters, unless a word is longer.
fn wrapped(text: &str, width: usize) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            // A command in quotes stays on one line, so that it can be copied.
            Some(quote) if quote.starts_with('\'') && quote.matches('\'').count() == 1 => {
                *quote += &format!(" {word}");
            }
            _ => words.push(word.to_owned()),
        }
    }
    let mut lines = String::new();
    let mut column = 0;
    for word in &words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + length < width;
            lines.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        lines += word;
        column += length;
    }
    lines
}

/// An error with its causes.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = String::new();
    let mut next = Some(error);
    while let Some(cause) = next {
        let system = cause.downcast_ref::<io::Error>();
        let words = system.map_or_else(|| cause.to_string(), reason);
        text += if text.is_empty() { "" } else { ": " };
        text += &words;
        text += system.map_or("", |error| advice(error.kind()));
        next = cause.source();
    }
    text
}

/// What to do about an error of the system that says nothing about it.
fn advice(kind: io::ErrorKind) -> &'static str {
    use io::ErrorKind as E;
    match kind {
        E::NotFound => ": check the name",
        E::PermissionDenied | E::ReadOnlyFilesystem => ": choose another place",
        E::IsADirectory => ": name a file",
        E::AlreadyExists | E::NotADirectory => ": choose another name",
        E::FileTooLarge | E::QuotaExceeded | E::StorageFull => {
            ": free some space, or choose another place"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn causes_follow_the_error_and_advice_those_of_the_system() {
        let error = anyhow!("no such file").context("cannot read x");
        assert_eq!(with_causes(error.as_ref()), "cannot read x: no such file");
        let error = anyhow!(io::Error::from_raw_os_error(2)).context("cannot read x");
        let text = with_causes(error.as_ref());
        assert!(text.ends_with(": check the name") && !text.contains("os error"));
    }

    #[test]
    fn lines_end_before_the_words_that_do_not_fit() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(
            wrapped("try 'one two': three", 12),
            "try\n'one two':\nthree"
        );
        assert_eq!(wrapped("one two three", usize::MAX), "one two three");
    }
}
