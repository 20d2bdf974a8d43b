//! `krou index` and `krou fetch`: tables for web hosts, and from them.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::HumanBytes;
use krou::rules::MAX_SEEDS;
use krou::table::{INDEX_NAME, Kind, TableId, TableIndex, table_files};
use krou::tablebase::Downloaded;

use crate::args::whole_number;
use crate::folder_args::{OutputFolderArgs, can_ask_hosts, host};
use crate::interrupt::{self, unless_interrupted};
use crate::messages::{one_line, print_message, print_note};
use crate::progress::LayerBar;
use crate::rules_args::RulesArgs;

/// Bytes that have been read, of all.
const BYTES: &str = "{msg} [{wide_bar}] {bytes} of {total_bytes}, {eta} left";

/// Options of `krou index`.
#[derive(Args)]
pub struct IndexArgs {
    /// Folder of tables.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the index of a folder.
pub fn index(args: &IndexArgs) -> Result<ExitCode> {
    let folder = &args.folder;
    let shown = one_line(&folder.display().to_string());
    let files = table_files(folder).with_context(|| format!("cannot read {shown}"))?;
    let sizes = files
        .iter()
        .filter_map(|file| Some(file.metadata().ok()?.len()));
    let bar = LayerBar::of_steps(BYTES, sizes.sum());
    let (index, damaged) = TableIndex::of_folder(folder, &mut |bytes| bar.advance(bytes))?;
    drop(bar);
    for error in &damaged {
        print_message(&format!("warning: {error}; the index leaves it out"));
    }
    if index.tables.is_empty() {
        bail!("{shown} has no tables: build some with 'krou build --seeds N --dir DIR'");
    }
    index
        .write(folder)
        .with_context(|| format!("cannot write {shown}/{INDEX_NAME}"))?;
    let bytes = index.tables.iter().map(|table| table.bytes).sum();
    let (count, bytes) = (index.tables.len(), HumanBytes(bytes));
    print_note(&format!(
        "{shown}/{INDEX_NAME} lists {count} tables of {bytes} together"
    ));
    Ok(ExitCode::from(u8::from(!damaged.is_empty())))
}

/// Options of `krou fetch`.
#[derive(Args)]
pub struct FetchArgs {
    /// Fetch the layers up to this number of seeds.
    #[arg(long, short, value_name = "N", value_parser = whole_number(0..=MAX_SEEDS))]
    seeds: u8,
    /// Fetch the tables of distances too.
    #[arg(long)]
    distance: bool,
    /// Address of the folder on a web host, such as `https://example.org/tables/`.
    #[arg(long, value_name = "URL")]
    from: String,
    /// Allow plain http to other machines, by which anybody on the way can alter tables.
    #[arg(long)]
    insecure: bool,
    /// Accept tables whose sums krou does not know: nothing but the host vouches for them, until
    /// 'krou verify' proves them.
    #[arg(long)]
    trust_host: bool,
    #[command(flatten)]
    folder: OutputFolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Downloads tables that are not there yet.
pub fn fetch(args: &FetchArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let folder = args.folder.folder();
    let kinds = Kind::of(rules, args.distance);
    let layer = |seeds| {
        kinds
            .iter()
            .map(move |&kind| TableId { rules, seeds, kind })
    };
    let ids: Vec<TableId> = (0..=args.seeds).flat_map(layer).collect();
    can_ask_hosts()?;
    let mut host = host(&args.from, args.insecure);
    if args.trust_host {
        host = host.trusted();
    }
    let (count, shown) = (ids.len(), one_line(&folder.display().to_string()));
    let done = unless_interrupted(move || {
        let bar = OnceLock::new();
        host.download(&ids, &folder, &|bytes, all| {
            let bar: &LayerBar = bar.get_or_init(|| LayerBar::of_steps(BYTES, all));
            bar.advance(bytes);
        })
    })?;
    let Some(done) = done else {
        // The bar is still there.
        if io::stderr().is_terminal() {
            print_note("");
        }
        print_note(&format!(
            "interrupted: the same command goes on; finished tables are in {shown}"
        ));
        return Ok(interrupt::exit_code());
    };
    let Downloaded { bytes, proved, .. } = done?;
    let bytes = HumanBytes(bytes);
    let proof = match proved == count {
        true => "the sums of those that a build writes",
        false => "the sums of the host's index: 'krou verify' proves what they say",
    };
    print_note(&format!(
        "{count} tables in {shown}, {bytes} together, have {proof}"
    ));
    Ok(ExitCode::SUCCESS)
}
