//! `krou compare`: compares a file of the published score database with the tables.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::tablebase::ScoreComparison;

use crate::args::{MemoryArgs, seeds, whole_number};
use crate::boards::signed;
use crate::folder_args::FolderArgs;
use crate::messages::{boards as words, exit_code, one_line};
use crate::progress::LayerBar;
use crate::rules_args::RulesArgs;

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
    #[arg(long, short, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    seeds: u8,
    /// Maximum number of differences to list.
    #[arg(
        long, value_name = "K", value_parser = whole_number(1_usize..=1_000_000), default_value = "10",
        allow_negative_numbers = true
    )]
    most: usize,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoreFileFormat {
    /// Score database of the Vrije Universiteit, one byte for each board
    Vu,
}

/// Compares a file with one layer; exit code 1 if they differ.
pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    compare(args).map_err(|error| args.tables.explain(error))
}

fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.memory.limit(args.tables.open(rules)?, None);
    let boards = LayerIndex::new(rules, args.seeds).len() + tables.boards_up_to(args.seeds);
    let bar = LayerBar::new("comparing", args.seeds, boards);
    let comparison = match args.format {
        ScoreFileFormat::Vu => tables.compare(args.seeds, &args.file, args.most, &bar)?,
    };
    drop(bar);
    let file = one_line(&args.file.display().to_string());
    let mut out = io::stdout().lock();
    write!(out, "{rules}, {} seeds: ", args.seeds)?;
    print(&mut out, &file, &comparison)?;
    out.flush()?;
    Ok(exit_code(comparison.differing == 0))
}

fn print(out: &mut impl Write, file: &str, comparison: &ScoreComparison) -> io::Result<()> {
    let ScoreComparison {
        boards,
        differing,
        first,
        ..
    } = comparison;
    if *differing == 0 {
        return writeln!(out, "{file} agrees for {}", words(*boards));
    }
    let differing_words = HumanCount(*differing);
    write!(
        out,
        "{file} differs in {differing_words} of {}",
        words(*boards)
    )?;
    match first.len() {
        shown if shown as u64 == *differing => writeln!(out)?,
        1 => writeln!(out, "; the first:")?,
        shown => writeln!(out, "; the first {shown}:")?,
    }
    writeln!(out, "{:>14} {:>5} {:>7}  board", "offset", "ours", "theirs")?;
    for difference in first {
        writeln!(
            out,
            "{:>14} {:>5} {:>7}  {}",
            difference.offset,
            signed(difference.ours),
            signed(difference.theirs),
            difference.board.notation()
        )?;
    }
    Ok(())
}
