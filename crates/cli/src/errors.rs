//! Errors that end the run, as one sentence on stderr; wrong usage with the help to read.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error as UsageError};
use krou::rules::MAX_SEEDS;
use krou::tablebase::ExchangeError;
use krou::tablebase::{BuildError, LoadError, MissingTable, ProbeError};

use crate::lines::beginning;
use crate::messages::{print_message, with_causes};

/// Characters of a wrong value that a message repeats at most.
const LONGEST: usize = 60;

/// The exit code of wrong usage, and of an error that stopped the run.
const FAILED: u8 = 2;

/// Reports why a command failed. A closed pipe is not an error.
pub fn report(error: &Error) -> ExitCode {
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    // An I/O error without context comes from writing to stdout.
    let is_output = error.downcast_ref::<io::Error>().is_some() && error.chain().count() == 1;
    let why = with_causes(error.as_ref());
    let what = if is_output {
        "cannot write the output: "
    } else {
        ""
    };
    print_message(&format!("{what}{why}"));
    ExitCode::from(FAILED)
}

fn is_closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let json = cause.downcast_ref::<serde_json::Error>();
    let kind = json.and_then(serde_json::Error::io_error_kind);
    let kind = kind.or_else(|| cause.downcast_ref::<io::Error>().map(io::Error::kind));
    kind == Some(io::ErrorKind::BrokenPipe)
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
    print_message(&usage_sentence(error, command.as_deref(), program));
    ExitCode::from(FAILED)
}

/// The fault, and the likely intention or the help to read.
fn usage_sentence(error: &UsageError, command: Option<&str>, program: &Command) -> String {
    if let Some(arg) = invalid_argument(error)
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
    let sentence = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => sentence.replace(value, &beginning(value, LONGEST)),
        _ => sentence,
    };
    let help = match command {
        Some(command) => format!("krou {command} --help"),
        None => "krou --help".to_owned(),
    };
    let command = command.and_then(|name| program.find_subcommand(name));
    let meant = command.and_then(|command| likely_option(error, command));
    match meant.or_else(|| suggestion(error)) {
        Some(meant) => format!("{sentence}: did you mean '{meant}'? See '{help}'"),
        None => format!("{sentence}; see '{help}'"),
    }
}

/// The argument of an error.
fn invalid_argument(error: &UsageError) -> Option<&str> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => Some(arg),
        _ => None,
    }
}

/// The option that a stray value probably belongs to: the one before it, which takes its value
/// after `=`, or the number of seeds.
fn likely_option(error: &UsageError, command: &Command) -> Option<String> {
    let value = invalid_argument(error).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let args: Vec<String> = env::args_os()
        .filter_map(|arg| arg.into_string().ok())
        .collect();
    let before = args.iter().position(|arg| arg == value)?.checked_sub(1)?;
    let before = args[before].strip_prefix("--").unwrap_or_default();
    let has = |name: &str| {
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))
    };
    if has(before).is_some_and(clap::Arg::is_require_equals_set) {
        return Some(format!("--{before}={value}"));
    }
    let is_number = value.parse().is_ok_and(|seeds: u8| seeds <= MAX_SEEDS);
    (is_number && has("seeds").is_some()).then(|| format!("--seeds {value}"))
}

/// The command, option or value that was probably meant: one from which one letter in three or
/// fewer differ.
fn suggestion(error: &UsageError) -> Option<String> {
    let kinds = [
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    let (given, meant) = kinds
        .into_iter()
        .find_map(|(given, meant)| Some((error.get(given)?, error.get(meant)?)))?;
    let ContextValue::String(given) = given else {
        return None;
    };
    let meant = match meant {
        ContextValue::String(meant) => std::slice::from_ref(meant),
        ContextValue::Strings(all) => all,
        _ => return None,
    };
    nearest(given, meant.iter().map(String::as_str)).map(str::to_owned)
}

/// The name that differs least from a given one: in one letter of three at most.
pub fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let given = given.trim_start_matches('-').to_lowercase();
    let changes = |name: &&str| strsim::osa_distance(&given, name.trim_start_matches('-'));
    let most = given.chars().count().max(3) / 3;
    names
        .min_by_key(changes)
        .filter(|name| changes(name) <= most)
}

fn is_negative_number(arg: &str) -> bool {
    let digits = arg.strip_prefix('-');
    digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
