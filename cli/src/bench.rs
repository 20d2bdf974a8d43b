//! `krou bench`: measures how fast this machine solves, packs and probes a fixed
//! workload. Each figure comes with a check of the results.
//!
//! The work covers one layer and all below it, in this order: solve on one thread
//! and on several (`solving`), write the tables and read them back (`packing`),
//! probe them (`probing`). Figures are reported as they come (`report`); `measure`
//! names them and their targets. The results are checked against the hashes in
//! `golden`, the plain rules, and the step before. With `--codec`, everything is
//! solved once, and packed and probed with each codec.
//!
//! With `--engine`, it measures the search of the engine instead (`search`).

mod golden;
mod measure;
mod packing;
mod probing;
mod report;
mod search;
mod solving;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::solve::{default_memory_limit, memory_wanted};
use krou::table::{Codec, Kind, WriteOptions};
use rayon::ThreadPool;

use crate::args::{THREADS, one_of, seeds, thread_pool, whole_number};
use crate::rules_args::RulesArgs;
use packing::Packing;
use report::Report;
use search::SearchArgs;
use solving::Solved;

/// Options of `krou bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// Layer to measure; all layers below it are solved too.
    ///
    /// Larger layers give steadier figures. 16 seeds take up to half a minute, 20 a
    /// few minutes.
    #[arg(
        long,
        value_name = "N",
        value_parser = seeds(),
        default_value = "16",
        allow_negative_numbers = true
    )]
    seeds: u8,
    /// Number of threads to compare with one [default: one for each core].
    #[arg(long, short, value_name = "T", value_parser = whole_number(THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Measure only packing and probing, with this codec; may be given several times.
    #[arg(long, value_name = "WORD", value_parser = one_of(&Codec::ALL, Codec::word))]
    codec: Vec<Codec>,
    /// Probe tables that were read into memory as a whole.
    ///
    /// `raw` tables are then probed in place, as if they were memory-mapped.
    #[arg(long)]
    in_memory: bool,
    /// Write the layer's values to FILE, to measure other compressors on.
    ///
    /// The file has one byte for each board, in the order of the index.
    #[arg(long, value_name = "FILE")]
    plain: Option<PathBuf>,
    /// Also print the project's targets for each figure.
    #[arg(long)]
    targets: bool,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The workload and its threads.
struct Work {
    rules: Ruleset,
    /// The layer to measure.
    seeds: u8,
    /// Codecs from the command line: then only packing and probing are measured.
    codecs: Option<Vec<Codec>>,
    /// Whether tables are probed in memory.
    in_memory: bool,
    one: ThreadPool,
    all: ThreadPool,
}

/// Each figure is the best of this many runs, because other work on the machine can
/// only slow a run down.
const RUNS: usize = 3;

/// Whether the results were right; if not, a sentence about what was wrong.
type Check = Result<(), String>;

/// Measures everything; exit code 1 if a result was wrong.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    if args.search.engine {
        return search::measure(&args.search, args.json);
    }
    let work = Work {
        rules: args.rules.ruleset()?,
        seeds: args.seeds,
        codecs: Some(args.codec.clone()).filter(|codecs| !codecs.is_empty()),
        in_memory: args.in_memory,
        one: thread_pool(Some(1))?,
        all: thread_pool(args.threads)?,
    };
    check_memory(&work)?;
    let folder = tempfile::Builder::new().prefix("krou-bench-").tempdir();
    let folder =
        folder.context("cannot create a temporary folder (set TMPDIR to use another place)")?;
    // Created before the work, so that an error is reported at once.
    let plain = args
        .plain
        .as_ref()
        .map(|path| File::create(path).with_context(|| format!("cannot write {}", path.display())));
    let plain = plain.transpose()?;
    let mut report = Report::new(&work, args.json, args.targets)?;
    let solved = match work.codecs {
        None => solving::measure(&work, &mut report)?,
        Some(_) => solving::once(&work, &mut report)?,
    };
    if let (Some(file), Some(path)) = (plain, &args.plain) {
        write_plain(&solved, file).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut packing = Packing::new(&work, &solved)?;
    for codec in work.codecs() {
        let folder = folder.path().join(codec.word());
        fs::create_dir(&folder)?;
        packing.measure(codec, &folder, &mut report)?;
        probing::measure(&work, &solved, codec, &folder, &mut report)?;
        // Tables of large layers take much disk space.
        fs::remove_dir_all(&folder)?;
    }
    report.finish()
}

impl Work {
    /// The codecs to measure: those of the command line, or the default codec.
    fn codecs(&self) -> Vec<Codec> {
        let default = || vec![WriteOptions::default().codec];
        self.codecs.clone().unwrap_or_else(default)
    }
}

/// Writes the values of the highest layer, one byte for each board.
fn write_plain(solved: &Solved, file: File) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let values = solved.last().value();
    let (all, mut bytes) = (values.index().len(), vec![0; 1 << 16]);
    for start in (0..all).step_by(bytes.len()) {
        let left = usize::try_from(all - start).unwrap_or(usize::MAX);
        let bytes = &mut bytes[..left.min(1 << 16)];
        let copied = values.copy_out(start, bytes, |value| value.get().cast_unsigned());
        copied.map_err(io::Error::other)?;
        out.write_all(bytes)?;
    }
    out.flush()
}

fn check_memory(work: &Work) -> Result<()> {
    // Packing holds all layers, and a solver with the same layers.
    let kinds = match work.codecs {
        None => &Kind::ALL[..],
        Some(_) => &[Kind::Value, Kind::Bounds],
    };
    let solve = memory_wanted(work.rules, work.seeds, kinds);
    let needed = solve.max(packing::memory(work));
    match default_memory_limit() {
        Some(free) if needed > free => bail!(
            "measuring {} seeds needs {} MiB of memory, but only {} MiB are free: \
             choose fewer with --seeds",
            work.seeds,
            needed.div_ceil(1 << 20),
            free >> 20
        ),
        _ => Ok(()),
    }
}
