//! `krou export`: one layer in the format of another program.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use krou::index::LayerIndex;
use krou::solve::Silent;
use krou::tablebase::{ExchangeError, ExportFormat};

use crate::args::{MemoryArgs, seeds};
use crate::folder_args::FolderArgs;
use crate::messages::one_line;
use crate::progress::LayerBar;
use crate::rules_args::RulesArgs;

/// Options of `krou export`.
#[derive(Args)]
pub struct ExportArgs {
    /// Output format.
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Layer to export: the boards with N seeds.
    #[arg(long, short, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    seeds: u8,
    /// Output file, which is overwritten; - for standard output, with csv only.
    ///
    /// The file appears when it is complete; until then it is named
    /// FILE.krou-partial.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Score database of the Vrije Universiteit, one byte for each board
    Vu,
    /// Array for numpy with boards, values, and distances and bounds if there are any
    Npy,
    /// The same fields as text, one line for each board
    Csv,
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> ExportFormat {
        match format {
            Format::Vu => ExportFormat::Vu,
            Format::Npy => ExportFormat::Npy,
            Format::Csv => ExportFormat::Csv,
        }
    }
}

/// Exports one layer.
pub fn run(args: &ExportArgs) -> Result<ExitCode> {
    export(args).map_err(|error| args.tables.explain(error))
}

fn export(args: &ExportArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let to_stdout = args.out == Path::new("-");
    if to_stdout && !matches!(args.format, Format::Csv) {
        bail!("only csv can be written to standard output: name a file with --out");
    }
    let tables = args.tables.open(rules)?;
    let output = (!to_stdout).then_some(&*args.out);
    let tables = args.memory.limit(tables, output);
    if to_stdout {
        // No bar: the reader of the pipe may use the same terminal.
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        return match tables.write_csv(args.seeds, &mut out, &Silent) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            // Reported like any failure to write to stdout.
            Err(ExchangeError::Output(cause)) => Err(cause.into()),
            Err(error) => Err(error.into()),
        };
    }
    let boards = LayerIndex::new(rules, args.seeds).len();
    let bar = LayerBar::new(
        "exporting",
        args.seeds,
        tables.boards_up_to(args.seeds) + boards,
    );
    let format = args.format.into();
    let bytes = tables.export(args.seeds, format, &args.out, &bar)?;
    drop(bar);
    writeln!(
        io::stdout(),
        "{}: {} boards of {rules} with {} seeds, {}",
        one_line(&args.out.display().to_string()),
        HumanCount(boards),
        args.seeds,
        HumanBytes(bytes)
    )?;
    Ok(ExitCode::SUCCESS)
}
