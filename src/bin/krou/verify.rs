//! `krou verify`: checksums, then the certificate of every board.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use krou::tablebase::{LoadError, OpenError, ProbeError, VerifyOptions};

use crate::one_line;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::seeds::{parse_sample, parse_seeds};
use crate::tables_args::TablesArgs;

/// Options of `krou verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Verify the layers up to N seeds [default: all that are there].
    #[arg(long, value_name = "N", value_parser = parse_seeds, allow_negative_numbers = true)]
    seeds: Option<u8>,
    /// Check only K random boards of each layer that has more.
    #[arg(long, value_name = "K", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: Option<u64>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Failures shown of each layer.
const MOST: usize = 10;

/// Verifies layer after layer; exit code 1 if anything is wrong.
pub fn run(args: &VerifyArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = match args.tables.open_strictly(rules) {
        Ok(tables) => tables,
        Err(error) => return damaged(error),
    };
    let Some(highest) = tables.layers().last() else {
        bail!(
            "there are no tables for {rules} in {}: nothing to verify",
            args.tables.folder().display()
        );
    };
    let options = VerifyOptions {
        seeds: args.seeds.unwrap_or(highest),
        sample: args.sample,
        most: MOST,
    };
    let progress = Progress::verify(rules, options.seeds);
    let mut all_right = true;
    let mut written = Ok(());
    let verified = tables.verify(&options, &progress, |verdict| {
        all_right &= verdict.failures.is_empty();
        let tell = || -> io::Result<()> {
            let mut out = io::stdout().lock();
            let seeds = verdict.seeds;
            if verdict.failures.is_empty() {
                let how = if verdict.consistency_only {
                    "consistent (without a full check of distances, loops are not ruled out)"
                } else {
                    "right"
                };
                writeln!(
                    out,
                    "{rules}, {seeds} seeds: {} boards {how}",
                    verdict.boards
                )?;
            }
            for failure in &verdict.failures {
                writeln!(out, "{rules}, {seeds} seeds: {failure}")?;
            }
            out.flush()
        };
        if written.is_ok() {
            progress.suspend(|| written = tell());
        }
    });
    written?;
    match verified {
        Ok(()) if all_right => Ok(ExitCode::SUCCESS),
        Ok(()) => Ok(ExitCode::from(1)),
        Err(error) => damaged(error.into()),
    }
}

/// A damaged table is an answer here: no.
fn damaged(error: anyhow::Error) -> Result<ExitCode> {
    let table = matches!(error.downcast_ref(), Some(OpenError::Table(_)))
        || matches!(
            error.downcast_ref(),
            Some(LoadError::Probe(ProbeError::Table(_)))
        );
    if !table {
        return Err(error);
    }
    writeln!(io::stdout(), "{}", one_line(&format!("{error:#}")))?;
    Ok(ExitCode::from(1))
}
