//! Errors that end the run, as one sentence on stderr: wrong usage with the help to read, and
//! errors of the library with the command that helps.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error as UsageError};
use krou::tablebase::{BuildError, ExchangeError, LoadError, MissingTable, ProbeError};

use crate::messages::{print_message, with_causes};

/// The exit code of wrong usage, and of an error that stopped the run.
const FAILED: u8 = 2;

/// Reports why a command failed. A closed pipe is not an error.
pub fn report(error: &Error) -> ExitCode {
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    // An I/O error without context comes from writing to stdout.
    let is_output = error.downcast_ref::<io::Error>().is_some() && error.chain().count() == 1;
    print_message(&if is_output {
        format!("cannot write the output: {error}")
    } else {
        sentence(error)
    });
    ExitCode::from(FAILED)
}

fn is_closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let json = cause.downcast_ref::<serde_json::Error>();
    let kind = json.and_then(serde_json::Error::io_error_kind);
    let kind = kind.or_else(|| cause.downcast_ref::<io::Error>().map(io::Error::kind));
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// An error with its causes, and the command that helps unless they name it already.
pub fn sentence(error: &Error) -> String {
    let text = with_causes(error.as_ref());
    match missing_table(error) {
        Some(MissingTable { rules, seeds, .. }) => {
            format!("{text}: build it with 'krou build --rules {rules} --seeds {seeds}'")
        }
        None => text,
    }
}

/// The table whose lack is the cause of an error.
pub fn missing_table(error: &Error) -> Option<&MissingTable> {
    error.chain().find_map(missing)
}

fn missing<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e MissingTable> {
    let load = if let Some(BuildError::Layer(error)) = cause.downcast_ref() {
        Some(error)
    } else if let Some(ExchangeError::Tables(error)) = cause.downcast_ref() {
        Some(error)
    } else {
        cause.downcast_ref()
    };
    let probe = match load {
        Some(LoadError::Probe(error)) => Some(error),
        _ => cause.downcast_ref(),
    };
    match probe? {
        ProbeError::Missing(missing) => Some(missing),
        _ => None,
    }
}

/// Prints help and the version on stdout, and wrong usage on stderr.
pub fn report_usage(error: &UsageError, program: &Command) -> ExitCode {
    if !error.use_stderr() {
        return match error.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(cause) => report(&cause.into()),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // If stderr is gone too, there is nowhere left to report to.
        let _ = error.print();
        return ExitCode::from(FAILED);
    }
    let command = env::args_os()
        .skip(1)
        .filter_map(|arg| arg.into_string().ok())
        .find(|arg| program.find_subcommand(arg).is_some());
    print_message(&usage_sentence(error, command.as_deref()));
    ExitCode::from(FAILED)
}

/// The fault, and the likely intention or the help to read.
fn usage_sentence(error: &UsageError, command: Option<&str>) -> String {
    if let Some(ContextValue::String(arg)) = error.get(ContextKind::InvalidArg)
        && is_negative_number(arg)
        && matches!(command, Some("probe" | "moves" | "analyse"))
    {
        return format!("'{arg}' is not a board: seeds are whole numbers from 0 to 48");
    }
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or(&text);
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let words: Vec<&str> = first.split_whitespace().collect();
    let sentence = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => format!("there is no command '{name}'"),
        _ => words.join(" "),
    };
    let help = match command {
        Some(command) => format!("krou {command} --help"),
        None => "krou --help".to_owned(),
    };
    match suggestion(error) {
        Some(meant) => format!("{sentence}: did you mean '{meant}'? See '{help}'"),
        None => format!("{sentence}; see '{help}'"),
    }
}

/// The command, option or value that was probably meant.
fn suggestion(error: &UsageError) -> Option<&str> {
    let kinds = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let value = kinds.into_iter().find_map(|kind| error.get(kind))?;
    match value {
        ContextValue::String(meant) => Some(meant),
        ContextValue::Strings(all) => all.first().map(String::as_str),
        _ => None,
    }
}

fn is_negative_number(arg: &str) -> bool {
    let digits = arg.strip_prefix('-');
    digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
