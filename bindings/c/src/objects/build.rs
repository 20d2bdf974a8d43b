//! Building tables, while the calling thread reports the progress.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use krou::Ruleset;
use krou::solve::Meter;
use krou::solve::{Observer, Phase, Stopped};
use krou::table::TableId;
use krou::tablebase::{self, BuildError, BuildOptions, LoadError, ProbeError};
use rayon::ThreadPoolBuilder;

use super::{check_threads, krou_stop};
use crate::border::codes::{
    Failure, KROU_E_BUSY, KROU_E_FOLDER, KROU_E_MEMORY, KROU_E_MISSING, KROU_E_STOPPED,
    KROU_E_TABLE,
};

/// The time between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// How far a build has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Visits of boards so far.
    pub done: u64,
    /// Visits of boards in the whole build.
    pub total: u64,
    /// The layer that is worked on.
    pub seeds: u8,
    /// What is being done with it.
    pub phase: &'static str,
}

/// Remembers how far the build has come.
struct Follower<'a> {
    meter: Meter,
    /// Ends the build when it is set.
    stop: &'a AtomicBool,
    /// The current layer and phase.
    current: Mutex<(u8, &'static str)>,
}

impl Follower<'_> {
    fn enter(&self, seeds: u8, phase: &'static str) {
        self.meter.enter(seeds);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = (seeds, phase);
    }

    fn progress(&self) -> Progress {
        let (seeds, phase) = *self.current.lock().unwrap_or_else(PoisonError::into_inner);
        Progress {
            done: self.meter.position(),
            total: self.meter.total(),
            seeds,
            phase,
        }
    }
}

impl Observer for Follower<'_> {
    fn begins(&self, seeds: u8, phase: Phase, _boards: u64) {
        self.enter(seeds, phase.as_str());
    }

    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        self.meter.advance(boards);
        self.stop.advance(boards)
    }

    fn present(&self, seeds: u8) {
        self.enter(seeds, "present");
    }

    fn packs(&self, id: TableId, _entries: u64) {
        self.enter(id.seeds, "packing");
    }
}

/// Builds tables with this number of threads; 0 stands for one for each core. Calls
/// `on_progress` on the calling thread, which returns whether to go on.
pub fn build(
    rules: Ruleset,
    folder: &Path,
    options: &BuildOptions,
    threads: usize,
    stop: &krou_stop,
    on_progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<(), Failure> {
    check_threads(threads)?;
    let no_threads = |error: &dyn std::error::Error| {
        let message = format!("the threads cannot be started ({error}): ask for fewer");
        Failure::new(KROU_E_MEMORY, message)
    };
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| no_threads(&error))?;
    let follower = Follower {
        meter: Meter::new(options.steps(rules)),
        current: Mutex::new((0, "present")),
        stop: stop.flag(),
    };
    let work = || tablebase::build(rules, folder, options, &follower);
    let built = thread::scope(|scope| {
        // The channel is closed when the work ends, in whichever way.
        let (ends, ended) = mpsc::channel::<()>();
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let _ends = ends;
            pool.install(work)
        });
        let worker = worker.map_err(|error| no_threads(&error))?;
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if !on_progress(follower.progress()) {
                stop.request();
            }
        }
        let built = worker.join();
        Ok::<_, Failure>(built.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    built?;
    follower.meter.finish();
    on_progress(follower.progress());
    Ok(())
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        let code = match &error {
            BuildError::Stopped(_) => KROU_E_STOPPED,
            BuildError::Folder { .. } => KROU_E_FOLDER,
            BuildError::Busy { .. } => KROU_E_BUSY,
            BuildError::Layer(LoadError::Memory(_)) => KROU_E_MEMORY,
            BuildError::Layer(LoadError::Probe(ProbeError::Missing(_))) => KROU_E_MISSING,
            _ => KROU_E_TABLE,
        };
        Failure::new(code, error)
    }
}
