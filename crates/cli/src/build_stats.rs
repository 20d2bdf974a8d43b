//! `krou build --stats`: the speed of each layer, from the events of the build.

use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use krou::solve::Phase;

/// The times and counts of a build.
pub struct BuildStats {
    /// Threads of all processes.
    threads: usize,
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
    /// Bytes of arrays beyond memory that were read and written.
    spilled: u64,
}

const CONVERSIONS: &str = "conversions";

impl BuildStats {
    /// For a build on this many threads of all processes.
    pub fn new(threads: usize) -> BuildStats {
        BuildStats {
            threads,
            seeds: None,
            boards: 0,
            stages: Vec::new(),
            since: Instant::now(),
            is_working: false,
            visits: 0,
        }
    }

    /// A phase of a layer begins. Returns the text about the layer before, if it is over.
    pub fn begins(&mut self, seeds: u8, phase: Phase, boards: u64) -> String {
        self.stops();
        let mut text = String::new();
        if self.seeds != Some(seeds) {
            text = self.take_text();
            (self.seeds, self.boards) = (Some(seeds), boards);
        }
        self.begin(match phase {
            Phase::Values => "values",
            Phase::Bounds => "bounds",
            Phase::Distances => "distances",
            _ => CONVERSIONS,
        });
        text
    }

    /// A sweep is complete.
    pub fn swept(&mut self, changes: u64) {
        self.visits += self.boards;
        if let Some(stage) = self.stages.last_mut() {
            stage.sweeps += 1;
            stage.changes += changes;
        }
    }

    /// A round of the worklist is complete.
    pub fn worklist_round(&mut self, changes: u64) {
        if let Some(stage) = self.stages.last_mut() {
            stage.rounds += 1;
            stage.changes += changes;
        }
    }

    /// Bytes of arrays beyond memory were read and written.
    pub fn spilled(&mut self, bytes: u64) {
        if let Some(stage) = self.stages.last_mut() {
            stage.spilled += bytes;
        }
    }

    /// A table is being packed.
    pub fn packs(&mut self) {
        self.begin("packing");
    }

    /// Work stops until the next stage begins.
    pub fn stops(&mut self) {
        self.lap();
        self.is_working = false;
    }

    /// The text about the last layer, and about the bytes that each of several ranks has sent.
    #[allow(clippy::cast_precision_loss)]
    pub fn finish(&mut self, sent: &[u64]) -> String {
        let mut text = self.take_text();
        if sent.len() > 1 {
            let bytes: u64 = sent.iter().sum();
            let of_visit = bytes as f64 / self.visits.max(1) as f64;
            let (ranks, bytes) = (sent.len(), HumanBytes(bytes));
            text += &format!("{ranks} ranks sent {bytes}, {of_visit:.2} bytes a board and sweep\n");
        }
        text
    }

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
                spilled: 0,
            }),
        }
    }

    /// A line for each stage of the layer, which are forgotten.
    #[allow(clippy::cast_precision_loss)]
    fn take_text(&mut self) -> String {
        /// Avoids division by zero.
        const MIN_TIME: Duration = Duration::from_nanos(1);
        let all: Duration = self.stages.iter().map(|stage| stage.time).sum();
        let mut text = String::new();
        for stage in self.stages.drain(..) {
            let seconds = stage.time.max(MIN_TIME).as_secs_f64();
            text += &format!(
                "  {:<9} {:>8.2} M boards/s a core {:>5.1} % of the time",
                stage.name,
                self.boards as f64 / seconds / self.threads as f64 / 1e6,
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
            if stage.spilled > 0 {
                let of_board = stage.spilled as f64 / self.boards.max(1) as f64;
                let of_sweep = of_board / f64::from(stage.sweeps.max(1));
                text += &format!(
                    "; {of_sweep:.2} bytes a board and sweep, {of_board:.1} a board in files",
                );
            }
            text += "\n";
        }
        text
    }
}
