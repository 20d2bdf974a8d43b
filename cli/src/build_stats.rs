//! `krou build --stats`: the speed and timing of each layer, from the events of the
//! build.

use std::io::{self, Write};
use std::ops::AddAssign;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use krou::solve::{Observer, Phase, Ranks};
use krou::table::TableId;
use krou::tablebase::BuildObserver;

use crate::progress::Progress;
use crate::system::cpu_time;

/// Times a build, and passes all events on to its progress.
pub struct BuildStats<'a> {
    progress: &'a Progress,
    /// Threads of all processes.
    threads: usize,
    /// How many processes do as much as this one.
    ranks: u64,
    state: Mutex<State>,
    /// Bytes that the sweep in progress has read and written.
    swept_bytes: AtomicU64,
}

struct State {
    layer: Option<Layer>,
    /// Which work the time from `since` on counts for.
    clock: Clock,
    since: Moment,
    /// Time of the conversions that the next stage needs.
    conversions: Spent,
    /// Boards swept in all layers, each as often as it was swept.
    visits: u64,
}

/// What a rank has sent, and how long it has waited for others.
pub struct RankTraffic {
    bytes: u64,
    waited: Duration,
}

impl RankTraffic {
    /// Of all ranks, which call this together.
    pub fn of_all(ranks: &dyn Ranks) -> Vec<RankTraffic> {
        let own = ranks.traffic();
        let [bytes, waited] = [own.bytes, own.waited_ns].map(|number| ranks.numbers(number));
        let all = bytes.into_iter().zip(waited);
        all.map(|(bytes, waited)| RankTraffic {
            bytes,
            waited: Duration::from_nanos(waited),
        })
        .collect()
    }

    #[allow(clippy::cast_precision_loss)]
    fn line(traffic: &[RankTraffic], visits: u64) -> String {
        let bytes: u64 = traffic.iter().map(|rank| rank.bytes).sum();
        let waited = traffic.iter();
        let waited: Vec<String> = waited
            .map(|rank| format!("{:.1}", rank.waited.as_secs_f64()))
            .collect();
        format!(
            "{} ranks sent {}, {:.2} bytes a board and sweep; seconds in exchanges, \
             without what is computed meanwhile: {}",
            traffic.len(),
            HumanBytes(bytes),
            bytes as f64 / visits.max(1) as f64,
            waited.join(", "),
        )
    }
}

/// A moment, in time and in processor time.
#[derive(Clone, Copy)]
struct Moment {
    time: Instant,
    /// Processor time of the program so far, if the system tells it.
    cpu: Option<Duration>,
}

/// Time and processor time that some work has taken.
#[derive(Clone, Copy)]
struct Spent {
    time: Duration,
    cpu: Option<Duration>,
}

/// The kind of work in progress.
#[derive(Clone, Copy)]
enum Clock {
    Stopped,
    Conversions,
    Sweeps,
    Worklist,
    Packing,
}

/// The layer being built, and its stages so far.
struct Layer {
    seeds: u8,
    boards: u64,
    stages: Vec<Stage>,
}

/// The name of the stage that packs all tables of a layer.
const PACKING: &str = "packing";

/// Values, bounds or distances with their conversions, or packing.
#[derive(Default)]
struct Stage {
    name: &'static str,
    conversions: Spent,
    sweeps: Spent,
    worklist: Spent,
    packing: Spent,
    /// Bytes that sweeps have read and written.
    swept_bytes: u64,
    sweep_count: u32,
    round_count: u32,
    changes: u64,
}

impl<'a> BuildStats<'a> {
    /// For a build by this many processes, each with this many threads.
    pub fn new(progress: &'a Progress, threads: usize, ranks: usize) -> BuildStats<'a> {
        BuildStats {
            progress,
            threads: threads * ranks,
            ranks: ranks as u64,
            state: Mutex::new(State {
                layer: None,
                clock: Clock::Stopped,
                since: Moment::now(),
                conversions: Spent::default(),
                visits: 0,
            }),
            swept_bytes: AtomicU64::new(0),
        }
    }

    /// Prints the last layer, and what the ranks sent to one another.
    pub fn finish(&self, traffic: &[RankTraffic]) {
        let mut state = self.lock();
        self.print(&mut state);
        if traffic.len() > 1 {
            let line = RankTraffic::line(traffic, state.visits);
            self.progress.suspend(|| {
                let _ = writeln!(io::stdout(), "{line}");
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // These are only figures to print; a panic elsewhere does not spoil them.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints the layer that has just been built.
    fn print(&self, state: &mut State) {
        let Some(layer) = state.layer.take() else {
            return;
        };
        self.progress.suspend(|| {
            // The tables matter more than the output: a closed pipe is ignored.
            let _ = write!(io::stdout(), "{}", layer.text(self.threads));
        });
    }
}

impl Moment {
    fn now() -> Moment {
        Moment {
            time: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn since(self, before: Moment) -> Spent {
        Spent {
            time: self.time - before.time,
            cpu: (self.cpu.zip(before.cpu)).map(|(now, before)| now.saturating_sub(before)),
        }
    }
}

impl Default for Spent {
    fn default() -> Spent {
        Spent {
            time: Duration::ZERO,
            cpu: Some(Duration::ZERO),
        }
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.time += other.time;
        self.cpu = self.cpu.zip(other.cpu).map(|(cpu, other)| cpu + other);
    }
}

impl Spent {
    /// How many cores were in use on average, if any time has passed and the system tells
    /// the processor time.
    fn cores(self) -> Option<f64> {
        let time = self.time.as_secs_f64();
        let cpu = self.cpu?.as_secs_f64();
        (time > 0.0).then_some(cpu / time)
    }
}

impl State {
    /// Adds the time since the last call to the work in progress.
    fn lap(&mut self) {
        let now = Moment::now();
        let passed = now.since(std::mem::replace(&mut self.since, now));
        match (self.clock, self.stage()) {
            (Clock::Conversions, _) => self.conversions += passed,
            (Clock::Sweeps, Some(stage)) => stage.sweeps += passed,
            (Clock::Worklist, Some(stage)) => stage.worklist += passed,
            (Clock::Packing, Some(stage)) => stage.packing += passed,
            (Clock::Stopped, _) | (_, None) => {}
        }
    }

    /// The stage in progress.
    fn stage(&mut self) -> Option<&mut Stage> {
        self.layer.as_mut()?.stages.last_mut()
    }

    fn switch(&mut self, clock: Clock) {
        self.lap();
        self.clock = clock;
    }

    fn push(&mut self, name: &'static str) {
        let conversions = std::mem::take(&mut self.conversions);
        if let Some(layer) = &mut self.layer {
            layer.stages.push(Stage {
                name,
                conversions,
                ..Stage::default()
            });
        }
    }
}

impl Layer {
    /// The lines of each stage.
    fn text(&self, threads: usize) -> String {
        let all: Duration = self.stages.iter().map(Stage::time).sum();
        let lines = self.stages.iter();
        lines
            .map(|stage| stage.lines(self.boards, threads, all))
            .collect()
    }
}

impl Stage {
    fn time(&self) -> Duration {
        let parts = [self.conversions, self.sweeps, self.worklist, self.packing];
        parts.iter().map(|part| part.time).sum()
    }

    /// The parts of the stage, with names, that have taken time.
    fn parts(&self) -> impl Iterator<Item = (&'static str, Spent)> {
        [
            ("conversions", self.conversions),
            ("sweeps", self.sweeps),
            ("worklist", self.worklist),
            (PACKING, self.packing),
        ]
        .into_iter()
        .filter(|(_, spent)| !spent.time.is_zero())
    }

    #[allow(clippy::cast_precision_loss)]
    fn lines(&self, boards: u64, threads: usize, all: Duration) -> String {
        /// Avoids division by zero.
        const MIN_TIME: Duration = Duration::from_nanos(1);
        let seconds = self.time().max(MIN_TIME).as_secs_f64();
        let share = |part: Duration| 100.0 * part.as_secs_f64() / all.max(MIN_TIME).as_secs_f64();
        let share_of = |part: Spent| share(part.time);
        let mut line = format!(
            "  {:<9} {:>8.2} M boards/s a core {:>5.1} % of the time",
            self.name,
            boards as f64 / seconds / threads as f64 / 1e6,
            share(self.time()),
        );
        if self.sweep_count > 0 {
            line += &format!(
                ": conversions {:>4.1}, sweeps {:>4.1}, worklist {:>4.1}; \
                 {:>3} sweeps, {:>3} rounds, {:>13} changes, {:>4.2} a board",
                share_of(self.conversions),
                share_of(self.sweeps),
                share_of(self.worklist),
                self.sweep_count,
                self.round_count,
                HumanCount(self.changes).to_string(),
                self.changes as f64 / boards.max(1) as f64,
            );
        }
        line += "\n";
        let cores: Vec<String> = (self.parts())
            .filter_map(|(name, spent)| Some(format!("{name} {:.2}", spent.cores()?)))
            .collect();
        if !cores.is_empty() {
            line += &format!("            cores in use: {}", cores.join(", "));
            if self.swept_bytes > 0 {
                let rate = self.swept_bytes as f64 / self.sweeps.time.max(MIN_TIME).as_secs_f64();
                line += &format!("; sweeps read and write {:.1} GB/s", rate / 1e9);
            }
            line += "\n";
        }
        line
    }
}

impl Observer for BuildStats<'_> {
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        let mut state = self.lock();
        state.switch(match phase {
            Phase::Conversions => Clock::Conversions,
            _ => Clock::Sweeps,
        });
        let current = state.layer.as_ref().map(|layer| layer.seeds);
        if current != Some(seeds) {
            self.print(&mut state);
            let stages = Vec::new();
            state.layer = Some(Layer {
                seeds,
                boards,
                stages,
            });
        }
        match phase {
            Phase::Values => state.push("values"),
            Phase::Bounds => state.push("bounds"),
            Phase::Distances => state.push("distances"),
            _ => {}
        }
        self.progress.begins(seeds, phase, boards);
    }

    fn resumes(&self, seeds: u8, phase: Phase) {
        self.progress.resumes(seeds, phase);
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        self.progress.rejects_checkpoint(checkpoint, reason);
    }

    fn advance(&self, boards: u64) {
        self.progress.advance(boards);
    }

    fn transferred(&self, bytes: u64) {
        let bytes = bytes * self.ranks;
        self.swept_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn swept(&self, sweep: u32, changes: u64) {
        let mut state = self.lock();
        state.lap();
        if let Some(stage) = state.stage() {
            stage.swept_bytes += self.swept_bytes.swap(0, Ordering::Relaxed);
            stage.sweep_count += 1;
            stage.changes += changes;
        }
        state.visits += state.layer.as_ref().map_or(0, |layer| layer.boards);
        self.progress.swept(sweep, changes);
    }

    fn worklist_round(&self, round: u32, changes: u64) {
        let mut state = self.lock();
        state.clock = Clock::Worklist;
        state.lap();
        if let Some(stage) = state.stage() {
            stage.round_count += 1;
            stage.changes += changes;
        }
        self.progress.worklist_round(round, changes);
    }
}

impl BuildObserver for BuildStats<'_> {
    fn present(&self, seeds: u8) {
        self.lock().switch(Clock::Stopped);
        self.progress.present(seeds);
    }

    fn without_distances(&self, seeds: u8) {
        self.progress.without_distances(seeds);
    }

    fn packs(&self, id: TableId, entries: u64) {
        let mut state = self.lock();
        state.switch(Clock::Packing);
        if state.stage().is_none_or(|stage| stage.name != PACKING) {
            state.push(PACKING);
        }
        self.progress.packs(id, entries);
    }

    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        self.lock().switch(Clock::Stopped);
        self.progress.built(id, entries, bytes);
    }
}
