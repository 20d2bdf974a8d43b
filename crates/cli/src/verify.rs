//! `krou verify`: checks the checksums, then the certificate of every board.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use indicatif::HumanCount;
use krou::internal::table::manifest::{Manifest, ManifestMatch};
use krou::rules::Ruleset;
use krou::solve::Observer;
use krou::table::{Kind, Table};
use krou::tablebase::{Assurance, BoardCheck, Verdict, VerifyOptions};
use krou::tablebase::{LoadError, Tablebase};
use serde_json::{Value, json};

use crate::args::{seeds, whole_number};
use crate::errors::missing_table;
use crate::folder_args::note_old;
use crate::layer_args::LayerArgs;
use crate::messages::{boards as words, exit_code, one_line, print_json, print_text};
use crate::progress::{LayerBar, Progress};

/// Options of `krou verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Verify the layers up to N seeds [default: all layers].
    #[arg(long, short, value_name = "N", value_parser = seeds())]
    seeds: Option<u8>,
    /// Check only K random boards of each layer.
    ///
    /// Each entry is compared with those of the children. This takes little memory
    /// and finds widespread errors, but proves nothing.
    #[arg(long, value_name = "K", value_parser = whole_number(1..=u64::MAX))]
    sample: Option<u64>,
    /// Compare the tables with those of a manifest instead: with FILE, as written by
    /// 'krou info --csv', or with the one inside the program.
    ///
    /// Builds are equal to the byte on every machine. The manifest inside the program
    /// lists tables of awari and abapa with the default codec.
    #[arg(
        long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = BUILT_IN,
        conflicts_with_all = ["sample", "memory"]
    )]
    manifest: Option<PathBuf>,
    /// Print one object of JSON at the end.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    layers: LayerArgs,
}

/// The word for the manifest inside the program.
const BUILT_IN: &str = "built-in";

/// Largest number of failures to list for each layer.
const MAX_FAILURES: usize = 10;

/// Verifies layer by layer; exit code 1 if anything is wrong.
pub fn run(args: &VerifyArgs) -> Result<ExitCode> {
    check(args).map_err(|error| args.layers.folders.explain(error))
}

fn check(args: &VerifyArgs) -> Result<ExitCode> {
    let (folders, rules) = (&args.layers.folders, args.layers.rules.ruleset()?);
    let tables = folders.open_to_verify(rules)?;
    note_old(&tables);
    let Some(highest) = tables.highest_layer() else {
        return Err(folders.no_tables(rules));
    };
    let seeds = args.seeds.unwrap_or(highest);
    if let Some(file) = &args.manifest {
        return compare(args, &tables, seeds, &manifest(file)?);
    }
    let all_right = match verify(args, &tables, seeds) {
        // Embedded tables take the place of missing lower layers alone.
        Err(error) if seeds <= highest && missing_table(&error).is_some() => {
            let tables = folders.sources(rules).embedded_layers().open()?;
            verify(args, &tables, seeds)?
        }
        result => result?,
    };
    Ok(exit_code(all_right))
}

/// Verifies the layers up to `seeds` and prints the verdicts; whether all are right.
fn verify(args: &VerifyArgs, tables: &Tablebase, seeds: u8) -> Result<bool> {
    let options = VerifyOptions {
        seeds,
        sample: args.sample,
        most: MAX_FAILURES,
        memory: args.layers.memory.limit(),
    };
    let steps = tables.verify_steps(&options);
    // Some for each board of the layers; a sample visits fewer boards once.
    let visits = steps.iter().sum::<u64>() / tables.boards_up_to(seeds);
    let progress = Progress::of_steps(steps, visits.max(1));
    let (mut boards, mut wrong, mut unchecked, mut layers) = (0, 0, 0, Vec::new());
    let mut written = Ok(());
    let verified = tables.verify(&options, &progress, |verdict| {
        // It may be right: a layer below it is not.
        let is_unchecked = verdict.damaged.is_empty() && verdict.boards.is_none();
        unchecked += u32::from(is_unchecked);
        wrong += u32::from(!verdict.is_right() && !is_unchecked);
        boards += verdict.boards.as_ref().map_or(0, |boards| boards.checked);
        layers.push(object(&verdict));
        if written.is_ok() && !args.json {
            progress.suspend(|| written = print_text(&text(tables.rules(), &verdict)));
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
    let kinds = Kind::ALL.iter().copied().filter(|&kind| {
        let has = |layer: u8| tables.table(layer, kind).is_some();
        (0..=seeds).any(has)
    });
    let kinds: Vec<&str> = kinds.map(Kind::as_str).collect();
    let rules = tables.rules().to_string();
    let all_right = wrong + unchecked == 0;
    if args.json {
        print_json(&json!({
            "rules": rules, "right": all_right, "proved": all_right && args.sample.is_none(),
            "boards": boards, "kinds": kinds, "layers": layers,
        }))?;
        return Ok(all_right);
    }
    let layers = layers.len();
    let summary = match (all_right, args.sample) {
        (true, None) => format!("{layers} layers with {} are proved", words(boards)),
        (true, Some(_)) => format!("{layers} layers are consistent in {}", words(boards)),
        _ => format!("{wrong} of {layers} layers not right, {unchecked} not checked"),
    };
    print_text(&format!("{rules}: {summary} ({})\n", kinds.join(", ")))?;
    Ok(all_right)
}

/// The manifest in a file, or the one inside the program.
fn manifest(file: &Path) -> Result<Manifest> {
    if file == Path::new(BUILT_IN) {
        return Ok(Manifest::built_in());
    }
    let name = one_line(&file.display().to_string());
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read the manifest {name}"))?;
    let manifest = Manifest::parse(&text).map_err(Error::msg);
    manifest.with_context(|| format!("{name} is not a manifest"))
}

/// Compares the tables up to `seeds` with a manifest and prints a line for each; exit
/// code 1 if one differs, is damaged or cannot be compared.
fn compare(
    args: &VerifyArgs,
    tables: &Tablebase,
    seeds: u8,
    manifest: &Manifest,
) -> Result<ExitCode> {
    let layers = tables.layers().iter().filter(|&layer| layer <= seeds);
    let found: Vec<&Table> = layers
        .flat_map(|layer| Kind::ALL.iter().map(move |&kind| tables.table(layer, kind)))
        .flatten()
        .collect();
    let entries = found.iter().map(|table| table.stored_entries()).sum();
    let bar = LayerBar::new("comparing", seeds, entries);
    let (mut equal, mut unknown, mut lines) = (0, 0, Vec::new());
    let mut is_right = true;
    for table in found {
        if let Err(error) = table.check_with(&|entries| Observer::advance(&bar, entries)) {
            is_right = false;
            lines.push(error.to_string());
            continue;
        }
        let compared = manifest.compare(table);
        let verdict = match compared {
            ManifestMatch::Equal => "equal".to_owned(),
            ManifestMatch::Differs => "differs from the manifest".to_owned(),
            ManifestMatch::NotListed => "not in the manifest".to_owned(),
            ManifestMatch::OtherCodec => format!(
                "cannot be compared: it has the codec {}, the manifest another",
                table.codec()
            ),
        };
        match compared {
            ManifestMatch::Equal => equal += 1,
            ManifestMatch::NotListed => unknown += 1,
            _ => is_right = false,
        }
        lines.push(format!("{}: {verdict}", table.name().display()));
    }
    for damaged in tables.damaged_tables() {
        is_right = false;
        lines.push(damaged.to_string());
    }
    drop(bar);
    if args.json {
        print_json(&json!({
            "rules": tables.rules().to_string(), "right": is_right, "equal": equal,
            "not_listed": unknown, "tables": lines,
        }))?;
    } else {
        lines.push(format!(
            "{equal} tables are equal, {unknown} are not in the manifest"
        ));
        print_text(&text_of(&lines))?;
    }
    Ok(exit_code(is_right))
}

/// Lines as text.
fn text_of(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("{}\n", one_line(line)));
    lines.collect()
}

/// One line for each failure of a layer.
fn failures(verdict: &Verdict) -> Vec<String> {
    let damaged = verdict.damaged.iter().map(ToString::to_string);
    let boards = verdict.boards.iter().flat_map(|boards| &boards.failures);
    damaged.chain(boards.map(ToString::to_string)).collect()
}

/// A layer for programs.
fn object(verdict: &Verdict) -> Value {
    json!({
        "seeds": verdict.seeds, "right": verdict.is_right(),
        "boards": verdict.boards.as_ref().map(|boards| boards.checked),
        "failing": verdict.boards.as_ref().map(|boards| boards.failing),
        "failures": failures(verdict),
    })
}

/// The failures of a layer, then one line with the verdict.
fn text(rules: Ruleset, verdict: &Verdict) -> String {
    let summary = match (&verdict.boards, verdict.damaged.is_empty()) {
        (Some(boards), _) => result(boards) + &caveat(verdict),
        (None, false) => "boards not checked because tables are damaged".to_owned(),
        (None, true) => {
            "checksums right, boards not checked because a lower layer is damaged".to_owned()
        }
    };
    text_of(&failures(verdict)) + &format!("{rules}, {} seeds: {summary}\n", verdict.seeds)
}

/// The result of checking the boards of a layer.
fn result(boards: &BoardCheck) -> String {
    let (checked, failing) = (boards.checked, boards.failing);
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
