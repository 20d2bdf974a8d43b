//! `krou verify`: checksums, then the certificate of every board.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::{Assurance, BoardCheck, Verdict, VerifyOptions};

use crate::one_line;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::seeds::{parse_sample, parse_seeds, parse_size};
use crate::system::memory_to_use;
use crate::tables_args::TablesArgs;

/// Options of `krou verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Verify the layers up to N seeds [default: all that are there].
    #[arg(long, value_name = "N", value_parser = parse_seeds, allow_negative_numbers = true)]
    seeds: Option<u8>,
    /// Check only K random boards of each layer that has more.
    ///
    /// Their numbers are compared with those of the boards that their moves lead
    /// to. That finds what is wrong in many places, proves nothing, and takes
    /// little memory.
    #[arg(long, value_name = "K", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: Option<u64>,
    /// The most memory to use, such as 8G [default: most of what is free].
    ///
    /// A byte for each board of all layers is needed, three where there are bounds,
    /// and one more for each board of the last layer if it has distances.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Failures named of each layer.
const MOST: usize = 10;

/// Verifies layer after layer; exit code 1 if anything is wrong.
pub fn run(args: &VerifyArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open_sound(rules)?;
    let Some(highest) = tables.highest_layer() else {
        bail!(
            "there are no tables for {rules} in {}: nothing to verify",
            args.tables.folder().display()
        );
    };
    let options = VerifyOptions {
        seeds: args.seeds.unwrap_or(highest),
        sample: args.sample,
        most: MOST,
        memory: args.memory.or_else(memory_to_use),
    };
    let progress = Progress::of_steps(tables.verify_steps(&options));
    let mut all_right = true;
    let mut written = Ok(());
    tables.verify(&options, &progress, |verdict| {
        all_right &= verdict.is_right();
        if written.is_ok() {
            progress.suspend(|| written = tell(rules, &verdict));
        }
    })?;
    written?;
    Ok(match all_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// What is wrong, a line each, and then the verdict in a line.
fn tell(rules: Ruleset, verdict: &Verdict) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for damaged in &verdict.damaged {
        writeln!(out, "{}", one_line(&damaged.to_string()))?;
    }
    let boards = verdict.boards.as_ref();
    for wrong in boards.iter().flat_map(|boards| &boards.failures) {
        writeln!(out, "{}", one_line(&wrong.to_string()))?;
    }
    let words = match (boards, verdict.damaged.is_empty()) {
        (Some(boards), _) => in_words(boards) + &reserve(verdict),
        (None, false) => "boards not checked, as tables are damaged".to_owned(),
        (None, true) => {
            "checksums right, boards not checked, as a layer below is damaged".to_owned()
        }
    };
    writeln!(out, "{rules}, {} seeds: {words}", verdict.seeds)?;
    out.flush()
}

/// What the boards of a layer are like.
fn in_words(boards: &BoardCheck) -> String {
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
            "{checked} random boards consistent, and no more: loops that hold themselves up are \
             not ruled out"
        ),
        (_, _) if named as u64 >= failing => format!("{failing} of {checked} boards fail"),
        (_, _) => format!("{failing} of {checked} boards fail, {named} failures are named"),
    }
}

/// What has to be added where something else is wrong.
fn reserve(verdict: &Verdict) -> String {
    match (verdict.damaged.is_empty(), verdict.rests_on) {
        (false, _) => ", without what is damaged".to_owned(),
        (true, Some(seeds)) => format!(", as far as the layer of {seeds} seeds is, which is not"),
        (true, None) => String::new(),
    }
}
