//! `krou index` and `krou fetch`: tables for web hosts, and from them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::HumanBytes;
use krou::rules::MAX_SEEDS;
use krou::table::{INDEX_NAME, IndexedTable, Kind, Table, TableId, TableIndex, table_files};

use crate::args::whole_number;
use crate::folder_args::{OutputFolderArgs, host};
use crate::interrupt::{self, on_interrupt};
use crate::manifest::{Manifest, ManifestMatch};
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
    #[command(flatten)]
    folder: OutputFolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Downloads tables that are not there yet.
pub fn fetch(args: &FetchArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let folder = args.folder.folder();
    let stop = on_interrupt()?;
    let kinds = Kind::of(rules, args.distance);
    let layer = |seeds| {
        kinds
            .iter()
            .map(move |&kind| TableId { rules, seeds, kind })
    };
    let ids: Vec<TableId> = (0..=args.seeds).flat_map(layer).collect();
    let host = host(&args.from, args.insecure);
    let listed = host.index()?.tables;
    let wanted = listed
        .iter()
        .filter(|table| ids.iter().any(|id| id.file_name() == table.name));
    let bytes = wanted.map(|table| table.bytes).sum();
    let bar = LayerBar::of_steps(BYTES, bytes);
    let done = host.download(&ids, &folder, &|bytes| bar.advance(bytes), stop)?;
    drop(bar);
    let shown = one_line(&folder.display().to_string());
    if !done {
        print_note(&format!(
            "interrupted: the same command goes on; finished tables are in {shown}"
        ));
        return Ok(interrupt::exit_code());
    }
    let (count, bytes) = (ids.len(), HumanBytes(bytes));
    let proof = compared(&folder, &ids, &listed)?;
    print_note(&format!(
        "{count} tables in {shown}, {bytes} together, have the sums of the host's index{proof}"
    ));
    Ok(ExitCode::SUCCESS)
}

/// What the manifest inside the program says about tables; an error if it contradicts.
fn compared(folder: &Path, ids: &[TableId], listed: &[IndexedTable]) -> Result<String> {
    let manifest = Manifest::built_in();
    let mut equal = 0;
    for id in ids {
        let path = folder.join(id.file_name());
        let table = Table::open(&path)?;
        let listed = listed.iter().find(|listed| listed.name == id.file_name());
        let sum = listed.map(|listed| &*listed.sha256);
        let has_sum = manifest
            .sha256(&table)
            .is_none_or(|known| Some(known) == sum);
        match manifest.compare(&table) {
            ManifestMatch::Equal if has_sum => equal += 1,
            ManifestMatch::Equal | ManifestMatch::Differs => bail!(
                "{} is not what a build writes: remove it, and do not trust the host",
                one_line(&path.display().to_string())
            ),
            ManifestMatch::OtherCodec | ManifestMatch::NotListed => {}
        }
    }
    Ok(match equal {
        0 => String::new(),
        equal => format!("; {equal} are equal to those that a build writes"),
    })
}
