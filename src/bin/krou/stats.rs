//! `krou stats`: how many boards of each layer have each value.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use krou::tablebase::Counter;

use crate::rules_args::RulesArgs;
use crate::seeds::parse_seeds;
use crate::tables_args::TablesArgs;

/// Options of `krou stats`.
#[derive(Args)]
pub struct StatsArgs {
    /// Print `seeds,value,count`, only counts above 0.
    #[arg(long)]
    csv: bool,
    /// Count every board, also those that no move can lead to.
    #[arg(long)]
    all: bool,
    /// Only the layers up to N seeds.
    #[arg(long, value_name = "N", value_parser = parse_seeds, allow_negative_numbers = true)]
    seeds: Option<u8>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Prints the counts of every layer at hand.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    let rules = args.rules.ruleset()?;
    let tables = args.tables.open_strictly(rules)?;
    let layers: Vec<u8> = tables
        .layers()
        .filter(|&n| args.seeds.is_none_or(|most| n <= most))
        .collect();
    if layers.is_empty() {
        bail!(
            "there are no tables for {rules} in {}: build them with 'krou build --rules {rules} --seeds 12'",
            args.tables.folder().display()
        );
    }
    let mut counter = tables.counter();
    let mut out = io::stdout().lock();
    if args.csv {
        writeln!(out, "seeds,value,count")?;
        for seeds in layers {
            for (value, count) in counter.count_values(seeds, args.all)? {
                writeln!(out, "{seeds},{value},{count}")?;
            }
        }
    } else {
        print(&mut out, &mut counter, &layers, args.all)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn print(out: &mut impl Write, counter: &mut Counter<'_>, layers: &[u8], all: bool) -> Result<()> {
    writeln!(
        out,
        "{:>5} {:>14} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "seeds", "boards", "won", "even", "lost", "exact", "longest"
    )?;
    for &seeds in layers {
        let counts = counter.count_values(seeds, all)?;
        let boards: u64 = counts.values().sum();
        let share = |wanted: fn(i8) -> bool| {
            let count: u64 = counts
                .iter()
                .filter(|(v, _)| wanted(**v))
                .map(|(_, n)| n)
                .sum();
            percent(count, boards)
        };
        let exact = counter.count_exact(seeds)?;
        let exact = exact.map_or_else(|| "-".to_owned(), |(exact, of)| percent(exact, of));
        let longest = counter.longest_distance(seeds)?;
        let longest = longest.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        writeln!(
            out,
            "{seeds:>5} {boards:>14} {:>7} {:>7} {:>7} {exact:>7} {longest:>8}",
            share(|v| v > 0),
            share(|v| v == 0),
            share(|v| v < 0),
        )?;
    }
    Ok(())
}

#[allow(clippy::cast_precision_loss)]
fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}
