//! `krou repack`: changes a folder of tables from one codec to another.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use indicatif::HumanBytes;
use krou::table::{Codec, WriteOptions};
use krou::tablebase::{RepackOptions, Tablebase, repack};

use crate::one_line;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::value_parsers::{parse_codec, parse_size, parse_threads};
use crate::system::{memory_to_use, thread_pool};
use crate::folder_args::FolderArgs;

/// Options of `krou repack`.
#[derive(Args)]
pub struct RepackArgs {
    /// How tables are to be packed: small, packed, zstd or raw.
    #[arg(long, value_name = "WORD", value_parser = parse_codec)]
    codec: Codec,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The most memory to use, such as 8G [default: most of what is free].
    ///
    /// What does not fit is kept in scratch files in the folder of tables.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Repacks the tables of the folder.
pub fn run(args: &RepackArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let folder = args.tables.folder();
    let tables = Tablebase::open(rules, &[&folder])?;
    if tables.layers().next().is_none() {
        bail!(
            "there are no tables for {rules} in {}: build them with 'krou build --rules {rules} --seeds 12'",
            folder.display()
        );
    }
    let options = RepackOptions {
        write: WriteOptions {
            check: true,
            ..args.codec.into()
        },
        memory: args.memory.or_else(memory_to_use),
    };
    let progress = Progress::of_steps(tables.repack_steps(&options.write));
    drop(tables);
    let pool = thread_pool(args.threads)?;
    let repacked = pool.install(|| repack(rules, &folder, &options, &progress));
    progress.clear();
    let done = repacked?;
    let (codec, folder) = (args.codec, one_line(&folder.display().to_string()));
    let words = match done.tables {
        0 => format!("nothing to do: every table in {folder} is {codec} already"),
        tables => format!(
            "{tables} {} in {folder} repacked as {codec} and checked, {} kept: {} before, {} now",
            if tables == 1 { "table" } else { "tables" },
            done.kept,
            HumanBytes(done.bytes_before),
            HumanBytes(done.bytes)
        ),
    };
    // The tables are there, whether anybody hears of it or not.
    let _ = writeln!(io::stderr(), "{words}");
    Ok(ExitCode::SUCCESS)
}
