//! `krou bench`: how fast this machine solves, packs and probes, on fixed work,
//! each figure with a check that the answers were right.
//!
//! The work on one layer and all below it, in this order: solve on one thread
//! and on several (`solving`), write the tables and read them back (`packing`),
//! probe them (`probing`). Figures are told as they come (`report`), beside what
//! they are to reach (`measure`). What is right is known from `golden`, from the
//! plain rules, and from each step agreeing with the one before.

mod golden;
mod measure;
mod packing;
mod probing;
mod report;
mod solving;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::solve::memory_wanted;
use rayon::ThreadPool;

use crate::rules_args::RulesArgs;
use crate::seeds::{parse_seeds, parse_threads};
use crate::system::{memory_to_use, thread_pool};
use report::Report;

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
        one: thread_pool(Some(1))?,
        all: thread_pool(args.threads)?,
    };
    check_memory(&work)?;
    let folder = tempfile::Builder::new().prefix("krou-bench-").tempdir();
    let folder = folder.context("cannot make a temporary folder (TMPDIR names another place)")?;
    let mut report = Report::new(&work, args.json)?;
    let solved = solving::measure(&work, &mut report)?;
    packing::measure(&work, &solved, folder.path(), &mut report)?;
    probing::measure(&work, &solved, folder.path(), &mut report)?;
    report.finish()
}

fn check_memory(work: &Work) -> Result<()> {
    let needed = memory_wanted(work.rules, work.seeds, true);
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
