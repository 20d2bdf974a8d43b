//! `krou compare`: compares a file of the published score database with the tables.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::tablebase::ScoreComparison;
use krou::tablebase::Tablebase;
use serde_json::json;

use crate::args::{seeds, whole_number};
use crate::boards::signed;
use crate::layer_args::LayerArgs;
use crate::messages::{boards as words, exit_code, one_line, print_json, print_text};
use crate::progress::LayerBar;

/// Options of `krou compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// File to compare with the tables.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of the file.
    #[arg(long, value_name = "FORMAT", default_value = "vu")]
    format: ScoreFileFormat,
    /// Layer of the file: the boards with N seeds.
    #[arg(long, short, value_name = "N", value_parser = seeds())]
    seeds: u8,
    /// Maximum number of differences to list.
    #[arg(
        long, value_name = "K", value_parser = whole_number(1_usize..=1_000_000), default_value = "10"
    )]
    limit: usize,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    layers: LayerArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoreFileFormat {
    /// Score database of the Vrije Universiteit, one byte for each board
    Vu,
}

/// Compares a file with one layer; exit code 1 if they differ.
pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let command = |tables: &Tablebase| compare(args, tables);
    args.layers.run(Some(args.seeds), None, command)
}

fn compare(args: &CompareArgs, tables: &Tablebase) -> Result<ExitCode> {
    let (rules, seeds) = (tables.rules(), args.seeds);
    let boards = LayerIndex::new(rules, seeds).len() + tables.boards_up_to(seeds);
    let bar = LayerBar::new("comparing", seeds, boards);
    let comparison = match args.format {
        ScoreFileFormat::Vu => tables.compare(seeds, &args.file, args.limit, &bar)?,
    };
    drop(bar);
    if args.json {
        let first = comparison.first.iter().map(|found| {
            json!({
                "board": found.board.pits(), "offset": found.offset,
                "ours": found.ours, "theirs": found.theirs,
            })
        });
        print_json(&json!({
            "file": args.file.display().to_string(), "rules": rules.to_string(), "seeds": seeds,
            "boards": comparison.boards, "differing": comparison.differing,
            "first": first.collect::<Vec<_>>(),
        }))?;
    } else {
        let file = one_line(&args.file.display().to_string());
        let text = text(&file, &comparison);
        print_text(&format!("{rules}, {seeds} seeds: {text}"))?;
    }
    Ok(exit_code(comparison.differing == 0))
}

/// The result for people.
fn text(file: &str, comparison: &ScoreComparison) -> String {
    let (boards, differing) = (words(comparison.boards), comparison.differing);
    if differing == 0 {
        return format!("{file} agrees for {boards}\n");
    }
    let mut text = format!("{file} differs in {} of {boards}", HumanCount(differing));
    text += &match comparison.first.len() {
        shown if shown as u64 == differing => "\n".to_owned(),
        1 => "; the first:\n".to_owned(),
        shown => format!("; the first {shown}:\n"),
    };
    text += &format!("{:>14} {:>5} {:>7}  board\n", "offset", "ours", "theirs");
    for found in &comparison.first {
        let (ours, theirs) = (signed(found.ours), signed(found.theirs));
        let board = found.board.to_string();
        let _ = writeln!(text, "{:>14} {ours:>5} {theirs:>7}  {board}", found.offset);
    }
    text
}
