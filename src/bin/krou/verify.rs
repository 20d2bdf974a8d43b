//! `krou verify`: checks the checksums, then the certificate of every board.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::solve::{default_memory_limit, parse_memory};
use krou::tablebase::{Assurance, BoardCheck, Tablebase, Verdict, VerifyError, VerifyOptions};

use crate::folder_args::FolderArgs;
use crate::messages::one_line;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::value_parsers::{parse_sample, parse_seeds};

/// Options of `krou verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Verify the layers up to N seeds [default: all layers].
    #[arg(long, value_name = "N", value_parser = parse_seeds, allow_negative_numbers = true)]
    seeds: Option<u8>,
    /// Check only K random boards of each layer.
    ///
    /// Each entry is compared with those of the children. This takes little memory
    /// and finds widespread errors, but proves nothing.
    #[arg(long, value_name = "K", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Memory limit, such as 8G [default: most of the free memory].
    ///
    /// Verification takes one byte for each board of all layers, three where there
    /// are bounds, and one more for each board of the highest layer if it has
    /// distances.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    memory: Option<u64>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Largest number of failures to list for each layer.
const MAX_FAILURES: usize = 10;

/// Verifies layer by layer; exit code 1 if anything is wrong.
pub fn run(args: &VerifyArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open_to_verify(rules)?;
    let Some(highest) = tables.highest_layer() else {
        bail!(
            "there are no tables for {rules} in {}: nothing to verify",
            args.tables.names()
        );
    };
    let seeds = args.seeds.unwrap_or(highest);
    let all_right = match verify(args, &tables, seeds) {
        // Embedded tables take the place of missing lower layers alone.
        Err(error) if seeds <= highest && is_missing_table(&error) => {
            let tables = args.tables.open_despite_damage(rules)?;
            verify(args, &tables, seeds)?
        }
        result => result?,
    };
    Ok(match all_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// Verifies the layers up to `seeds` and prints the verdicts; whether all are right.
fn verify(args: &VerifyArgs, tables: &Tablebase, seeds: u8) -> Result<bool> {
    let options = VerifyOptions::new(seeds)
        .with_sample(args.sample)
        .with_most(MAX_FAILURES)
        .with_memory(args.memory.or_else(default_memory_limit));
    let progress = Progress::of_steps(tables.verify_steps(&options));
    let mut all_right = true;
    let mut written = Ok(());
    tables.verify(&options, &progress, |verdict| {
        all_right &= verdict.is_right();
        if written.is_ok() {
            progress.suspend(|| written = print(tables.rules(), &verdict));
        }
    })?;
    written?;
    Ok(all_right)
}

fn is_missing_table(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(VerifyError::Missing { .. }))
}

/// Prints one line for each failure, then one with the verdict.
fn print(rules: Ruleset, verdict: &Verdict) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for damaged in &verdict.damaged {
        writeln!(out, "{}", one_line(&damaged.to_string()))?;
    }
    let boards = verdict.boards.as_ref();
    for wrong in boards.iter().flat_map(|boards| &boards.failures) {
        writeln!(out, "{}", one_line(&wrong.to_string()))?;
    }
    let summary = match (boards, verdict.damaged.is_empty()) {
        (Some(boards), _) => result(boards) + &caveat(verdict),
        (None, false) => "boards not checked because tables are damaged".to_owned(),
        (None, true) => {
            "checksums right, boards not checked because a lower layer is damaged".to_owned()
        }
    };
    writeln!(out, "{rules}, {} seeds: {summary}", verdict.seeds)?;
    out.flush()
}

/// The result of checking the boards of a layer.
fn result(boards: &BoardCheck) -> String {
    let &BoardCheck {
        checked, failing, ..
    } = boards;
    let named = boards.failures.len();
    match (failing, boards.assurance) {
        (0, Assurance::Proof) => format!("{checked} boards right"),
        (0, Assurance::Agreement) => {
            format!("{checked} random boards consistent, distances too")
        }
        (0, Assurance::ConsistencyOnly) => format!(
            "{checked} random boards consistent (consistency only: \
             loops that support themselves are not ruled out)"
        ),
        (_, _) if named as u64 >= failing => format!("{failing} of {checked} boards fail"),
        (_, _) => format!("{failing} of {checked} boards fail, {named} failures are listed"),
    }
}

/// What limits the result if something else is wrong.
fn caveat(verdict: &Verdict) -> String {
    match (verdict.damaged.is_empty(), verdict.rests_on) {
        (false, _) => ", except for damaged tables".to_owned(),
        (true, Some(seeds)) => {
            format!(", provided the layer with {seeds} seeds is right, which it is not")
        }
        (true, None) => String::new(),
    }
}
