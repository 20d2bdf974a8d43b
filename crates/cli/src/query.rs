//! `krou query`: the boards of layers that meet a condition.
//!
//! A layer is read whole, with those below it, and its boards are looked at in the order of the
//! index on all threads. Moves are computed only where the condition or the output needs them.
//!
//! - `fields`: what can be asked of a board;
//! - `condition`: reads conditions;
//! - `selection`: which of the boards found are printed;
//! - `output`: the formats of boards.

mod condition;
mod fields;
mod output;
mod selection;

use std::io::{self, IsTerminal};
use std::ops::{Range, RangeInclusive};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use krou::index::LayerIndex;
use krou::solve::SpillError;
use krou::tablebase::{LayerBoards, Tablebase};
use rayon::prelude::*;

use crate::args::{layers, whole_number};
use crate::layer_args::LayerArgs;
use crate::messages::print_text;
use crate::progress::LayerBar;
use condition::Condition;
use fields::{BoardRecord, LoadedLayer, QueryField};
use output::{Output, QueryFormat};
use selection::{Selection, SortKey};

/// The most boards of a sample, or to sort.
const KEPT: usize = 10_000_000;

/// Options of `krou query`.
#[derive(Args)]
pub struct QueryArgs {
    /// The layer to search, or several: A..B includes both.
    #[arg(long, short, value_name = "N|A..B", value_parser = layers, allow_hyphen_values = true)]
    seeds: RangeInclusive<u8>,
    /// The condition that boards must meet [default: none].
    ///
    /// It compares fields and whole numbers by == != < <= > >=, joined by && || ! ( ). The
    /// fields: seeds; value, lower and upper (net seeds for the mover); distance (plies to the
    /// next capture or end); moves (legal ones), best (those with the best value), winning
    /// (those worth more than 0); gap (value minus that of the best other move, 0 with one move
    /// or several best ones); captured (seeds that the best move takes, the most if there are
    /// several). A comparison with a field that is not known is false.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    condition: Option<Condition>,
    /// Print only the number of boards.
    #[arg(long, conflicts_with_all = ["limit", "format", "sample", "sort"])]
    count: bool,
    /// Print the first K boards only.
    #[arg(long, value_name = "K", value_parser = whole_number(0..=u64::MAX))]
    limit: Option<u64>,
    /// Print K random boards of those that are found.
    #[arg(long, value_name = "K", value_parser = whole_number(1..=KEPT), conflicts_with = "limit")]
    sample: Option<usize>,
    /// Seed for the random choice; the same seed gives the same boards.
    #[arg(long, value_name = "S", value_parser = whole_number(0..=u64::MAX), default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Print the boards sorted by a field, the smallest first, or the largest with a minus:
    /// --sort=-distance.
    #[arg(
        long,
        value_name = "[-]FIELD",
        allow_hyphen_values = true,
        requires = "limit",
        conflicts_with = "sample"
    )]
    sort: Option<SortKey>,
    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: QueryFormat,
    #[command(flatten)]
    layers: LayerArgs,
}

/// Searches layer by layer.
pub fn run(args: &QueryArgs) -> Result<ExitCode> {
    if args.format == QueryFormat::Npy && io::stdout().is_terminal() && !args.count {
        bail!("npy is not text: send it to a file, as in 'krou query ... --format npy > FILE'");
    }
    let command = |tables: &Tablebase| query(args, tables);
    args.layers.run(Some(*args.seeds.end()), None, command)
}

fn query(args: &QueryArgs, tables: &Tablebase) -> Result<ExitCode> {
    let rules = tables.rules();
    let mut fields = args
        .condition
        .as_ref()
        .map_or(Vec::new(), |c| c.fields().to_vec());
    fields.extend(args.sort.map(|key| key.field));
    let search = QueryRun {
        condition: args.condition.as_ref(),
        asks_for_moves: fields.iter().any(|field| field.is_of_moves()),
        shows_moves: args.format != QueryFormat::Text && !args.count,
    };
    let (first, last) = (*args.seeds.start(), *args.seeds.end());
    let searched = args.seeds.clone().map(|n| LayerIndex::new(rules, n).len());
    let boards = tables.boards_up_to(last) + searched.sum::<u64>();
    let bar = LayerBar::new("searching", last, boards);
    let mut loader = tables.loader();
    // A layer that cannot be read is told before any board is printed.
    for seeds in args.seeds.clone().rev() {
        loader.load_observed(seeds, &bar)?;
    }
    let mut output = Output::new(args.format, rules, &fields);
    let mut selection = args.selection()?;
    let mut count = 0;
    let with_distances = !args.count || fields.contains(&QueryField::Distance);
    for seeds in first..=last {
        let distances = with_distances.then(|| loader.distances(seeds));
        let distances = distances.transpose()?.flatten();
        let layers = loader.layers().iter();
        let layer = LoadedLayer {
            rules,
            values: layers.map(|layer| layer.value().reader()).collect(),
            boards: LayerBoards::new(&loader.layers()[usize::from(seeds)], distances.as_ref()),
        };
        if args.count {
            count += search.count(&layer, &bar)?;
            continue;
        }
        search.for_each_batch(&layer, &bar, |found| {
            let found = selection.take(found);
            bar.suspend(|| output.add(&found))?;
            Ok(!selection.is_full())
        })?;
        if selection.is_full() {
            break;
        }
    }
    drop(bar);
    output.add(&selection.finish())?;
    if args.count {
        print_text(&format!("{count}\n"))?;
    } else {
        output.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

impl QueryArgs {
    /// Which boards of those that are found to print.
    fn selection(&self) -> Result<Selection> {
        let left = self.limit.unwrap_or(u64::MAX);
        Ok(match (self.sample, self.sort) {
            (Some(most), _) => Selection::sample(most, self.seed),
            (None, None) => Selection::First { left },
            (None, Some(key)) => {
                let most = usize::try_from(left).ok().filter(|&most| most <= KEPT);
                let Some(most) = most else {
                    bail!("--sort keeps {KEPT} boards at most: choose a smaller --limit");
                };
                let kept = Vec::new();
                Selection::Sorted { most, key, kept }
            }
        })
    }
}

/// What to look for.
struct QueryRun<'a> {
    condition: Option<&'a Condition>,
    /// Whether the condition or the order is about moves.
    asks_for_moves: bool,
    /// Whether the output needs the moves of every board that is found.
    shows_moves: bool,
}

impl QueryRun<'_> {
    /// The boards with these indexes that meet the condition.
    fn found(
        &self,
        layer: &LoadedLayer,
        indexes: Range<u64>,
    ) -> Result<Vec<BoardRecord>, SpillError> {
        let mut found = Vec::new();
        for mut record in layer.records(indexes)? {
            if self.asks_for_moves {
                layer.count_moves(&mut record)?;
            }
            if self.condition.is_none_or(|c| c.holds(&record)) {
                if self.shows_moves && !self.asks_for_moves {
                    layer.count_moves(&mut record)?;
                }
                found.push(record);
            }
        }
        Ok(found)
    }

    /// The number of boards that meet the condition.
    fn count(&self, layer: &LoadedLayer, bar: &LayerBar) -> Result<u64, SpillError> {
        let batches: Vec<Range<u64>> = layer.boards.batches().collect();
        let counts = batches.into_par_iter().map(|indexes| {
            bar.advance(indexes.end - indexes.start);
            Ok(self.found(layer, indexes)?.len() as u64)
        });
        counts.sum()
    }

    /// Passes on the boards that meet the condition, in order, until `sink` wants no more.
    fn for_each_batch(
        &self,
        layer: &LoadedLayer,
        bar: &LayerBar,
        mut sink: impl FnMut(Vec<BoardRecord>) -> io::Result<bool>,
    ) -> Result<()> {
        let batches: Vec<Range<u64>> = layer.boards.batches().collect();
        let at_a_time = 4 * rayon::current_num_threads();
        for batches in batches.chunks(at_a_time) {
            let found = batches
                .par_iter()
                .map(|indexes| self.found(layer, indexes.clone()))
                .collect::<Result<Vec<Vec<BoardRecord>>, SpillError>>()?;
            for (found, indexes) in found.into_iter().zip(batches) {
                bar.advance(indexes.end - indexes.start);
                if !sink(found)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
