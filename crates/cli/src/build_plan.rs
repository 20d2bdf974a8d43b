//! What a build will take: `krou build --plan`, and a warning before one that takes long.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{HumanBytes, HumanCount};
use krou::Ruleset;
use krou::index::LayerIndex;
use krou::solve::{Silent, memory_needed, memory_wanted, spill_needed};
use krou::table::{Codec, Kind, TableId};
use krou::tablebase::{BuildOptions, Tablebase, build};
use serde_json::{Value, json};

use crate::files::temporary_folder;
use crate::messages::{print_json, print_text};
use crate::system::free_space;

/// What is left to do for a build.
pub struct BuildPlan {
    rules: Ruleset,
    options: BuildOptions,
    /// The kinds of tables that each layer gets.
    kinds: Vec<Kind>,
    /// The layers that lack a table.
    layers: Vec<u8>,
}

impl BuildPlan {
    /// The layers whose tables a folder does not have. The build itself looks more closely.
    pub fn new(rules: Ruleset, folder: &Path, options: &BuildOptions) -> BuildPlan {
        let kinds = Kind::of(rules, options.distance);
        let tables = Tablebase::builder(rules)
            .without_embedded()
            .folder(folder)
            .open()
            .ok();
        let is_there = |seeds, kind| {
            let table = tables.as_ref().and_then(|tables| tables.table(seeds, kind));
            table.is_some()
        };
        let lacks = |&seeds: &u8| !kinds.iter().all(|&kind| is_there(seeds, kind));
        BuildPlan {
            rules,
            options: *options,
            layers: options.layers().filter(lacks).collect(),
            kinds,
        }
    }

    /// The ruleset of the build.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// Boards of the layers that are not there.
    pub fn boards(&self) -> u64 {
        let boards = |&seeds: &u8| LayerIndex::new(self.rules, seeds).len();
        self.layers.iter().map(boards).sum()
    }

    /// About how many bytes their tables take.
    fn bytes(&self) -> u64 {
        // Hundredths of a bit for each board: 'Codecs' and 'Solving' in
        // docs/internals/measurements.md.
        let bits = |kind: &Kind| match (self.options.write.codec, kind) {
            // A lower and an upper bound.
            (Codec::Raw, Kind::Bounds) => 1600,
            (Codec::Raw, _) => 800,
            (Codec::Packed, _) => 250,
            (Codec::Zstd, _) => 385,
            (_, Kind::Value) if self.rules.has_bounds() => 105,
            (_, Kind::Value) => 135,
            (_, Kind::Bounds) => 155,
            (_, _) => 165,
        };
        self.boards() / 800 * self.kinds.iter().map(bits).sum::<u64>()
    }

    /// About how long it takes on the present threads, by the rates at which this machine builds a
    /// smaller layer several times, which takes a second or two.
    #[allow(clippy::cast_precision_loss)]
    fn time(&self) -> Result<BuildTime> {
        /// A build of one layer that lasts long enough to be measured.
        const LONG: Duration = Duration::from_millis(300);
        /// How many builds of it are measured.
        const SAMPLES: usize = 3;
        let folder = temporary_folder()?;
        let build_to = |seeds| {
            let options = BuildOptions {
                distance: self.options.distance,
                write: self.options.write,
                ..BuildOptions::new(seeds)
            };
            let since = Instant::now();
            build(self.rules, folder.path(), &options, &Silent)?;
            anyhow::Ok(since.elapsed())
        };
        // Where endless play matters, in small layers, a board takes longer.
        let first = if self.rules.counts_loops() { 12 } else { 10 };
        let mut seeds = first.min(self.options.seeds);
        build_to(seeds.saturating_sub(1))?;
        let mut samples = vec![build_to(seeds)?];
        while samples[0] < LONG && seeds < self.options.seeds {
            seeds += 1;
            samples[0] = build_to(seeds)?;
        }
        while samples.len() < SAMPLES {
            for &kind in &self.kinds {
                let rules = self.rules;
                fs::remove_file(
                    folder
                        .path()
                        .join(TableId { rules, seeds, kind }.file_name()),
                )?;
            }
            samples.push(build_to(seeds)?);
        }
        samples.sort();
        let ratio = self.boards() as f64 / LayerIndex::new(self.rules, seeds).len() as f64;
        Ok(BuildTime {
            least: samples[0].mul_f64(ratio),
            median: samples[SAMPLES / 2].mul_f64(ratio),
            most: samples[SAMPLES - 1].mul_f64(ratio),
        })
    }

    /// Prints the plan after a measurement.
    pub fn print(&self, folder: &Path, json: bool) -> Result<()> {
        let time = self.time()?;
        if json {
            print_json(&self.json(folder, time))?;
        } else {
            print_text(&self.text(folder, time))?;
        }
        Ok(())
    }

    /// Bytes of disk beside the tables while layers are solved, at the most: for what does not fit
    /// into memory, and for checkpoints of what does, the last one and the one being written.
    fn bytes_at_work(&self) -> u64 {
        let limit = self.options.memory.unwrap_or(u64::MAX);
        let entry = if self.kinds == [Kind::Value] { 1 } else { 2 };
        let of_layer = |&seeds: &u8| {
            let entries = entry * LayerIndex::new(self.rules, seeds).len();
            let is_saved = self.options.checkpoint.is_some() && entries <= limit;
            let saved = if is_saved { 2 * entries } else { 0 };
            spill_needed(self.rules, seeds, &self.kinds, limit) + saved
        };
        self.layers.iter().map(of_layer).max().unwrap_or(0)
    }

    /// The plan for programs.
    fn json(&self, folder: &Path, time: BuildTime) -> Value {
        let last = self.layers.last().copied().unwrap_or_default();
        json!({
            "rules": self.rules.to_string(), "folder": folder.display().to_string(),
            "layers": self.layers, "boards": self.boards(),
            "bytes": self.bytes(), "bytes_at_work": self.bytes_at_work(),
            "free_bytes": free_space(folder),
            "memory": memory_wanted(self.rules, last, &self.kinds),
            "least_memory": memory_needed(self.rules, last, &self.kinds),
            "may_use": self.options.memory, "threads": rayon::current_num_threads(),
            "seconds": time.median.as_secs_f64(),
            "least_seconds": time.least.as_secs_f64(), "most_seconds": time.most.as_secs_f64(),
        })
    }

    /// The plan for people: layers, boards, disk, memory and time.
    fn text(&self, folder: &Path, time: BuildTime) -> String {
        let (Some(first), Some(last)) = (self.layers.first(), self.layers.last()) else {
            return format!(
                "nothing to do: every table is in {} already\n",
                folder.display()
            );
        };
        let mut text = format!(
            "{}, layers {first} to {last} in {}\n",
            self.rules,
            folder.display()
        );
        let mut line = |name: &str, words: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<8}{words}");
        };
        line("boards", &HumanCount(self.boards()).to_string());
        let mut disk = format!("about {}", HumanBytes(self.bytes()));
        if let bytes @ 1.. = self.bytes_at_work() {
            let _ = write!(disk, ", and up to {} at work", HumanBytes(bytes));
        }
        if let Some(free) = free_space(folder) {
            let _ = write!(disk, ", of {} that are free", HumanBytes(free));
        }
        line("disk", &disk);
        let wanted = memory_wanted(self.rules, *last, &self.kinds);
        let needed = memory_needed(self.rules, *last, &self.kinds);
        let may = match self.options.memory {
            Some(most) if most < needed => format!(
                "; {} at the least, but only {} may be used",
                HumanBytes(needed),
                HumanBytes(most)
            ),
            Some(most) if most < wanted => {
                format!(", beyond {} in files, which takes longer", HumanBytes(most))
            }
            _ => String::new(),
        };
        line("memory", &format!("{}{may}", HumanBytes(wanted)));
        let threads = rayon::current_num_threads();
        let on = if threads == 1 { "thread" } else { "threads" };
        line("time", &format!("about {time} on {threads} {on}"));
        text
    }

    /// What is there after an interrupted build.
    pub fn interrupted(&self, folder: &Path) -> String {
        let all = self.options.layers().count();
        format!(
            "interrupted: {} of {all} layers are in {}; the same command goes on",
            all - self.layers.len(),
            folder.display()
        )
    }

    /// A warning if the build takes more than ten minutes, unless it is refused anyway.
    pub fn warning(&self) -> Option<String> {
        /// A time worth a warning.
        const LONG: Duration = Duration::from_secs(600);
        /// Fewer boards take less time on any machine.
        const FEW: u64 = 300_000_000;
        let needed = memory_needed(self.rules, self.options.seeds, &self.kinds);
        let is_refused = self.options.memory.is_some_and(|most| most < needed);
        if self.boards() < FEW || is_refused {
            return None;
        }
        // Without a place to measure, the build begins all the same.
        let time = self.time().ok()?;
        (time.median >= LONG).then(|| {
            format!(
                "this build takes about {time} and {} of disk; it can be interrupted at any time, \
                 and the same command goes on",
                HumanBytes(self.bytes())
            )
        })
    }
}

/// How long a build takes, by several measurements.
#[derive(Clone, Copy)]
struct BuildTime {
    least: Duration,
    median: Duration,
    most: Duration,
}

impl fmt::Display for BuildTime {
    /// The median or, on a machine that does other work too, the least and the most.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (rough(self.least), rough(self.most));
        match self.most > self.least.mul_f64(1.5) && least != most {
            true => write!(f, "{least} to {most}"),
            false => f.write_str(&rough(self.median)),
        }
    }
}

/// A time in its largest units.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{} s", seconds.max(1)),
        60..7200 => format!("{minutes} min"),
        7200..172_800 => format!("{hours} h"),
        _ => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_spread_is_said() {
        let time = |most| BuildTime {
            least: Duration::from_secs(60),
            median: Duration::from_secs(80),
            most: Duration::from_secs(most),
        };
        assert_eq!(time(90).to_string(), "1 min");
        assert_eq!(time(190).to_string(), "1 min to 3 min");
        let short = BuildTime {
            least: Duration::from_millis(1),
            median: Duration::from_millis(2),
            most: Duration::from_millis(3),
        };
        assert_eq!(short.to_string(), "1 s");
    }

    #[test]
    fn times_have_one_unit() {
        for (seconds, text) in [
            (0, "1 s"),
            (59, "59 s"),
            (130, "2 min"),
            (7300, "2 h"),
            (200_000, "2 days"),
        ] {
            assert_eq!(rough(Duration::from_secs(seconds)), text);
        }
    }
}
