//! Wrong usage: clap's errors as one sentence that names the right `--help`.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::messages::print_message;

/// Prints help and the version on stdout, and wrong usage on stderr.
pub fn report(error: &Error, program: &Command) -> ExitCode {
    if !error.use_stderr() {
        return match error.print().and_then(|()| io::stdout().flush()) {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
                print_message(&format!("cannot write the output: {cause}"));
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // If stderr is gone too, there is nowhere left to report to.
        let _ = error.print();
        return ExitCode::from(2);
    }
    let command = env::args_os()
        .skip(1)
        .filter_map(|arg| arg.into_string().ok())
        .find(|arg| program.find_subcommand(arg).is_some());
    print_message(&sentence(error, command.as_deref()));
    ExitCode::from(2)
}

/// What is wrong, and what was probably meant or which help to read.
fn sentence(error: &Error, command: Option<&str>) -> String {
    if let Some(ContextValue::String(arg)) = error.get(ContextKind::InvalidArg)
        && is_negative_number(arg)
        && matches!(command, Some("probe" | "moves"))
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
fn suggestion(error: &Error) -> Option<&str> {
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
