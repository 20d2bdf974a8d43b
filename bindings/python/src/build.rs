//! Building tables, with progress and a way to stop.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use krou::rules::UnknownWord;
use krou::solve::Meter;
use krou::solve::{Observer, Phase, Stopped, default_memory_limit};
use krou::table::{Codec, TableId};
use krou::tablebase::BuildOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::build_error;
use crate::results::make;
use crate::ruleset::RulesArg;
use crate::{arguments, interrupt, pool};

/// The shortest time between two events of the kind `progress`.
const INTERVAL: Duration = Duration::from_millis(100);

/// Something that happened in a build.
#[derive(Serialize)]
struct BuildEvent {
    kind: &'static str,
    seeds: u8,
    phase: Option<&'static str>,
    /// Visits of boards, so far and in the whole build.
    done: u64,
    total: u64,
    /// How many entries a sweep has changed.
    changes: Option<u64>,
    /// A complete table, and its length.
    file: Option<String>,
    bytes: Option<u64>,
    message: Option<String>,
}

/// Turns what an observer hears into events.
struct Reporter<'a> {
    events: Sender<BuildEvent>,
    meter: Meter,
    /// Ends the build when it is set.
    stop: &'a AtomicBool,
    state: Mutex<State>,
}

struct State {
    seeds: u8,
    phase: Option<&'static str>,
    /// When the last event was sent.
    sent: Instant,
}

impl<'a> Reporter<'a> {
    fn new(events: Sender<BuildEvent>, meter: Meter, stop: &'a AtomicBool) -> Reporter<'a> {
        Reporter {
            events,
            meter,
            stop,
            state: Mutex::new(State {
                seeds: 0,
                phase: None,
                sent: Instant::now(),
            }),
        }
    }

    /// An event of this kind, and nothing more.
    fn event(&self, kind: &'static str) -> BuildEvent {
        let state = self.lock();
        BuildEvent {
            kind,
            seeds: state.seeds,
            phase: state.phase,
            done: self.meter.position(),
            total: self.meter.total(),
            changes: None,
            file: None,
            bytes: None,
            message: None,
        }
    }

    fn send(&self, event: BuildEvent) {
        self.lock().sent = Instant::now();
        // Nobody listens any more if the build is being stopped.
        let _ = self.events.send(event);
    }

    fn enter(&self, seeds: u8, phase: Option<&'static str>) {
        self.meter.enter(seeds);
        let mut state = self.lock();
        (state.seeds, state.phase) = (seeds, phase);
    }

    fn note(&self, message: String) {
        self.send(BuildEvent {
            message: Some(message),
            ..self.event("note")
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is time for another event, which the caller then sends.
    fn is_due(&self) -> bool {
        let mut state = self.lock();
        let is_due = state.sent.elapsed() >= INTERVAL;
        if is_due {
            state.sent = Instant::now();
        }
        is_due
    }
}

impl Observer for Reporter<'_> {
    fn begins(&self, seeds: u8, phase: Phase, _boards: u64) {
        self.enter(seeds, Some(phase.as_str()));
        self.send(self.event("phase"));
    }

    fn resumes(&self, seeds: u8, phase: Phase) {
        self.enter(seeds, Some(phase.as_str()));
        self.send(self.event("resumed"));
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        self.note(format!("{} is ignored: {reason}", checkpoint.display()));
    }

    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        self.meter.advance(boards);
        if self.is_due() {
            self.send(self.event("progress"));
        }
        self.stop.advance(boards)
    }

    fn swept(&self, _sweep: u32, changes: u64) {
        self.send(BuildEvent {
            changes: Some(changes),
            ..self.event("sweep")
        });
    }

    fn present(&self, seeds: u8) {
        self.enter(seeds, None);
        self.send(self.event("present"));
    }

    fn without_distances(&self, seeds: u8) {
        self.note(format!(
            "{seeds} seeds: no table of distances, because one exceeds what tables can hold"
        ));
    }

    fn packs(&self, id: TableId, _entries: u64) {
        self.enter(id.seeds, Some("packing"));
        self.send(self.event("phase"));
    }

    fn built(&self, id: TableId, _entries: u64, bytes: u64) {
        self.send(BuildEvent {
            file: Some(id.file_name()),
            bytes: Some(bytes),
            ..self.event("table")
        });
    }
}

/// Solves all layers up to ``seeds`` seeds that are not in a folder yet, and writes their
/// tables there: values, bounds where the ruleset has them, and distances if
/// ``distance`` is true.
///
/// ``threads`` is one for each core unless set. ``memory`` limits the memory in use: an
/// int, in bytes, or text such as ``"2G"``; without it most of the free memory. Arrays
/// that do not fit are in spill files in the folder, and the build takes longer. ``codec`` is
/// ``"small"``, ``"packed"``, ``"zstd"`` or ``"raw"``. With ``checkpoint`` the layer being
/// solved is saved every so many seconds.
///
/// ``progress`` is called with a ``BuildEvent`` on the calling thread. Ctrl-C stops the
/// build, and so does an exception that ``progress`` raises. Finished layers stay in the
/// folder, and the next call resumes after them.
///
/// >>> import krou, tempfile
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> krou.build(4, folder.name, rules="abapa", distance=True)
/// >>> krou.Tablebase("abapa", folder.name).layers
/// [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
/// >>> folder.cleanup()
#[pyfunction]
#[pyo3(
    signature = (
        seeds, path, rules = None, distance = false, threads = None, memory = None,
        progress = None, *, codec = None, checkpoint = None
    ),
    text_signature = "(seeds, path, rules='awari', distance=False, threads=None, \
                      memory=None, progress=None, *, codec='small', checkpoint=None)"
)]
pub fn build(
    py: Python<'_>,
    seeds: &Bound<'_, PyAny>,
    path: PathBuf,
    rules: Option<RulesArg>,
    distance: bool,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    codec: Option<&str>,
    checkpoint: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let rules = RulesArg::or_default(rules);
    let memory = memory.map(arguments::memory).transpose()?;
    let mut options = BuildOptions {
        distance,
        memory: memory.or_else(default_memory_limit),
        ..BuildOptions::new(arguments::seeds(seeds)?)
    };
    if let Some(codec) = codec {
        let codec: Codec = codec
            .parse()
            .map_err(|error: UnknownWord| PyValueError::new_err(error.to_string()))?;
        options.write = codec.into();
    }
    if let Some(every) = checkpoint {
        options.checkpoint = arguments::seconds(every)?;
    }
    let pool = pool::with_threads(arguments::threads(threads)?)?;

    let stop = AtomicBool::new(false);
    let work = |events: Sender<BuildEvent>| {
        let reporter = Reporter::new(events, Meter::new(options.steps(rules)), &stop);
        let built = pool.install(|| krou::tablebase::build(rules, &path, &options, &reporter));
        if built.is_ok() && !stop.load(Ordering::Relaxed) {
            reporter.meter.finish();
            reporter.send(reporter.event("done"));
        }
        built
    };
    let report = |py: Python<'_>, event: BuildEvent| match &progress {
        Some(progress) => {
            let event = make(py, "BuildEvent", &event)?;
            progress.call1(py, (event,)).map(|_| ())
        }
        None => Ok(()),
    };
    let built = interrupt::run(py, &stop, work, report)?;
    built.map_err(|error| build_error(py, &error))
}
