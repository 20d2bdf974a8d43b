//! `krou verify`: checks the checksums, then the certificate of every board.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Args;
use indicatif::HumanCount;
use krou::rules::Ruleset;
use krou::solve::{Observer, default_memory_limit, parse_memory};
use krou::table::{Kind, Table};
use krou::tablebase::{
    Assurance, BoardCheck, LoadError, ProbeError, Tablebase, Verdict, VerifyOptions,
};

use crate::args::{seeds, whole_number};
use crate::folder_args::FolderArgs;
use crate::manifest::{Manifest, ManifestMatch, ManifestSource};
use crate::messages::{boards as words, exit_code, one_line};
use crate::progress::{LayerBar, Progress};
use crate::rules_args::RulesArgs;

/// Options of `krou verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Verify the layers up to N seeds [default: all layers].
    #[arg(long, short, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    seeds: Option<u8>,
    /// Check only K random boards of each layer.
    ///
    /// Each entry is compared with those of the children. This takes little memory
    /// and finds widespread errors, but proves nothing.
    #[arg(long, value_name = "K", value_parser = whole_number(1..=u64::MAX), allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Compare the tables with those of a manifest instead: with FILE, as written by
    /// 'krou info --csv', or with the one inside the program.
    ///
    /// Builds are equal to the byte on every machine. The manifest inside the program
    /// lists tables of awari and abapa with the default codec.
    #[arg(
        long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = ManifestSource::BUILT_IN,
        conflicts_with_all = ["sample", "memory"]
    )]
    manifest: Option<ManifestSource>,
    /// Memory limit, such as 8G [default: most of the free memory].
    ///
    /// Verification takes a byte for each board of the highest layer, or two where there
    /// are distances or bounds. Beyond the limit, lower layers spill to disk in the
    /// system's temporary folder, and it takes longer.
    #[arg(long, short, value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
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
    check(args).map_err(|error| args.tables.explain(error))
}

fn check(args: &VerifyArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open_to_verify(rules)?;
    let Some(highest) = tables.highest_layer() else {
        return Err(args.tables.no_tables(rules));
    };
    let seeds = args.seeds.unwrap_or(highest);
    if let Some(source) = &args.manifest {
        return compare(&tables, seeds, &source.open()?);
    }
    let all_right = match verify(args, &tables, seeds) {
        // Embedded tables take the place of missing lower layers alone.
        Err(error) if seeds <= highest && is_missing_table(&error) => {
            let tables = args.tables.sources(rules).embedded_layers().open()?;
            verify(args, &tables, seeds)?
        }
        result => result?,
    };
    Ok(exit_code(all_right))
}

/// Verifies the layers up to `seeds` and prints the verdicts; whether all are right.
fn verify(args: &VerifyArgs, tables: &Tablebase, seeds: u8) -> Result<bool> {
    let options = VerifyOptions::new(seeds)
        .with_sample(args.sample)
        .with_most(MAX_FAILURES)
        .with_memory(args.memory.or_else(default_memory_limit));
    let steps = tables.verify_steps(&options);
    // Some for each board of the layers; a sample visits fewer boards once.
    let visits = steps.iter().sum::<u64>() / tables.boards_up_to(seeds);
    let progress = Progress::of_steps(steps, visits.max(1));
    let (mut boards, mut layers, mut wrong) = (0, 0, 0);
    let mut written = Ok(());
    let verified = tables.verify(&options, &progress, |verdict| {
        layers += 1;
        wrong += u32::from(!verdict.is_right());
        boards += verdict.boards.as_ref().map_or(0, |boards| boards.checked);
        if written.is_ok() {
            progress.suspend(|| written = print(tables.rules(), &verdict));
        }
    });
    match verified {
        Err(error @ LoadError::Memory(_)) => {
            bail!("{error}, or check random boards with '--sample'");
        }
        verified => verified?,
    }
    written?;
    progress.clear();
    let kinds = Kind::ALL.into_iter().filter(|&kind| {
        let has = |layer: u8| tables.table(layer, kind).is_some();
        (0..=seeds).any(has)
    });
    let kinds: Vec<&str> = kinds.map(Kind::word).collect();
    let summary = match (wrong, args.sample) {
        (0, None) => format!("{layers} layers with {} are proved", words(boards)),
        (0, Some(_)) => format!("{layers} layers are consistent in {}", words(boards)),
        _ => format!("{wrong} of {layers} layers are not right"),
    };
    let kinds = kinds.join(", ");
    print_line(&format!("{}: {summary} ({kinds})", tables.rules()))?;
    Ok(wrong == 0)
}

/// Compares the tables up to `seeds` with a manifest and prints a line for each; exit
/// code 1 if one differs, is damaged or cannot be compared.
fn compare(tables: &Tablebase, seeds: u8, manifest: &Manifest) -> Result<ExitCode> {
    let layers = tables.layers().filter(|&layer| layer <= seeds);
    let found: Vec<&Table> = layers
        .flat_map(|layer| Kind::ALL.map(|kind| tables.table(layer, kind)))
        .flatten()
        .collect();
    let entries = found.iter().map(|table| table.stored_entries()).sum();
    let bar = LayerBar::new("comparing", seeds, entries);
    let mut is_right = true;
    let (mut equal, mut unknown) = (0, 0);
    for table in found {
        let verdict = match table.check_with(&|entries| bar.advance(entries)) {
            Ok(()) => manifest.compare(table),
            Err(error) => {
                is_right = false;
                bar.suspend(|| print_line(&error.to_string()))?;
                continue;
            }
        };
        is_right &= matches!(verdict, ManifestMatch::Equal | ManifestMatch::NotListed);
        equal += u32::from(verdict == ManifestMatch::Equal);
        unknown += u32::from(verdict == ManifestMatch::NotListed);
        let verdict = match verdict {
            ManifestMatch::Equal => "equal".to_owned(),
            ManifestMatch::Differs => "differs from the manifest".to_owned(),
            ManifestMatch::NotListed => "not in the manifest".to_owned(),
            ManifestMatch::OtherCodec => format!(
                "cannot be compared: it has the codec {}, the manifest another",
                table.codec()
            ),
        };
        let line = format!("{}: {verdict}", table.name().display());
        bar.suspend(|| print_line(&line))?;
    }
    for damaged in tables.damaged_tables() {
        is_right = false;
        bar.suspend(|| print_line(&damaged.to_string()))?;
    }
    drop(bar);
    let summary = format!("{equal} tables are equal, {unknown} are not in the manifest");
    print_line(&summary)?;
    Ok(exit_code(is_right))
}

fn print_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", one_line(line))?;
    out.flush()
}

fn is_missing_table(error: &Error) -> bool {
    matches!(
        error.downcast_ref(),
        Some(LoadError::Probe(ProbeError::Missing(_)))
    )
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
        (0, Assurance::Proof) => format!("{} right", words(checked)),
        (0, Assurance::Agreement) => {
            format!("{checked} random boards consistent, distances too")
        }
        (0, Assurance::ConsistencyOnly) => format!(
            "{checked} random boards consistent (consistency only: \
             loops that support themselves are not ruled out)"
        ),
        (_, _) if named as u64 >= failing => {
            format!("{} of {} fail", HumanCount(failing), words(checked))
        }
        (_, _) => format!(
            "{} of {} fail, {named} failures are listed",
            HumanCount(failing),
            words(checked)
        ),
    }
}

/// The condition under which the result holds if something else is wrong.
fn caveat(verdict: &Verdict) -> String {
    match (verdict.damaged.is_empty(), verdict.rests_on) {
        (false, _) => ", except for damaged tables".to_owned(),
        (true, Some(seeds)) => {
            format!(", provided the layer with {seeds} seeds is right, which it is not")
        }
        (true, None) => String::new(),
    }
}
