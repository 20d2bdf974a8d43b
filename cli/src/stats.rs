//! `krou stats`: counts how many boards of each layer have each value.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::Observer;
use krou::tablebase::{CountedBoards, Counts, RecordBoard, Tablebase};
use serde_json::{Value, json};

use crate::args::seeds;
use crate::boards::signed;
use crate::charts::check_file;
use crate::charts::stats::{self as chart, LayerCounts};
use crate::folder_args::{FolderArgs, LayerArgs};
use crate::messages::{print_json, print_message, print_text};
use crate::progress::LayerBar;

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
    /// Draw values, results and distances by layer in an SVG file, which is overwritten.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Count only the layers up to N seeds [default: all layers].
    #[arg(long, short, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    seeds: Option<u8>,
    #[command(flatten)]
    layers: LayerArgs,
}

/// Prints the counts of each layer.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    let open = FolderArgs::open_to_count;
    args.layers.run(open, None, |tables| count(args, &tables))
}

fn count(args: &StatsArgs, tables: &Tablebase) -> Result<ExitCode> {
    let rules = tables.rules();
    let is_asked = |n: &u8| args.seeds.is_none_or(|most| *n <= most);
    let Some(last) = tables.layers().filter(is_asked).last() else {
        return Err(args.layers.folders.no_tables(rules));
    };
    // A layer is counted together with those below it.
    let first_missing = tables.layers_within(u64::MAX);
    let highest = last.min(first_missing.saturating_sub(1));
    let plot = args.plot.as_deref();
    plot.map(check_file).transpose()?;
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
    // An object comes at the end.
    let shown = |csv: String, text: String| match (args.csv, args.json) {
        (true, _) => csv,
        (_, true) => String::new(),
        _ => text,
    };
    let mut written = print_text(&shown("seeds,value,count\n".to_owned(), head(rules)));
    let mut layers = Vec::new();
    for seeds in 0..counter.layers() {
        let layer = StatsLayer {
            seeds,
            counts: counter.count_values(seeds, counted)?,
            exact: (!args.csv)
                .then(|| counter.count_exact(seeds))
                .transpose()?
                .flatten(),
            record: (!args.csv || plot.is_some())
                .then(|| counter.record_board(seeds))
                .transpose()?
                .flatten(),
        };
        let lines = shown(layer.csv(), layer.row());
        written = written.and_then(|()| bar.suspend(|| print_text(&lines)));
        if written.is_err() && plot.is_none() {
            break;
        }
        bar.advance(LayerIndex::new(rules, seeds).len());
        layers.push(layer);
    }
    drop(bar);
    // The chart is written even if the text could not be.
    if let Some(plot) = plot {
        let drawn = layers.iter().map(|layer| LayerCounts {
            seeds: layer.seeds,
            counts: layer.counts.clone(),
            longest: layer.record.map(|record| record.distance),
        });
        chart::draw(plot, rules, &drawn.collect::<Vec<_>>())?;
    }
    written?;
    if args.json {
        print_json(&json!({
            "rules": rules.to_string(), "all": args.all,
            "layers": layers.iter().map(StatsLayer::json).collect::<Vec<_>>(),
        }))?;
    } else if !args.csv {
        print_text(&notes(rules, &layers))?;
    }
    loaded?;
    if first_missing <= args.seeds.unwrap_or(last) {
        let why = args.layers.folders.no_table(rules, first_missing);
        let message = format!("layers from {first_missing} seeds on are not counted: {why}");
        if first_missing <= last {
            bail!(message);
        }
        print_message(&message);
    }
    Ok(ExitCode::SUCCESS)
}

/// What is counted of a layer.
struct StatsLayer {
    seeds: u8,
    counts: Counts,
    /// Indexed boards whose bounds are equal, and all indexed ones, where there are bounds.
    exact: Option<(u64, u64)>,
    /// The board with the longest distance, where there are distances.
    record: Option<RecordBoard>,
}

impl StatsLayer {
    /// The boards that are won, even and lost for the mover.
    fn results(&self) -> [u64; 3] {
        [Ordering::Greater, Ordering::Equal, Ordering::Less].map(|wanted| {
            let counts = self.counts.iter();
            let found = counts.filter(|(value, _)| value.cmp(&&0) == wanted);
            found.map(|(_, count)| count).sum()
        })
    }

    /// A line for each value.
    fn csv(&self) -> String {
        let lines = self.counts.iter();
        let lines = lines.map(|(value, count)| format!("{},{value},{count}\n", self.seeds));
        lines.collect()
    }

    /// The object for programs.
    fn json(&self) -> Value {
        let [won, even, lost] = self.results();
        let values = self.counts.iter();
        let values = values.map(|(value, count)| json!({"value": value, "count": count}));
        let record = self.record.map(|record| {
            let RecordBoard {
                board,
                value,
                distance,
                ..
            } = record;
            json!({"board": board.pits(), "value": value, "distance": distance})
        });
        json!({
            "seeds": self.seeds, "boards": won + even + lost, "won": won, "even": even,
            "lost": lost, "exact": self.exact.map(|(exact, _)| exact),
            "values": values.collect::<Vec<_>>(), "record": record,
        })
    }

    /// A row for people.
    fn row(&self) -> String {
        let results = self.results();
        let boards = results.iter().sum();
        let [won, even, lost] = results.map(|count| percent(count, boards));
        let dash = || "-".to_owned();
        let exact = self
            .exact
            .map_or_else(dash, |(exact, of)| percent(exact, of));
        let longest = self.record.map(|record| record.distance.to_string());
        let boards = HumanCount(boards).to_string();
        let longest = longest.unwrap_or_else(dash);
        row([
            &self.seeds.to_string(),
            &boards,
            &won,
            &even,
            &lost,
            &exact,
            &longest,
        ])
    }
}

/// The title of the table, and the names of its columns.
fn head(rules: Ruleset) -> String {
    let names = row(["seeds", "boards", "won", "even", "lost", "exact", "longest"]);
    format!("{rules}: shares of the boards of each layer\n\n{names}")
}

/// The words of the table, and the record boards.
fn notes(rules: Ruleset, layers: &[StatsLayer]) -> String {
    let mut text =
        "\nwon, even, lost: the mover takes more, as many or fewer seeds from here on\n".to_owned();
    if rules.has_bounds() {
        text += "exact: boards whose value does not depend on how loops are settled\n";
    }
    let records = layers
        .iter()
        .filter_map(|layer| Some((layer.seeds, layer.record?)));
    let records = records
        .filter(|(_, record)| record.distance > 0)
        .map(|(seeds, record)| {
            let (board, value) = (record.board.notation(), signed(record.value));
            let (plies, unit) = (
                record.distance,
                if record.distance == 1 { "ply" } else { "plies" },
            );
            format!("{seeds:>5}  {board:<30} {plies:>3} {unit}, value {value}\n")
        });
    let records: String = records.collect();
    if !records.is_empty() {
        text += "longest: plies to the next capture or end on the board that is farthest from \
                 it,\nsuch as\n";
    }
    text + &records
}

fn row([seeds, boards, won, even, lost, exact, longest]: [&str; 7]) -> String {
    format!("{seeds:>5} {boards:>14} {won:>7} {even:>7} {lost:>7} {exact:>7} {longest:>8}\n")
}

#[allow(clippy::cast_precision_loss)]
fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}
