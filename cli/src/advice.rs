//! What to do about errors of the library, in terms of the command line.

use anyhow::Error;
use krou::rules::Ruleset;
use krou::tablebase::{BuildError, ExchangeError, LoadError, ProbeError, VerifyError};

/// Appends the command that helps, unless the message names one already.
pub fn append(message: String, error: &Error) -> String {
    match error.chain().find_map(advice) {
        Some(advice) if !message.contains(&advice) => format!("{message}: {advice}"),
        _ => message,
    }
}

fn advice(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref() {
        return of_probe(error);
    }
    if let Some(error) = cause.downcast_ref() {
        return of_load(error);
    }
    if let Some(ExchangeError::Tables(error)) = cause.downcast_ref() {
        return of_load(error);
    }
    if let Some(BuildError::Missing { rules, seeds, .. }) = cause.downcast_ref() {
        return Some(build_command(*rules, *seeds));
    }
    match cause.downcast_ref()? {
        VerifyError::Missing { rules, highest, .. } => Some(build_command(*rules, *highest)),
        VerifyError::Memory { .. } => {
            Some("check random boards with '--sample', or allow more memory".to_owned())
        }
        _ => None,
    }
}

fn of_load(error: &LoadError) -> Option<String> {
    match error {
        LoadError::Probe(error) => of_probe(error),
        _ => None,
    }
}

fn of_probe(error: &ProbeError) -> Option<String> {
    match error {
        ProbeError::Missing { rules, seeds, .. } => Some(build_command(*rules, *seeds)),
        _ => None,
    }
}

fn build_command(rules: Ruleset, seeds: u8) -> String {
    format!("build it with 'krou build --rules {rules} --seeds {seeds}'")
}
