//! `krou build`: solves layers and writes their tables.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use krou::table::{Codec, WriteOptions};
use krou::tablebase::{BuildOptions, build};

use crate::build_stats::BuildStats;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::value_parsers::{parse_codec, parse_seconds, parse_seeds, parse_size, parse_threads};
use crate::system::{memory_to_use, thread_pool};
use crate::folder_args::FolderArgs;

/// Options of `krou build`.
#[derive(Args)]
pub struct BuildArgs {
    /// Build every layer from 0 to N seeds that is not there yet.
    #[arg(long, value_name = "N", value_parser = parse_seeds, allow_negative_numbers = true)]
    seeds: u8,
    /// Build distances too: how many plies to the next capture.
    #[arg(long)]
    distance: bool,
    /// How tables are packed: small, packed, zstd or raw.
    ///
    /// Small takes the least space; packed is probed faster and takes less than
    /// twice as much; raw is a byte for each board, and probed fastest.
    #[arg(long, value_name = "WORD", default_value_t = WriteOptions::default().codec, value_parser = parse_codec)]
    codec: Codec,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The most memory to use, such as 8G [default: most of what is free].
    ///
    /// What does not fit is kept in scratch files in the folder of tables, and
    /// the build takes longer.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Save the layer at work every so often, so that a build that is stopped
    /// need not begin it anew [every 600 seconds, unless another number is named].
    ///
    /// It is saved between two sweeps, into files in the folder of tables that
    /// are removed when the layer is done. A build goes on from what was saved
    /// whether it has this option or not. 0 saves after every sweep.
    #[arg(
        long, value_name = "SECONDS", value_parser = parse_seconds,
        num_args = 0..=1, require_equals = true, default_missing_value = "600"
    )]
    checkpoint: Option<Duration>,
    /// Tell of each layer how fast it was solved and packed, in how many sweeps,
    /// and where the time went.
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Builds what the folder lacks.
pub fn run(args: &BuildArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let options = BuildOptions {
        seeds: args.seeds,
        distance: args.distance,
        write: args.codec.into(),
        memory: args.memory.or_else(memory_to_use),
        checkpoint: args.checkpoint,
    };
    let pool = thread_pool(args.threads)?;
    let progress = Progress::build(rules, &options);
    let folder = args.tables.folder();
    if args.stats {
        let stats = BuildStats::new(&progress, pool.current_num_threads());
        pool.install(|| build(rules, &folder, &options, &stats))?;
        stats.finish();
    } else {
        pool.install(|| build(rules, &folder, &options, &progress))?;
    }
    progress.finish(&folder);
    Ok(ExitCode::SUCCESS)
}
