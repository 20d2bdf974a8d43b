//! `krou dataset`: boards with what tables say of them, for programs that learn, in a folder of
//! its own.
//!
//! - `sample`: which boards: some drawn uniformly from their layer, some from games;
//! - `games`: the boards that games go through;
//! - `facts`: what the tables say of a board;
//! - `output`, `npz`: the files;
//! - `baselines`: how well simple players do on the test boards;
//! - `card`: the README of the folder.
//!
//! Everything follows from the options: neither time nor the number of threads changes a byte.

mod baselines;
mod card;
mod facts;
mod games;
mod npz;
mod output;
mod sample;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use crate::args::{check_layers, layers, whole_number};
use crate::files::{check_writable, has_entries, write_folder};
use crate::folder_args::FolderArgs;
use crate::interrupt::{self, on_interrupt};
use crate::messages::{one_line, print_text};
use crate::progress::LayerBar;
use crate::rules_args::RulesArgs;
use crate::small_layers::complete;

use baselines::PlayerScore;
use card::Card;
use facts::{BoardFacts, facts_of};
use output::{Columns, DatasetFormat};
use sample::boards_of_layers;

/// Boards whose tables are asked at a time, between two looks at Ctrl-C.
const BATCH: usize = 1 << 14;

/// Options of `krou dataset`.
#[derive(Args)]
pub struct DatasetArgs {
    /// Layers: the boards with A to B seeds, both included; at least two layers.
    ///
    /// The highest fifth of the layers, at least one, is for the test, the others are to train
    /// with. No move leads from a board to train with to one for the test.
    #[arg(
        long, short, value_name = "A..B", default_value = "3..9", value_parser = layers,
        allow_hyphen_values = true
    )]
    seeds: RangeInclusive<u8>,
    /// Boards of each layer: half of them drawn uniformly, the others from games; fewer where
    /// a layer or the games have no more.
    #[arg(
        long, short, value_name = "N", default_value_t = 1000,
        value_parser = whole_number(2..=1_000_000_usize)
    )]
    count: usize,
    /// Seed of all random choices: the same seed gives the same files.
    #[arg(
        long, value_name = "S", default_value_t = 1,
        value_parser = whole_number(0..=u64::MAX)
    )]
    seed: u64,
    /// Folder to write, which must be new or empty. It appears when it is complete.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Format of the boards.
    #[arg(long, value_name = "FORMAT", default_value = "npz")]
    format: DatasetFormat,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Writes a data set, unless Ctrl-C comes first.
pub fn run(args: &DatasetArgs) -> Result<ExitCode> {
    if args.seeds.start() == args.seeds.end() {
        bail!("a data set needs two layers at least, such as --seeds 3..9: one is for the test");
    }
    let shown = one_line(&args.out.display().to_string());
    if has_entries(&args.out)? {
        bail!("{shown} is not empty: name another folder");
    }
    check_writable(&args.out)?;
    let mut tables = args.tables.sources(args.rules.ruleset()?).open()?;
    complete(&args.tables, &mut tables, Some(*args.seeds.end()));
    args.tables.run(&tables, |tables| {
        let stop = on_interrupt()?;
        let Some(parts) = parts(args, tables, stop)? else {
            return Ok(interrupt::exit_code());
        };
        let baselines = baselines::measure(tables.rules(), &parts.test, stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(interrupt::exit_code());
        }
        let files = files(args, tables.rules(), &parts, &baselines);
        let context = || format!("cannot write {shown}");
        write_folder(&args.out, &files).with_context(context)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        print_text(&format!("wrote {} to {shown}\n", names.join(", ")))?;
        Ok(ExitCode::SUCCESS)
    })
}

/// The boards of a data set with what is known of them.
struct Parts {
    train: Vec<BoardFacts>,
    test: Vec<BoardFacts>,
}

/// Finds boards and asks the tables; `None` after Ctrl-C.
fn parts(args: &DatasetArgs, tables: &Tablebase, stop: &AtomicBool) -> Result<Option<Parts>> {
    check_layers(tables, args.seeds.clone())?;
    let layers = boards_of_layers(tables.rules(), &args.seeds, args.count, args.seed, stop);
    let count = layers.iter().map(Vec::len).sum::<usize>();
    let bar = LayerBar::of_steps("[{wide_bar}] {pos} of {len} boards", count as u64);
    let (mut train, mut test) = (Vec::new(), Vec::new());
    let first_for_test = first_for_test(&args.seeds);
    for (seeds, layer) in args.seeds.clone().zip(&layers) {
        let part = match seeds < first_for_test {
            true => &mut train,
            false => &mut test,
        };
        for batch in layer.chunks(BATCH) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            part.extend(facts_of(tables, batch)?);
            bar.advance(batch.len() as u64);
        }
    }
    Ok(Some(Parts { train, test }))
}

/// The names and bytes of the files.
fn files(
    args: &DatasetArgs,
    rules: Ruleset,
    parts: &Parts,
    baselines: &[PlayerScore],
) -> Vec<(String, Vec<u8>)> {
    let mut all = parts.train.iter().chain(&parts.test);
    let columns = Columns {
        has_bounds: rules.has_bounds(),
        has_distances: all.any(|facts| facts.distance.is_some()),
    };
    let boards = [("train", &parts.train), ("test", &parts.test)];
    let file = |(name, boards): (&str, &Vec<BoardFacts>)| {
        let name = format!("{name}.{}", args.format.extension());
        (name, args.format.file(columns, boards))
    };
    let mut files: Vec<(String, Vec<u8>)> = boards.map(file).into();
    let card = Card {
        rules,
        args,
        columns,
        parts: boards.map(|(_, boards)| &boards[..]),
        files: &files,
        baselines,
    };
    let text = card.text();
    files.push(("README.md".to_owned(), text.into_bytes()));
    files
}

/// The lowest layer for the test: its highest fifth, at least one layer.
fn first_for_test(layers: &RangeInclusive<u8>) -> u8 {
    let count = layers.end() - layers.start() + 1;
    layers.end() + 1 - (count / 5).max(1)
}
