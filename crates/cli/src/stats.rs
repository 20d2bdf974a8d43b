//! `krou stats`: counts how many boards of each layer have each value.

use std::cmp::Ordering;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::tablebase::{BoundsCounts, CountedBoards, Counter, Counts, RecordBoard};
use krou::tablebase::{LoadError, Tablebase};
use serde_json::{Value, json};

use crate::args::layers_up_to;
use crate::boards::signed;
use crate::charts::stats::{self as chart, LayerCounts};
use crate::files::{check_picture, write_picture};
use crate::layer_args::LayerArgs;
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
    /// Count only the layers up to N seeds, or from A to B [default: all layers].
    #[arg(long, short, value_name = "N|A..B", value_parser = layers_up_to)]
    seeds: Option<RangeInclusive<u8>>,
    #[command(flatten)]
    layers: LayerArgs,
}

/// Prints the counts of each layer.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    args.layers.run(None, None, |tables| count(args, tables))
}

fn count(args: &StatsArgs, tables: &Tablebase) -> Result<ExitCode> {
    let (rules, folders) = (tables.rules(), &args.layers.folders);
    let Some(highest) = tables.highest_layer() else {
        return Err(folders.no_tables(rules));
    };
    let wanted = args.seeds.clone().unwrap_or(0..=highest);
    let last = highest.min(*wanted.end());
    let plot = args.plot.as_deref();
    plot.map(check_picture).transpose()?;
    let bar = LayerBar::new("counting", last, 2 * tables.boards_up_to(last));
    let mut counter = tables.counter();
    if let Err(error @ LoadError::Memory(_)) = counter.load(last, &bar) {
        return Err(error.into());
    }
    // An object comes at the end.
    let shown = |csv: String, text: String| match (args.csv, args.json) {
        (true, _) => csv,
        (_, true) => String::new(),
        _ => text,
    };
    let head = shown("seeds,value,count\n".to_owned(), head(rules));
    let (mut layers, mut left_out, mut why) = (Vec::new(), Vec::new(), None);
    let mut written = Ok(());
    for seeds in *wanted.start()..=last {
        let layer = match StatsLayer::new(args, &mut counter, seeds, &bar) {
            Ok(layer) => layer,
            Err(error) if is_left_out(tables, seeds) => {
                bar.suspend(|| print_message(&format!("note: {error}: no other layer needs it")));
                continue;
            }
            Err(error) => {
                left_out.push(seeds.to_string());
                why.get_or_insert(error);
                continue;
            }
        };
        let lines = shown(layer.csv(), layer.row());
        let head = if layers.is_empty() { &head } else { "" };
        written = written.and_then(|()| bar.suspend(|| print_text(&format!("{head}{lines}"))));
        if written.is_err() && plot.is_none() {
            break;
        }
        bar.advance(LayerIndex::new(rules, seeds).len());
        layers.push(layer);
    }
    drop(bar);
    match why {
        Some(why) if layers.is_empty() => return Err(why.into()),
        _ if layers.is_empty() => written?,
        _ => finish(args, rules, &layers, written)?,
    }
    if let Some(why) = why {
        let (layers, why) = (left_out.join(", "), folders.explain(why.into()));
        bail!("the layers of {layers} seeds are not counted: {why}");
    }
    if *wanted.end() > last {
        let (next, why) = (last + 1, folders.no_table(rules, last + 1));
        bail!("layers from {next} seeds on are not counted: {why}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a build left out a layer: it is not there, and no layer above needs it.
fn is_left_out(tables: &Tablebase, seeds: u8) -> bool {
    let layers = tables.layers();
    let mut above = layers.iter().filter(|&above| above > seeds);
    let is_damaged = tables.damaged_tables().next().is_some();
    !is_damaged
        && !layers.contains(seeds)
        && above.all(|n| tables.rules().layers_reached(n) <= seeds)
}

/// Writes what comes after all layers: the chart, also if the text could not be `written`, and an
/// object or notes.
fn finish(
    args: &StatsArgs,
    rules: Ruleset,
    layers: &[StatsLayer],
    written: io::Result<()>,
) -> Result<()> {
    if let Some(plot) = &args.plot {
        let drawn = layers.iter().map(|layer| LayerCounts {
            seeds: layer.seeds,
            counts: layer.counts.clone(),
            longest: layer.record.map(|record| record.distance),
        });
        write_picture(plot, &chart::draw(rules, &drawn.collect::<Vec<_>>()))?;
    }
    written?;
    if args.json {
        print_json(&json!({
            "rules": rules.to_string(), "all": args.all,
            "layers": layers.iter().map(StatsLayer::json).collect::<Vec<_>>(),
        }))?;
    } else if !args.csv {
        print_text(&notes(rules, layers))?;
    }
    Ok(())
}

/// What is counted of a layer.
struct StatsLayer {
    seeds: u8,
    counts: Counts,
    /// What the bounds say, where there are bounds.
    bounds: Option<BoundsCounts>,
    /// The board with the longest distance, where there are distances.
    record: Option<RecordBoard>,
}

impl StatsLayer {
    /// Counts a layer, with the quantities that the output needs.
    fn new(
        args: &StatsArgs,
        counter: &mut Counter,
        seeds: u8,
        bar: &LayerBar,
    ) -> Result<StatsLayer, LoadError> {
        let boards = if args.all {
            CountedBoards::All
        } else {
            CountedBoards::Indexed
        };
        counter.load(seeds, bar)?;
        let with_bounds = (!args.csv).then(|| counter.count_bounds(seeds, boards));
        let with_record = !args.csv || args.plot.is_some();
        Ok(StatsLayer {
            seeds,
            bounds: with_bounds.transpose()?.flatten(),
            record: with_record
                .then(|| counter.record_board(seeds))
                .transpose()?
                .flatten(),
            counts: counter.count_values(seeds, boards)?,
        })
    }

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
        let record = self
            .record
            .map(|r| json!({"board": r.board.pits(), "value": r.value, "distance": r.distance}));
        json!({
            "seeds": self.seeds, "boards": won + even + lost, "won": won, "even": even,
            "lost": lost, "exact": self.bounds.map(|bounds| bounds.exact),
            "decided": self.bounds.map(|bounds| bounds.decided),
            "width": self.bounds.map(|bounds| bounds.width),
            "values": values.collect::<Vec<_>>(), "record": record,
        })
    }

    /// A row for people.
    fn row(&self) -> String {
        let results = self.results();
        let boards = results.iter().sum();
        let [won, even, lost] = results.map(|count| percent(count, boards));
        let dash = || "-".to_owned();
        let of_bounds = |words: fn(BoundsCounts) -> String| self.bounds.map_or_else(dash, words);
        let exact = of_bounds(|bounds| percent(bounds.exact, bounds.boards));
        let decided = of_bounds(|bounds| percent(bounds.decided, bounds.boards));
        let width = of_bounds(|bounds| mean(bounds.width, bounds.boards));
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
            &decided,
            &width,
            &longest,
        ])
    }
}

/// The title of the table, and the names of its columns.
fn head(rules: Ruleset) -> String {
    let names = row([
        "seeds", "boards", "won", "even", "lost", "exact", "decided", "width", "longest",
    ]);
    format!("{rules}: shares of the boards of each layer\n\n{names}")
}

/// The words of the table, and the record boards.
fn notes(rules: Ruleset, layers: &[StatsLayer]) -> String {
    let mut text =
        "\nwon, even, lost: the mover takes more, as many or fewer seeds from here on\n".to_owned();
    if rules.has_bounds() {
        text += "exact: the value does not depend on where a repetition is stopped\n\
                 decided: nor does who takes more seeds\n\
                 width: the mean difference between the bounds, in seeds\n";
    }
    let mut records = String::new();
    for layer in layers {
        if let Some(record) = layer.record.filter(|record| record.distance > 0) {
            let (board, value) = (record.board.to_string(), signed(record.value));
            let (seeds, plies) = (layer.seeds, record.distance);
            let unit = if plies == 1 { "ply" } else { "plies" };
            records += &format!("{seeds:>5}  {board:<30} {plies:>3} {unit}, value {value}\n");
        }
    }
    if !records.is_empty() {
        text += "longest: plies to the next capture or end on the board that is farthest from \
                 it,\nsuch as\n";
    }
    text + &records
}

fn row(
    [
        seeds,
        boards,
        won,
        even,
        lost,
        exact,
        decided,
        width,
        longest,
    ]: [&str; 9],
) -> String {
    format!(
        "{seeds:>5} {boards:>14} {won:>7} {even:>7} {lost:>7} {exact:>7} {decided:>7} {width:>5} \
         {longest:>7}\n"
    )
}

#[allow(clippy::cast_precision_loss)]
fn mean(sum: u64, of: u64) -> String {
    format!("{:.2}", sum as f64 / of as f64)
}

#[allow(clippy::cast_precision_loss)]
fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}
