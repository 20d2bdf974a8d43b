//! The class `Engine`: searches for the best move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use krou::engine::{Aim, EngineOptions, Limits, SearchReport};
use krou::solve::default_memory_limit;
use krou_answers::AnalysisInfo;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::board::PositionArg;
use crate::game::{Game, game_at};
use crate::results::make;
use crate::ruleset::{RulesArg, Ruleset};
use crate::tablebase::Tablebase;
use crate::{arguments, interrupt};

/// The largest transposition table, in MiB.
const MAX_HASH: u64 = 65_536;

/// How long a search sleeps while another thread's search has the engine.
const PAUSE: Duration = Duration::from_millis(5);

/// The options of an engine.
///
/// # Errors
/// If one is out of its range, or there is not memory enough.
pub fn options(
    hash_mib: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<EngineOptions> {
    let mut options = EngineOptions::default();
    if let Some(hash_mib) = hash_mib {
        let mib = arguments::whole(
            "the size of the transposition table",
            hash_mib,
            1..=MAX_HASH,
        )?;
        if let Some(free) = default_memory_limit().filter(|&free| mib << 20 > free) {
            return Err(PyMemoryError::new_err(format!(
                "a transposition table of {mib} MiB does not fit into the free memory: ask for \
                 at most {} MiB",
                free >> 20
            )));
        }
        options = options.with_hash_mib(mib as usize);
    }
    if let Some(threads) = arguments::threads(threads)? {
        options = options.with_threads(threads);
    }
    Ok(options)
}

/// Searches for the best move in games of one ruleset, and plays perfectly where its
/// tablebase reaches.
///
/// ``hash_mib`` is the size of the transposition table in MiB, which is kept from one
/// search to the next. ``aim`` is ``"seeds"`` or ``"result"``: the result of the game, and
/// then the seeds. ``contempt`` is how many seeds less than nothing a draw is worth.
/// ``table_memory``, an int or text such as ``"2G"``, holds layers of the tables in memory.
///
/// With one thread, and limits of depth or nodes alone, a new engine always finds the
/// same. Threads that search at the same time with one engine wait for one another.
///
/// >>> import krou
/// >>> engine = krou.Engine("awari", krou.Tablebase(), hash_mib=16)
/// >>> engine.search("0 1 1 0 2 2 / 0 1 0 1 1 0", depth=4).score
/// -5.0
/// >>> report = engine.search(krou.Game("awari"), depth=6, lines=2)
/// >>> report.exact, len(report.lines)
/// (False, 2)
#[pyclass(frozen, module = "krou")]
#[derive(Debug)]
pub struct Engine {
    rules: krou::Ruleset,
    engine: Mutex<krou::engine::Engine>,
    /// The flag that stops the search in progress.
    current: Mutex<Arc<AtomicBool>>,
}

impl Engine {
    /// The engine, once no other search has it; `None` if `stop` is set before that.
    fn wait(&self, stop: &AtomicBool) -> Option<MutexGuard<'_, krou::engine::Engine>> {
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Some(engine),
                Err(TryLockError::Poisoned(engine)) => return Some(engine.into_inner()),
                Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
    }

    fn current(&self) -> MutexGuard<'_, Arc<AtomicBool>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game of an argument: a `Game`, or anything that stands for a position.
    fn game(&self, position: &Bound<'_, PyAny>) -> PyResult<krou::engine::Game> {
        let Ok(game) = position.cast::<Game>() else {
            let position: PositionArg = position.extract()?;
            return game_at(self.rules, &position.0);
        };
        let game = game.get().record().game().clone();
        if game.rules() != self.rules {
            return Err(PyValueError::new_err(format!(
                "the game is of {}, but the engine plays {}",
                game.rules(),
                self.rules
            )));
        }
        Ok(game)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (
            rules = None, tablebase = None, *, hash_mib = None, threads = None, aim = "seeds",
            contempt = 0.0, table_memory = None
        ),
        text_signature = "(rules='awari', tablebase=None, *, hash_mib=64, threads=1, \
                          aim='seeds', contempt=0.0, table_memory=0)"
    )]
    fn new(
        py: Python<'_>,
        rules: Option<RulesArg>,
        tablebase: Option<&Bound<'_, Tablebase>>,
        hash_mib: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        aim: &str,
        contempt: f64,
        table_memory: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Engine> {
        let rules = RulesArg::or_default(rules);
        let tables = match tablebase {
            Some(tablebase) => Some((*tablebase.get().tables()?).clone()),
            None => None,
        };
        if let Some(other) = tables
            .as_ref()
            .map(krou::Tablebase::rules)
            .filter(|r| *r != rules)
        {
            return Err(PyValueError::new_err(format!(
                "the tablebase is of {other}, but the engine is to play {rules}"
            )));
        }
        let aim = match aim {
            "seeds" => Aim::Seeds,
            "result" => Aim::Result,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "an aim is seeds or result, not '{aim}'"
                )));
            }
        };
        let most = f64::from(EngineOptions::MAX_CONTEMPT) / 100.0;
        if !(-most..=most).contains(&contempt) {
            return Err(PyValueError::new_err(format!(
                "contempt must be from -{most} to {most} seeds, not {contempt}"
            )));
        }
        let mut options = options(hash_mib, threads)?
            .with_aim(aim)
            .with_contempt((contempt * 100.0).round() as i16);
        if let Some(bytes) = table_memory {
            options = options.with_table_memory(arguments::memory(bytes)?);
        }
        let engine = py.detach(|| krou::engine::Engine::new(rules, tables, options));
        Ok(Engine {
            rules,
            engine: Mutex::new(engine),
            current: Mutex::default(),
        })
    }

    /// The ruleset.
    #[getter]
    fn rules(&self) -> Ruleset {
        Ruleset(self.rules)
    }

    /// Searches for the best move of a ``Game``, or of a board or position; ``None`` if
    /// the game is over.
    ///
    /// At least one limit is needed: ``depth`` in plies, ``nodes``, or ``time`` in
    /// seconds, which may be ``math.inf``. An exact score ends the search as well.
    /// ``lines`` asks for the scores of several moves, and ``pits`` restricts the search
    /// to some. ``progress`` is called with a ``SearchReport`` on the calling thread, as
    /// the search gets deeper. Ctrl-C, and an exception that ``progress`` raises, stop the
    /// search; so does ``stop``: the search then returns its best moves so far.
    #[pyo3(
        signature = (
            position, *, depth = None, nodes = None, time = None, lines = None, pits = None,
            progress = None
        ),
        text_signature = "($self, position, *, depth=None, nodes=None, time=None, lines=1, \
                          pits=None, progress=None)"
    )]
    fn search<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        depth: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        lines: Option<&Bound<'_, PyAny>>,
        pits: Option<Vec<u8>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = self.game(position)?;
        let mut limits = limits(depth, nodes, time)?;
        if let Some(lines) = lines {
            let lines = arguments::whole("the number of lines", lines, 1..=6)?;
            limits = limits.with_lines(lines as usize);
        }
        if let Some(pits) = pits {
            let legal = |pit: &u8| game.moves().legal().any(|step| step.pit == *pit);
            if game.outcome().is_none() && !pits.iter().any(legal) {
                return Err(PyValueError::new_err("none of the pits is a legal move"));
            }
            limits = limits.with_pits(&pits);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let work = |reports: Sender<AnalysisInfo>| {
            let mut engine = self.wait(&stop)?;
            *self.current() = Arc::clone(&stop);
            let mut report = |report: &SearchReport| {
                // Nobody listens any more if the search is being stopped.
                let _ = reports.send(AnalysisInfo::new(&game, report));
            };
            engine.search(&game, &limits, &stop, &mut report)
        };
        let report = |py: Python<'_>, info: AnalysisInfo| match &progress {
            Some(progress) => {
                let report = make(py, "search_report", &info)?;
                progress.call1(py, (report,)).map(|_| ())
            }
            None => Ok(()),
        };
        let report = interrupt::run(py, &stop, work, report)?;
        let info = report.map(|report| AnalysisInfo::new(&game, &report));
        info.map(|info| make(py, "search_report", &info))
            .transpose()
    }

    /// Ends the search in progress, if there is one, in another thread.
    fn stop(&self) {
        self.current().store(true, Ordering::Relaxed);
    }

    /// Clears the transposition table, as before a new game.
    fn clear_hash(&self, py: Python<'_>) {
        py.detach(|| {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.clear_hash();
        });
    }

    fn __repr__(&self) -> String {
        format!("<krou.Engine of {}>", self.rules)
    }
}

/// The limits of a search.
fn limits(
    depth: Option<&Bound<'_, PyAny>>,
    nodes: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
) -> PyResult<Limits> {
    if depth.is_none() && nodes.is_none() && time.is_none() {
        return Err(PyValueError::new_err(
            "a search needs a limit: give depth, nodes or time",
        ));
    }
    let mut limits = Limits::default();
    if let Some(depth) = depth {
        limits = limits.with_depth(arguments::whole("the depth", depth, 1..=255)? as u8);
    }
    if let Some(nodes) = nodes {
        let nodes = arguments::whole("the number of nodes", nodes, 1..=u64::MAX)?;
        limits = limits.with_nodes(nodes);
    }
    limits.time = time.map(arguments::seconds).transpose()?.flatten();
    Ok(limits)
}
