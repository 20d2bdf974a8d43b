//! Arguments that several commands have: threads, memory, layers, and parsers of numbers, sizes
//! and words.

use std::fmt::Display;
use std::ops::{RangeFrom, RangeInclusive};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use krou::index::LayerIndex;
use krou::rules::MAX_SEEDS;
use krou::solve::default_memory_limit;
use krou::solve::parse_memory;
use krou::table::reason;
use krou::tablebase::{ProbeError, Tablebase};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::progress::LayerBar;

/// How many threads to use.
#[derive(Args, Clone, Debug)]
pub struct ThreadArgs {
    /// Number of threads [default: one for each core].
    #[arg(long, short, value_name = "T", value_parser = whole_number(THREADS))]
    threads: Option<usize>,
}

impl ThreadArgs {
    /// A pool of these threads.
    pub fn pool(&self) -> Result<ThreadPool> {
        thread_pool(self.threads)
    }
}

/// A pool with this many threads, or one for each core.
pub fn thread_pool(threads: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let failed = |error| {
        anyhow!(
            "cannot start the threads ({}): ask for fewer",
            reason(error)
        )
    };
    pool.build().map_err(failed)
}

/// The memory for whole layers.
#[derive(Args, Clone, Debug)]
pub struct MemoryArgs {
    /// Memory limit, such as 8G [default: most of the free memory].
    ///
    /// Beyond the limit, layers are in nameless files, and the work takes longer: in the folder of
    /// the tables or the output that are written, else in the system's temporary folder.
    #[arg(long, short, value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    memory: Option<u64>,
}

impl MemoryArgs {
    /// The limit that is asked for.
    pub fn asked(&self) -> Option<u64> {
        self.memory
    }

    /// The limit.
    pub fn limit(&self) -> Option<u64> {
        self.memory.or_else(default_memory_limit)
    }
}

/// How much memory layers may take in commands that probe many boards.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tables")]
pub struct TableMemoryArgs {
    /// Memory for tables that are loaded whole, such as 200M or 2G.
    ///
    /// Many boards are probed faster then, but first all layers that fit, from 0 seeds on, are
    /// read. A board takes one byte, or two where there are bounds with more than 21 seeds.
    /// Loading takes two to four times as much for a while.
    #[arg(
        long = "table-memory", value_name = "SIZE", default_value = "0",
        value_parser = parse_memory, allow_hyphen_values = true
    )]
    pub bytes: u64,
}

impl TableMemoryArgs {
    /// Loads the layers that fit. Ctrl-C ends the program.
    pub fn load(&self, tables: &Tablebase) -> Result<()> {
        if let Some(highest) = tables.layers_within(self.bytes).checked_sub(1) {
            let bar = LayerBar::new("loading", highest, tables.boards_up_to(highest));
            tables.make_resident(self.bytes, &AtomicBool::new(false), &|boards| {
                bar.advance(boards);
            })?;
        }
        Ok(())
    }
}

/// Numbers of threads.
pub const THREADS: RangeInclusive<usize> = 1..=1024;
/// Sizes of a transposition table, in MiB.
pub const HASH_MIB: RangeInclusive<usize> = 1..=65_536;
/// Sizes of the memory for tables that are loaded whole, in MiB.
pub const TABLE_MEMORY_MIB: RangeInclusive<u64> = 0..=1 << 20;

/// A parser of whole numbers in this range.
pub fn whole_number<T: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end().to_string());
        number.ok_or_else(|| match most.len() {
            ..=12 => format!("give a whole number from {least} to {most}"),
            // The largest number of the type, which is no limit to anybody.
            _ => format!("give a whole number, {least} or more"),
        })
    }
}

/// A parser of sizes of a transposition table: a number of MiB, or one with a unit.
pub fn hash_mib(text: &str) -> Result<usize, String> {
    let bytes = parse_memory(text).map_err(|error| error.to_string())?;
    let mib = usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
    let (least, most) = (HASH_MIB.start(), HASH_MIB.end());
    let mib = Some(mib).filter(|mib| HASH_MIB.contains(mib));
    mib.ok_or_else(|| format!("give a size from {least} to {most} MiB, such as 256 or 1G"))
}

/// A parser of numbers of seeds.
pub fn seeds() -> impl Fn(&str) -> Result<u8, String> + Clone {
    whole_number(0..=MAX_SEEDS)
}

/// A parser of layers, written as `N` or `A..B`.
pub fn layers(text: &str) -> Result<RangeInclusive<u8>, String> {
    let number = seeds();
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let wrong = |_| "give a whole number from 0 to 48, or two as in 3..6".to_owned();
    let (first, last) = (number(first).map_err(wrong)?, number(last).map_err(wrong)?);
    if first > last {
        return Err(format!("{last} is less than {first}"));
    }
    Ok(first..=last)
}

/// A parser of layers up to `N`, or from A to B.
pub fn layers_up_to(text: &str) -> Result<RangeInclusive<u8>, String> {
    let layers = layers(text)?;
    Ok(match text.contains("..") {
        true => layers,
        false => 0..=*layers.end(),
    })
}

/// Checks that the tables of these layers, and of those that their captures lead to, are there.
pub fn check_layers(tables: &Tablebase, layers: RangeInclusive<u8>) -> Result<(), ProbeError> {
    let rules = tables.rules();
    let reached = 0..rules.layers_reached(*layers.end());
    for seeds in reached.chain(layers).rev() {
        tables.probe(&LayerIndex::new(rules, seeds).board(0))?;
    }
    Ok(())
}

/// A parser of numbers of seconds, which may be large.
pub fn seconds(least: RangeFrom<u64>) -> impl Fn(&str) -> Result<Duration, String> + Clone {
    const MOST: u64 = 1_000_000;
    let number = whole_number(least.start..=MOST);
    move |text| number(text).map(Duration::from_secs)
}

/// A parser of one of a closed set of values, which help and error messages list.
pub fn one_of<T: Copy + Send + Sync>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let words = all.iter().map(|&value| word(value));
    PossibleValuesParser::new(words).try_map(move |text| {
        let found = all.iter().copied().find(|&value| word(value) == text);
        found.ok_or("not a possible value")
    })
}
