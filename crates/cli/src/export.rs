//! `krou export`: one layer in the format of another program.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use krou::index::LayerIndex;
use krou::solve::Silent;
use krou::tablebase::ExportFormat;
use krou::tablebase::Tablebase;
use serde_json::json;

use crate::args::seeds;
use crate::layer_args::LayerArgs;
use crate::messages::{one_line, print_json, print_text};
use crate::progress::LayerBar;

/// Options of `krou export`.
#[derive(Args)]
pub struct ExportArgs {
    /// Output format.
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Layer to export: the boards with N seeds.
    #[arg(long, short, value_name = "N", value_parser = seeds())]
    seeds: u8,
    /// Output file, which is overwritten; - for standard output, with csv only.
    ///
    /// The file appears when it is complete; until then it is named
    /// FILE.krou-partial.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Print what was written as JSON.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    layers: LayerArgs,
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

/// Exports one layer.
pub fn run(args: &ExportArgs) -> Result<ExitCode> {
    let to_stdout = args.out == Path::new("-");
    if to_stdout && (args.json || !matches!(args.format, Format::Csv)) {
        bail!("only csv can be written to standard output: name a file with --out");
    }
    let output = (!to_stdout).then_some(&*args.out);
    let command = |tables: &Tablebase| match output {
        Some(file) => export(args, tables, file),
        None => print_csv(args, tables),
    };
    args.layers.run(Some(args.seeds), output, command)
}

/// Exports to stdout without a bar: the reader of the pipe may use the same terminal.
fn print_csv(args: &ExportArgs, tables: &Tablebase) -> Result<ExitCode> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    tables.write_csv(args.seeds, &mut out, &Silent)?;
    Ok(ExitCode::SUCCESS)
}

fn export(args: &ExportArgs, tables: &Tablebase, file: &Path) -> Result<ExitCode> {
    let (rules, seeds) = (tables.rules(), args.seeds);
    let boards = LayerIndex::new(rules, seeds).len();
    let bar = LayerBar::new("exporting", seeds, tables.boards_up_to(seeds) + boards);
    let format = match args.format {
        Format::Vu => ExportFormat::Vu,
        Format::Npy => ExportFormat::Npy,
        Format::Csv => ExportFormat::Csv,
    };
    let bytes = tables.export(seeds, format, file, &bar)?;
    drop(bar);
    if args.json {
        print_json(&json!({
            "file": file.display().to_string(), "rules": rules.to_string(), "seeds": seeds,
            "boards": boards, "bytes": bytes,
        }))?;
    } else {
        print_text(&format!(
            "{}: {} boards of {rules} with {seeds} seeds, {}\n",
            one_line(&file.display().to_string()),
            HumanCount(boards),
            HumanBytes(bytes)
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
