//! `krou bench`: how fast this machine solves, packs and probes, on fixed work,
//! each figure with a check that the answers were right.
//!
//! The work on one layer and all below it, in this order: solve on one thread
//! and on several (`solving`), write the tables and read them back (`packing`),
//! probe them (`probing`). Figures are told as they come (`report`), beside what
//! they are to reach (`measure`). What is right is known from `golden`, from the
//! plain rules, and from each step agreeing with the one before. Where codecs are
//! named, everything is solved once, and packed and probed with each of them.

mod golden;
mod measure;
mod packing;
mod probing;
mod report;
mod solving;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::solve::memory_wanted;
use krou::table::{Codec, WriteOptions};
use rayon::ThreadPool;

use crate::rules_args::RulesArgs;
use crate::seeds::{parse_codec, parse_seeds, parse_threads};
use crate::system::{memory_to_use, thread_pool};
use packing::Packing;
use report::Report;
use solving::Solved;

/// Options of `krou bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// The layer to measure; those below it are solved too. The larger, the
    /// steadier the figures: 16 takes half a minute at most, 20 a few minutes.
    #[arg(
        long,
        value_name = "N",
        value_parser = parse_seeds,
        default_value = "16",
        allow_negative_numbers = true
    )]
    seeds: u8,
    /// Threads to compare with one [default: one for each core].
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Measure packing and probing only, with this codec: small, packed, zstd or
    /// raw. May be given several times.
    #[arg(long, value_name = "WORD", value_parser = parse_codec)]
    codec: Vec<Codec>,
    /// Probe tables that are read into memory as a whole before.
    ///
    /// Raw ones are then read in place, as mapped ones are.
    #[arg(long)]
    in_memory: bool,
    /// Also write the layer's values into FILE, a byte for each board in the order of
    /// the index, for other compressors to be measured on.
    #[arg(long, value_name = "FILE")]
    plain: Option<PathBuf>,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

/// What is measured, and on what threads.
struct Work {
    rules: Ruleset,
    /// The layer whose figures are taken.
    seeds: u8,
    /// The codecs that packing and probing are measured with; nothing else is if
    /// they are named.
    codecs: Option<Vec<Codec>>,
    /// Whether tables are in memory when they are probed.
    in_memory: bool,
    one: ThreadPool,
    all: ThreadPool,
}

/// Each figure is the best of so many runs: other work on the machine can only make
/// a run slower.
const RUNS: usize = 3;

/// Whether answers were right and, if not, what was wrong, as a sentence.
type Check = Result<(), String>;

/// Measures everything; exit code 1 if an answer was wrong.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
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
    let folder = folder.context("cannot make a temporary folder (TMPDIR names another place)")?;
    // Found out before the work rather than after it.
    let plain = args
        .plain
        .as_ref()
        .map(|path| File::create(path).with_context(|| format!("cannot write {}", path.display())));
    let plain = plain.transpose()?;
    let mut report = Report::new(&work, args.json)?;
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
        // Raw tables of large layers are large.
        fs::remove_dir_all(&folder)?;
    }
    report.finish()
}

impl Work {
    /// The codecs to measure with: those named, else the one that tables have
    /// unless another is named.
    fn codecs(&self) -> Vec<Codec> {
        let unless_named = || vec![WriteOptions::default().codec];
        self.codecs.clone().unwrap_or_else(unless_named)
    }
}

/// Writes the values of the highest layer, a byte for each board.
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
    // Packing holds what was solved and a solver with the same.
    let solve = memory_wanted(work.rules, work.seeds, work.codecs.is_none());
    let needed = solve.max(packing::memory(work));
    match memory_to_use() {
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
