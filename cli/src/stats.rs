//! `krou stats`: counts how many boards of each layer have each value.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use krou::index::LayerIndex;
use krou::solve::Observer;
use krou::tablebase::{CountedBoards, Counts};

use crate::args::{MemoryArgs, seeds};
use crate::charts::SvgFile;
use crate::charts::stats::{self as chart, LayerCounts};
use crate::folder_args::FolderArgs;
use crate::progress::LayerBar;
use crate::rules_args::RulesArgs;

/// Options of `krou stats`.
#[derive(Args)]
pub struct StatsArgs {
    /// Print CSV: seeds, value and count, only counts above 0.
    #[arg(long)]
    csv: bool,
    /// Count all boards, including those that no move leads to.
    #[arg(long)]
    all: bool,
    /// Draw values, results and distances by layer in an SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Count only the layers up to N seeds [default: all layers].
    #[arg(long, short, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    seeds: Option<u8>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Prints the counts of each layer.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    count(args).map_err(|error| args.tables.explain(error))
}

fn count(args: &StatsArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.memory.limit(args.tables.open_to_count(rules)?, None);
    let is_asked = |n: &u8| args.seeds.is_none_or(|most| *n <= most);
    let Some(last) = tables.layers().filter(is_asked).last() else {
        return Err(args.tables.no_tables(rules));
    };
    // A layer is counted together with those below it.
    let first_missing = tables.layers_within(u64::MAX);
    let highest = last.min(first_missing.saturating_sub(1));
    let plot = args.plot.as_deref().map(SvgFile::create).transpose()?;
    let mut counter = tables.counter();
    let counted = if args.all {
        CountedBoards::All
    } else {
        CountedBoards::Indexed
    };
    let bar = LayerBar::new("counting", highest, 2 * tables.boards_up_to(highest));
    let loaded = counter.load(highest, &bar);
    if counter.layers() == 0 {
        loaded?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut written = print(&if args.csv {
        "seeds,value,count\n".to_owned()
    } else {
        row(["seeds", "boards", "won", "even", "lost", "exact", "longest"])
    });
    let mut drawn = Vec::new();
    for seeds in 0..counter.layers() {
        let counts = counter.count_values(seeds, counted)?;
        let longest = if args.csv && plot.is_none() {
            None
        } else {
            counter.longest_distance(seeds)?
        };
        let text = if args.csv {
            lines(seeds, &counts)
        } else {
            shares(seeds, &counts, counter.count_exact(seeds)?, longest)
        };
        written = written.and_then(|()| bar.suspend(|| print(&text)));
        if written.is_err() && plot.is_none() {
            break;
        }
        bar.advance(LayerIndex::new(rules, seeds).len());
        drawn.push(LayerCounts {
            seeds,
            counts,
            longest,
        });
    }
    drop(bar);
    // The chart is written even if the text could not be.
    if let Some(plot) = plot {
        chart::draw(plot, rules, &drawn)?;
    }
    written?;
    loaded?;
    if first_missing <= last {
        let counted = format!("layers from {first_missing} seeds on are not counted");
        let missing = args.tables.no_table(rules, first_missing);
        bail!("{counted}: {missing}");
    }
    Ok(ExitCode::SUCCESS)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// A line for each value.
fn lines(seeds: u8, counts: &Counts) -> String {
    let lines = counts.iter();
    let lines = lines.map(|(value, count)| format!("{seeds},{value},{count}\n"));
    lines.collect()
}

/// A row for the layer.
fn shares(seeds: u8, counts: &Counts, exact: Option<(u64, u64)>, longest: Option<u8>) -> String {
    let boards: u64 = counts.values().sum();
    let share = |wanted: fn(i8) -> bool| {
        let wanted = counts.iter().filter(|(value, _)| wanted(**value));
        percent(wanted.map(|(_, count)| count).sum(), boards)
    };
    let exact = exact.map_or_else(|| "-".to_owned(), |(exact, of)| percent(exact, of));
    let longest = longest.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
    row([
        &seeds.to_string(),
        &boards.to_string(),
        &share(|value| value > 0),
        &share(|value| value == 0),
        &share(|value| value < 0),
        &exact,
        &longest,
    ])
}

fn row([seeds, boards, won, even, lost, exact, longest]: [&str; 7]) -> String {
    format!("{seeds:>5} {boards:>14} {won:>7} {even:>7} {lost:>7} {exact:>7} {longest:>8}\n")
}

#[allow(clippy::cast_precision_loss)]
fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}
