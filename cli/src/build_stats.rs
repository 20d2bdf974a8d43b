//! `krou build --stats`: the speed of each layer, from the events of the build.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use krou::solve::{Observer, Phase, Ranks};
use krou::table::TableId;
use krou::tablebase::BuildObserver;

use crate::progress::Progress;

/// Times a build, and passes all events on to its progress.
pub struct BuildStats<'a> {
    progress: &'a Progress,
    /// Threads of all processes.
    threads: usize,
    state: Mutex<State>,
}

struct State {
    seeds: Option<u8>,
    boards: u64,
    /// The stages of the layer so far. The last one is in progress, unless work has stopped.
    stages: Vec<Stage>,
    since: Instant,
    is_working: bool,
    /// Boards swept in all layers, each as often as it was swept.
    visits: u64,
}

/// Conversions and the values, bounds or distances that need them; or packing.
struct Stage {
    name: &'static str,
    time: Duration,
    sweeps: u32,
    rounds: u32,
    changes: u64,
}

const CONVERSIONS: &str = "conversions";
const PACKING: &str = "packing";

impl<'a> BuildStats<'a> {
    /// For a build on this many threads of all processes.
    pub fn new(progress: &'a Progress, threads: usize) -> BuildStats<'a> {
        BuildStats {
            progress,
            threads,
            state: Mutex::new(State {
                seeds: None,
                boards: 0,
                stages: Vec::new(),
                since: Instant::now(),
                is_working: false,
                visits: 0,
            }),
        }
    }

    /// Prints the last layer, and how many bytes the ranks have sent and how long each has
    /// waited for others. All ranks call [`traffic`] for this.
    pub fn finish(&self, ranks: &dyn Ranks) {
        let mut state = self.lock();
        self.print(&mut state);
        let traffic = traffic(ranks);
        if traffic.len() > 1 {
            self.progress.suspend(|| {
                let _ = writeln!(io::stdout(), "{}", traffic_line(&traffic, state.visits));
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // These are only figures to print; a panic elsewhere does not spoil them.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints the layer that has just been built.
    fn print(&self, state: &mut State) {
        let text = state.text(self.threads);
        self.progress.suspend(|| {
            // The tables matter more than the output: a closed pipe is ignored.
            let _ = write!(io::stdout(), "{text}");
        });
        state.stages.clear();
    }
}

/// The bytes that each rank has sent, and the nanoseconds that it has waited for others. All
/// ranks call this together.
pub fn traffic(ranks: &dyn Ranks) -> Vec<(u64, u64)> {
    let own = ranks.traffic();
    let [bytes, waited] = [own.bytes, own.waited_ns].map(|number| ranks.numbers(number));
    bytes.into_iter().zip(waited).collect()
}

#[allow(clippy::cast_precision_loss)]
fn traffic_line(traffic: &[(u64, u64)], visits: u64) -> String {
    let bytes: u64 = traffic.iter().map(|(bytes, _)| bytes).sum();
    let waited = traffic.iter();
    let waited: Vec<String> = waited
        .map(|(_, waited)| format!("{:.1}", *waited as f64 / 1e9))
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

impl State {
    /// Adds the time since the last call to the stage in progress.
    fn lap(&mut self) {
        let passed = self.since.elapsed();
        self.since = Instant::now();
        if let Some(stage) = self.stages.last_mut().filter(|_| self.is_working) {
            stage.time += passed;
        }
    }

    /// Begins a stage, which includes the conversions before it.
    fn begin(&mut self, name: &'static str) {
        self.lap();
        self.is_working = true;
        match self.stages.last_mut() {
            Some(stage) if stage.name == CONVERSIONS || stage.name == name => stage.name = name,
            _ => self.stages.push(Stage {
                name,
                time: Duration::ZERO,
                sweeps: 0,
                rounds: 0,
                changes: 0,
            }),
        }
    }

    fn stop(&mut self) {
        self.lap();
        self.is_working = false;
    }

    /// A line for each stage of the layer.
    #[allow(clippy::cast_precision_loss)]
    fn text(&self, threads: usize) -> String {
        /// Avoids division by zero.
        const MIN_TIME: Duration = Duration::from_nanos(1);
        let all: Duration = self.stages.iter().map(|stage| stage.time).sum();
        let mut text = String::new();
        for stage in &self.stages {
            let seconds = stage.time.max(MIN_TIME).as_secs_f64();
            text += &format!(
                "  {:<9} {:>8.2} M boards/s a core {:>5.1} % of the time",
                stage.name,
                self.boards as f64 / seconds / threads as f64 / 1e6,
                100.0 * seconds / all.max(MIN_TIME).as_secs_f64(),
            );
            if stage.sweeps > 0 {
                text += &format!(
                    "; {:>3} sweeps, {:>3} rounds, {:>13} changes, {:>4.2} a board",
                    stage.sweeps,
                    stage.rounds,
                    HumanCount(stage.changes).to_string(),
                    stage.changes as f64 / self.boards.max(1) as f64,
                );
            }
            text += "\n";
        }
        text
    }
}

impl Observer for BuildStats<'_> {
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        let mut state = self.lock();
        state.stop();
        if state.seeds != Some(seeds) {
            self.print(&mut state);
            (state.seeds, state.boards) = (Some(seeds), boards);
        }
        state.begin(match phase {
            Phase::Values => "values",
            Phase::Bounds => "bounds",
            Phase::Distances => "distances",
            _ => CONVERSIONS,
        });
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

    fn swept(&self, sweep: u32, changes: u64) {
        let mut state = self.lock();
        state.visits += state.boards;
        if let Some(stage) = state.stages.last_mut() {
            stage.sweeps += 1;
            stage.changes += changes;
        }
        self.progress.swept(sweep, changes);
    }

    fn worklist_round(&self, round: u32, changes: u64) {
        if let Some(stage) = self.lock().stages.last_mut() {
            stage.rounds += 1;
            stage.changes += changes;
        }
        self.progress.worklist_round(round, changes);
    }
}

impl BuildObserver for BuildStats<'_> {
    fn present(&self, seeds: u8) {
        self.lock().stop();
        self.progress.present(seeds);
    }

    fn without_distances(&self, seeds: u8) {
        self.progress.without_distances(seeds);
    }

    fn packs(&self, id: TableId, entries: u64) {
        self.lock().begin(PACKING);
        self.progress.packs(id, entries);
    }

    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        self.lock().stop();
        self.progress.built(id, entries, bytes);
    }
}
