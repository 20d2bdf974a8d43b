//! `krou stats`: counts how many boards of each layer have each value.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::solve::Observer;
use krou::tablebase::{CountedBoards, Counts, RecordBoard};
use serde::Serialize;

use crate::args::{MemoryArgs, seeds};
use crate::boards::signed;
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
    /// Print one object of JSON with the counts and the record board of each layer.
    #[arg(long, short, conflicts_with = "csv")]
    json: bool,
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
    let mut written = match (args.csv, args.json) {
        (true, _) => print("seeds,value,count\n"),
        (_, true) => Ok(()),
        _ => print(&format!(
            "{rules}: shares of the boards of each layer\n\n{}",
            row(["seeds", "boards", "won", "even", "lost", "exact", "longest"])
        )),
    };
    let (mut layers, mut drawn) = (Vec::new(), Vec::new());
    for seeds in 0..counter.layers() {
        let counts = counter.count_values(seeds, counted)?;
        let record = match args.csv && plot.is_none() {
            true => None,
            false => counter.record_board(seeds)?,
        };
        let exact = match args.csv {
            true => None,
            false => counter.count_exact(seeds)?,
        };
        let layer = StatsLayer::new(seeds, &counts, exact, record);
        let text = match (args.csv, args.json) {
            (true, _) => lines(seeds, &counts),
            (_, true) => String::new(),
            _ => layer.row(),
        };
        written = written.and_then(|()| bar.suspend(|| print(&text)));
        if written.is_err() && plot.is_none() {
            break;
        }
        bar.advance(LayerIndex::new(rules, seeds).len());
        drawn.push(LayerCounts {
            seeds,
            counts,
            longest: record.map(|record| record.distance),
        });
        layers.push(layer);
    }
    drop(bar);
    // The chart is written even if the text could not be.
    if let Some(plot) = plot {
        chart::draw(plot, rules, &drawn)?;
    }
    written?;
    if args.json {
        let answer = StatsAnswer {
            rules: rules.to_string(),
            all: args.all,
            layers,
        };
        print(&(serde_json::to_string(&answer)? + "\n"))?;
    } else if !args.csv {
        print(&notes(rules, &layers))?;
    }
    loaded?;
    if first_missing <= last {
        let counted = format!("layers from {first_missing} seeds on are not counted");
        let missing = args.tables.no_table(rules, first_missing);
        bail!("{counted}: {missing}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The answer for programs.
#[derive(Serialize)]
struct StatsAnswer {
    rules: String,
    /// Whether boards that no move leads to are counted.
    all: bool,
    layers: Vec<StatsLayer>,
}

/// What is counted of a layer.
#[derive(Serialize)]
struct StatsLayer {
    seeds: u8,
    boards: u64,
    won: u64,
    even: u64,
    lost: u64,
    /// Indexed boards whose bounds are equal, where there are bounds.
    exact: Option<u64>,
    #[serde(skip)]
    exact_share: String,
    /// Only values that occur.
    values: Vec<ValueCount>,
    /// The board with the longest distance, where there are distances.
    record: Option<StatsRecord>,
}

#[derive(Serialize)]
struct ValueCount {
    value: i8,
    count: u64,
}

#[derive(Serialize)]
struct StatsRecord {
    board: [u8; 12],
    value: i8,
    distance: u8,
}

impl StatsLayer {
    fn new(
        seeds: u8,
        counts: &Counts,
        exact: Option<(u64, u64)>,
        record: Option<RecordBoard>,
    ) -> StatsLayer {
        let count = |wanted: fn(i8) -> bool| {
            let wanted = counts.iter().filter(|(value, _)| wanted(**value));
            wanted.map(|(_, count)| count).sum()
        };
        let values = counts.iter();
        StatsLayer {
            seeds,
            boards: count(|_| true),
            won: count(|value| value > 0),
            even: count(|value| value == 0),
            lost: count(|value| value < 0),
            exact: exact.map(|(exact, _)| exact),
            exact_share: exact.map_or_else(|| "-".to_owned(), |(exact, of)| percent(exact, of)),
            values: values
                .map(|(&value, &count)| ValueCount { value, count })
                .collect(),
            record: record.map(|record| StatsRecord {
                board: record.board.pits(),
                value: record.value,
                distance: record.distance,
            }),
        }
    }

    /// A row for people.
    fn row(&self) -> String {
        let longest = self
            .record
            .as_ref()
            .map(|record| record.distance.to_string());
        row([
            &self.seeds.to_string(),
            &HumanCount(self.boards).to_string(),
            &percent(self.won, self.boards),
            &percent(self.even, self.boards),
            &percent(self.lost, self.boards),
            &self.exact_share,
            &longest.unwrap_or_else(|| "-".to_owned()),
        ])
    }
}

/// The words of the table, and the record boards.
fn notes(rules: Ruleset, layers: &[StatsLayer]) -> String {
    let mut text =
        "\nwon, even, lost: the mover takes more, as many or fewer seeds from here on\n".to_owned();
    if rules.has_bounds() {
        text += "exact: boards whose value does not depend on how loops are settled\n";
    }
    let records: Vec<(u8, &StatsRecord)> = layers
        .iter()
        .filter_map(|layer| Some((layer.seeds, layer.record.as_ref()?)))
        .filter(|(_, record)| record.distance > 0)
        .collect();
    if records.is_empty() {
        return text;
    }
    text += "longest: plies to the next capture or end on the board that is farthest from it,\n\
             such as\n";
    for (seeds, record) in records {
        let StatsRecord {
            board,
            value,
            distance,
        } = record;
        let board = Board::new(*board).expect("a board of the layer");
        let (board, value) = (board.notation(), signed(*value));
        text += &format!("{seeds:>5}  {board:<30} {distance:>3} plies, value {value}\n");
    }
    text
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

fn row([seeds, boards, won, even, lost, exact, longest]: [&str; 7]) -> String {
    format!("{seeds:>5} {boards:>14} {won:>7} {even:>7} {lost:>7} {exact:>7} {longest:>8}\n")
}

#[allow(clippy::cast_precision_loss)]
fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}
