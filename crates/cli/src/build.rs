//! `krou build`: solves layers and writes their tables.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use krou::Ruleset;
use krou::solve::Ranks;
use krou::solve::less_in_control_group;
use krou::solve::{Observer, Silent};
use krou::table::{Codec, Kind, Table, TableId, WriteOptions};
use krou::tablebase::build_on;
use krou::tablebase::{BuildError, BuildOptions, Tablebase};

use crate::args::{MemoryArgs, ThreadArgs, one_of, seconds, seeds};
use crate::build_plan::BuildPlan;
use crate::build_stats::BuildStats;
use crate::folder_args::{OutputFolderArgs, note_old};
use crate::interrupt::{self, on_interrupt};
use crate::messages::{one_line, print_message};
use crate::progress::{LayerBar, Progress};
use crate::ranks::{default_memory, on_ranks};
use crate::rules_args::RulesArgs;

/// Options of `krou build`.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // independent options
pub struct BuildArgs {
    /// Build all layers up to N seeds that are not there yet.
    #[arg(long, short, value_name = "N", value_parser = seeds())]
    seeds: u8,
    /// Leave a layer out: the one below the highest, to which no capture leads.
    ///
    /// In the oware family a capture takes two seeds or more, so boards with 48 seeds never
    /// become boards with 47.
    #[arg(long, value_name = "N", value_parser = seeds())]
    skip: Option<u8>,
    /// Build distances too: plies to the next conversion.
    #[arg(long)]
    distance: bool,
    /// Codec of the tables.
    ///
    /// `small` takes the least space; `packed` is faster to probe and less than
    /// twice as large; `raw` has one byte for each board and is the fastest.
    #[arg(long, value_name = "WORD", default_value_t = WriteOptions::default().codec, value_parser = one_of(Codec::ALL, Codec::as_str))]
    codec: Codec,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Save the layer being solved every SECONDS, 600 if no number is given.
    ///
    /// Checkpoints are written between sweeps into files in the folder of tables,
    /// which are removed when the layer is complete. An interrupted build resumes
    /// from them with or without this option. 0 saves after every sweep.
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds(0..),
        num_args = 0..=1, require_equals = true, default_missing_value = "600"
    )]
    checkpoint: Option<Duration>,
    /// Print what the build will take, and build nothing.
    ///
    /// The layers that are missing, their boards, disk space, memory, and the time, from a
    /// measurement that takes a second.
    #[arg(long, conflicts_with = "stats")]
    plan: bool,
    /// Remove damaged tables first, and build them again.
    ///
    /// The checksums of all tables of the ruleset are compared, up to the layer to build. What
    /// cannot be read stays.
    #[arg(long, conflicts_with = "plan")]
    repair: bool,
    /// Print per-layer timing.
    ///
    /// For values, bounds and distances: boards a second for each core, the share of the
    /// time, sweeps, rounds and changes. With several processes (MPI): the bytes that they
    /// sent.
    #[arg(long)]
    stats: bool,
    /// Print one object of JSON: the tables that were built, or the plan.
    #[arg(long, short, conflicts_with = "stats")]
    json: bool,
    #[command(flatten)]
    tables: OutputFolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Builds the layers that the folder does not have.
pub fn run(args: &BuildArgs) -> Result<ExitCode> {
    on_ranks(|ranks| run_on(ranks, args))
}

/// The memory that a build may use which asks for this much: less if that is all that the limit
/// of its control group leaves.
fn within_control_group(asked: u64, ranks: &dyn Ranks) -> u64 {
    let Some(left) = less_in_control_group(asked) else {
        return asked;
    };
    if ranks.is_first() {
        print_message(&format!(
            "the control group of this process leaves {} MiB of memory, less than --memory asks \
             for: the build uses no more",
            left >> 20
        ));
    }
    left
}

/// Says that tables were kept that have another codec than the one that is asked for.
fn of_other_codecs(tables: &Tablebase, args: &BuildArgs) -> String {
    let asked = args.codec;
    let mut codecs = (tables
        .layers()
        .iter()
        .take_while(|&seeds| seeds <= args.seeds))
    .filter_map(|seeds| Some(tables.table(seeds, Kind::Value)?.codec()));
    match codecs.find(|&codec| codec != asked) {
        Some(codec) => {
            format!(", with the codec {codec}: 'krou repack --codec {asked}' converts them")
        }
        None => String::new(),
    }
}

/// Prints the plan if it is asked for, else what is worth saying before the build.
fn announce(plan: &BuildPlan, args: &BuildArgs, folder: &Path) -> Result<()> {
    if args.plan {
        return plan.print(folder, args.json);
    }
    // Where the folder is not there yet, there is nothing to note.
    if let Ok(tables) = Tablebase::builder(plan.rules())
        .without_embedded()
        .folder(folder)
        .open()
    {
        note_old(&tables);
    }
    if let Some(warning) = plan.warning() {
        print_message(&warning);
    }
    Ok(())
}

/// Removes the tables up to a layer whose content is damaged, and names each.
fn remove_damaged(rules: Ruleset, last: u8, folder: &Path) -> Result<()> {
    for seeds in 0..=last {
        for &kind in Kind::ALL {
            let path = folder.join(TableId { rules, seeds, kind }.file_name());
            if !path.exists() {
                continue;
            }
            let checked = Table::open(&path).and_then(|table| {
                let bar = LayerBar::new("checking", seeds, table.stored_entries());
                table.check_with(&|entries| Observer::advance(&bar, entries))
            });
            if let Err(error) = checked
                && error.fault().is_damage()
            {
                let name = one_line(&path.display().to_string());
                fs::remove_file(&path).with_context(|| format!("{name} cannot be removed"))?;
                print_message(&format!("{name} was damaged, and is removed"));
            }
        }
    }
    Ok(())
}

/// Builds as one of several ranks. The first one speaks for all.
fn run_on(ranks: &Arc<dyn Ranks>, args: &BuildArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let memory = match args.memory.asked() {
        Some(asked) => Some(within_control_group(asked, &**ranks)),
        None => default_memory(&**ranks),
    };
    let options = BuildOptions {
        seeds: args.seeds,
        skip: args.skip,
        distance: args.distance,
        write: args.codec.into(),
        memory,
        checkpoint: args.checkpoint,
    };
    let pool = args.threads.pool()?;
    let folder = args.tables.folder();
    if args.repair && ranks.is_first() {
        pool.install(|| remove_damaged(rules, args.seeds, &folder))?;
    }
    if ranks.is_first() {
        let plan = BuildPlan::new(rules, &folder, &options);
        pool.install(|| announce(&plan, args, &folder))?;
    }
    if args.plan {
        return Ok(ExitCode::SUCCESS);
    }
    let build = |observer: &dyn Observer| {
        pool.install(|| build_on(ranks, rules, &folder, &options, observer))
    };
    if !ranks.is_first() {
        build(&Silent)?;
        if args.stats {
            ranks.numbers(ranks.bytes_sent());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let threads = pool.current_num_threads() * ranks.count();
    let stats = args.stats.then(|| BuildStats::new(threads));
    let mut progress = Progress::build(rules, &options, stats).with_json(args.json);
    // Of several processes, the job manager ends all at once.
    if ranks.count() == 1 {
        progress = progress.with_stop(on_interrupt()?);
    }
    match build(&progress) {
        Err(BuildError::Stopped(_)) => {
            progress.clear();
            print_message(&BuildPlan::new(rules, &folder, &options).interrupted(&folder));
            return Ok(interrupt::exit_code());
        }
        built => built?,
    }
    let sent = args.stats.then(|| ranks.numbers(ranks.bytes_sent()));
    let note = of_other_codecs(
        &Tablebase::builder(rules)
            .without_embedded()
            .folder(&folder)
            .open()?,
        args,
    );
    progress.finish(&folder, &note, &sent.unwrap_or_default());
    Ok(ExitCode::SUCCESS)
}
