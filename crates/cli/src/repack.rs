//! `krou repack`: converts a folder of tables to another codec.

use std::process::ExitCode;

use anyhow::{Error, Result};
use clap::Args;
use indicatif::HumanBytes;
use krou::table::{Codec, WriteOptions};
use krou::tablebase::{BuildError, Tablebase};
use krou::tablebase::{RepackOptions, repack};
use serde_json::json;

use crate::args::{MemoryArgs, ThreadArgs, one_of};
use crate::folder_args::{FolderArgs, OutputFolderArgs};
use crate::interrupt::{self, on_interrupt};
use crate::messages::{one_line, print_json, print_message, print_note};
use crate::progress::Progress;
use crate::rules_args::RulesArgs;

/// Options of `krou repack`.
#[derive(Args)]
pub struct RepackArgs {
    /// New codec of the tables.
    #[arg(long, value_name = "WORD", value_parser = one_of(Codec::ALL, Codec::as_str))]
    codec: Codec,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Print what was done as JSON.
    #[arg(long, short)]
    json: bool,
    #[command(flatten)]
    tables: OutputFolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Repacks the tables of the folder.
pub fn run(args: &RepackArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let folder = args.tables.folder();
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(&folder)
        .open()?;
    if tables.highest_layer().is_none() {
        return Err(FolderArgs::at([folder]).no_tables(rules));
    }
    let options = RepackOptions {
        write: WriteOptions {
            check: true,
            ..args.codec.into()
        },
        memory: args.memory.limit(),
    };
    let steps = tables.repack_steps(&options.write);
    let progress = Progress::of_steps(steps, 1)
        .with_json(args.json)
        .with_stop(on_interrupt()?);
    drop(tables);
    let repacked = args
        .threads
        .pool()?
        .install(|| repack(rules, &folder, &options, &progress));
    progress.clear();
    if let Err(BuildError::Stopped(_)) = repacked {
        let folder = one_line(&folder.display().to_string());
        print_message(&format!(
            "interrupted: each table in {folder} is whole, in its old codec or as {}; the same \
             command goes on",
            args.codec
        ));
        return Ok(interrupt::exit_code());
    }
    let explain = |error| FolderArgs::at([folder.clone()]).explain(Error::new(error));
    let done = repacked.map_err(explain)?;
    if args.json {
        print_json(&json!({
            "rules": rules.to_string(), "folder": folder.display().to_string(),
            "codec": args.codec.as_str(), "tables": done.tables, "kept": done.kept,
            "bytes_before": done.bytes_before, "bytes": done.bytes,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (codec, folder) = (args.codec, one_line(&folder.display().to_string()));
    let summary = match done.tables {
        0 => format!(
            "nothing to do: every table in {folder} has the codec {codec}; 'krou verify' checks them"
        ),
        tables => format!(
            "{tables} {} in {folder} repacked as {codec} and read back, {} kept: {} before, {} now",
            if tables == 1 { "table" } else { "tables" },
            done.kept,
            HumanBytes(done.bytes_before),
            HumanBytes(done.bytes)
        ),
    };
    print_note(&summary);
    Ok(ExitCode::SUCCESS)
}
