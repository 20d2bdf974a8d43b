//! The engine: options, tables and the transposition table behind one search call.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::asking::Asking;
use super::clock::{Clock, Counters};
use super::deepen::{self, Plan};
#[cfg(test)]
use super::entry::{BoardKey, HashEntry};
use super::limits::Limits;
use super::report::{GameResult, SearchReport};
use super::root_probe::{self, Advice, Choice};
use super::score::{Aim, Score};
use super::threads::{DeferredMoves, SHALLOW_BYTES, ThreadMemory};
use super::transposition::TranspositionTable;
use crate::engine::game::Game;
use crate::engine::table_errors::TableErrors;
use crate::engine::table_source::{NoTables, ProberSource, SearchSource};
#[cfg(test)]
use crate::rules::{Board, PackedBoard};
use crate::rules::{Bounds, Next, Ruleset, Step};
use crate::tablebase::Tablebase;

/// Options of an [`Engine`].
///
/// ```
/// use krou::engine::EngineOptions;
///
/// let options = EngineOptions::default().with_hash_mib(16).with_threads(2);
/// assert_eq!((options.hash_mib, options.threads), (16, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EngineOptions {
    /// Size of the transposition table in MiB, allocated when the engine is created. Each search
    /// thread has another one of 256 KiB while it searches, unless this is 0.
    pub hash_mib: usize,
    /// Number of search threads.
    pub threads: usize,
    /// What the engine maximises.
    pub aim: Aim,
    /// How much less than nothing a drawn game is worth to the engine, in hundredths of a
    /// seed: with 100, it would rather be a seed behind in an open game than draw. At most
    /// [`EngineOptions::MAX_CONTEMPT`] either way, and only with [`Aim::Result`]. Exact
    /// scores do not change.
    pub contempt: i16,
    /// Bytes for layers of the tables that are held in memory, loaded in the background
    /// from few seeds to many: see [`Tablebase::make_resident`].
    pub table_memory: u64,
}

impl EngineOptions {
    /// The largest contempt: ten seeds.
    pub const MAX_CONTEMPT: i16 = 1000;

    /// These options with a transposition table of this size.
    #[must_use]
    pub fn with_hash_mib(mut self, hash_mib: usize) -> EngineOptions {
        self.hash_mib = hash_mib;
        self
    }

    /// These options with this number of search threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> EngineOptions {
        self.threads = threads;
        self
    }

    /// These options with this aim.
    #[must_use]
    pub fn with_aim(mut self, aim: Aim) -> EngineOptions {
        self.aim = aim;
        self
    }

    /// These options with this contempt, or the nearest one allowed.
    #[must_use]
    pub fn with_contempt(mut self, contempt: i16) -> EngineOptions {
        let most = EngineOptions::MAX_CONTEMPT;
        self.contempt = contempt.clamp(-most, most);
        self
    }

    /// These options with this many bytes for layers in memory.
    #[must_use]
    pub fn with_table_memory(mut self, bytes: u64) -> EngineOptions {
        self.table_memory = bytes;
        self
    }
}

impl Default for EngineOptions {
    /// 64 MiB, one thread, seeds as the aim, and no layers in memory.
    fn default() -> EngineOptions {
        EngineOptions {
            hash_mib: 64,
            threads: 1,
            aim: Aim::default(),
            contempt: 0,
            table_memory: 0,
        }
    }
}

/// Chooses moves in games of one ruleset: searches, and probes tables for every board
/// that they cover.
///
/// The transposition table is kept from one search to the next. With one thread, and
/// limits of depth or nodes alone, a new engine, or one after [`Engine::clear_hash`],
/// gives the same reports for the same games.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use krou::engine::{Engine, EngineOptions, Game, Limits};
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let mut engine = Engine::new(Ruleset::AWARI, Some(tables), EngineOptions::default());
/// let mut game = Game::new(Ruleset::AWARI);
/// let limits = Limits::default().with_depth(6);
/// // Another thread may set this to stop the search.
/// let stop = AtomicBool::new(false);
/// let report = engine
///     .search(&game, &limits, &stop, &mut |report| assert!(report.depth <= 6))
///     .expect("the game is not over");
/// assert!(!report.score.is_exact());
/// game.play(report.pv[0])?;
/// # Ok::<(), krou::engine::PlayError>(())
/// ```
pub struct Engine {
    rules: Ruleset,
    tables: Option<Tablebase>,
    table_errors: Arc<TableErrors>,
    /// The layers that are being loaded, or were.
    loading: Option<Loading>,
    hash: TranspositionTable,
    options: EngineOptions,
}

impl Engine {
    /// An engine for a ruleset, with the tables of this ruleset if there are any.
    ///
    /// # Panics
    /// If the tables are of another ruleset.
    pub fn new(rules: Ruleset, tables: Option<Tablebase>, options: EngineOptions) -> Engine {
        assert!(tables.as_ref().is_none_or(|tables| tables.rules() == rules));
        let table_errors = Arc::new(TableErrors::default());
        let tables = tables.map(|tables| tables.without_waiting());
        let loading = tables
            .as_ref()
            .and_then(|tables| Loading::start(tables, options.table_memory, &table_errors));
        Engine {
            rules,
            tables,
            table_errors,
            loading,
            hash: TranspositionTable::new(options.hash_mib),
            options,
        }
    }

    /// The engine's ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The engine's options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes the options, which clears the transposition table. If its size changes, the
    /// old table is released before the new one is allocated. Layers that are in memory or
    /// being loaded stay so unless `table_memory` changes.
    pub fn set_options(&mut self, options: EngineOptions) {
        if options.hash_mib == self.options.hash_mib {
            self.hash.clear();
        } else {
            self.hash = TranspositionTable::new(0);
            self.hash = TranspositionTable::new(options.hash_mib);
        }
        if options.table_memory != self.options.table_memory {
            self.loading = None;
            self.loading = self.tables.as_ref().and_then(|tables| {
                Loading::start(tables, options.table_memory, &self.table_errors)
            });
        }
        self.options = options;
    }

    /// The tables that could not be read so far. The engine searches in their place.
    pub fn table_errors(&self) -> &TableErrors {
        &self.table_errors
    }

    /// Whether there are tables for boards with this number of seeds.
    pub(in crate::engine) fn has_tables_for(&self, seeds: u8) -> bool {
        let tables = self.tables.as_ref();
        tables.is_some_and(|tables| tables.layers().contains(seeds))
    }

    /// Clears the transposition table, as before a new game. This takes no time,
    /// whatever its size.
    pub fn clear_hash(&mut self) {
        self.hash.clear();
    }

    /// Waits for layers in memory if the result must not depend on how far they are.
    fn wait_for_layers(&self, limits: &Limits, stop: &AtomicBool) {
        if let Some(loading) = &self.loading
            && limits.are_independent_of_time()
        {
            loading.wait(stop);
        }
    }

    /// Makes room for what a search will know.
    fn begin(&mut self, limits: &Limits) {
        if limits.until_win {
            // Results of selective searches prove nothing about deeper wins.
            self.hash.clear();
        } else {
            self.hash.new_search();
        }
    }

    /// The report of a search that tables make needless: these moves have this score.
    fn table_report(
        &self,
        game: &Game,
        score: Score,
        steps: &[Step],
        certain: Option<Bounds>,
    ) -> SearchReport {
        let line = SearchReport::new(score, self.table_pv(&steps[0]));
        let lead = game.lead(game.to_move());
        SearchReport {
            proven: certain.unwrap_or(line.proven),
            result: certain
                .and_then(|Bounds { lower, upper }| GameResult::within(lead + lower, lead + upper)),
            ties: steps[1..].iter().map(|step| step.pit).collect(),
            ..line
        }
    }

    /// Searches for the best move until a limit is reached, `stop` is set, or the scores
    /// of all lines are exact. Calls `on_report` after each completed depth. However short
    /// the time, there is a move; `None` only if the game cannot go on.
    ///
    /// Hosts of tables are asked about the board beside the search, which begins again with their
    /// answer. A search with a limit of depth or nodes but none of time first waits for them, and
    /// until the layers that are held in memory have been loaded, so that its result does not
    /// depend on how far that is.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        assert_eq!(game.rules(), self.rules);
        if !game.can_go_on() {
            return None;
        }
        self.wait_for_layers(limits, stop);
        let asking = self.tables.as_ref();
        let asking =
            asking.and_then(|tables| Asking::start(tables, &game.board(), &self.table_errors));
        if let Some(asking) = asking.as_ref().filter(|_| limits.are_independent_of_time()) {
            asking.wait(stop);
        }
        let total = Counters::default();
        let clock = Clock::start(limits, stop, &total);
        if let Some(asking) = &asking {
            let answered = asking.answered();
            let is_answered = || answered.load(Ordering::Relaxed);
            if !is_answered() {
                let report = self.search_here(game, limits, clock.until(answered), on_report);
                let has_time = limits.time.is_none_or(|time| clock.time() < time);
                if !is_answered() || !has_time || stop.load(Ordering::Relaxed) {
                    return Some(report);
                }
            }
        }
        Some(self.search_here(game, limits, clock, on_report))
    }

    /// Searches with what tables say without waiting for a host.
    fn search_here(
        &mut self,
        game: &Game,
        limits: &Limits,
        mut clock: Clock,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let pits = allowed_pits(game, limits);
        let aim = self.options.aim;
        let advice = self.tables.as_ref().and_then(|tables| {
            root_probe::advise(game, &pits, aim, tables, &self.table_errors, &mut clock)
        });
        if let Some(Advice { certain, choice }) = &advice
            && let Choice::Play(score, steps) = choice
            && limits.lines == 1
        {
            let report = SearchReport {
                nodes: clock.nodes(),
                table_hits: pits.len() as u64,
                time: clock.time(),
                ..self.table_report(game, *score, steps, *certain)
            };
            on_report(&report);
            return report;
        }
        self.begin(limits);
        let mut plan = Plan {
            game,
            limits,
            aim,
            contempt: self.options.contempt,
            first: pits.clone(),
            pits,
            is_restricted: false,
            first_score: None,
            certain: advice.as_ref().and_then(|advice| advice.certain),
            by_history: false,
            known: Vec::new(),
            table_pv: &|pit| match self.rules.play(&game.board(), pit) {
                Ok(step) => self.table_pv(&step),
                Err(_) => vec![pit],
            },
        };
        if let Some(advice) = advice {
            plan.follow(advice.choice);
        }
        if limits.lines == 1 {
            plan.pits.clone_from(&plan.first);
        } else if let Some(tables) = &self.tables {
            plan.known = root_probe::known_moves(game, &plan.pits, tables, &self.table_errors);
        }
        self.follow(&plan, clock, on_report)
    }

    fn follow(
        &self,
        plan: &Plan<'_>,
        clock: Clock,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        match &self.tables {
            Some(tables) => {
                let source = || ProberSource::new(tables, &self.table_errors);
                self.search_in_threads(plan, source, clock, on_report)
            }
            None => self.search_in_threads(plan, || NoTables, clock, on_report),
        }
    }

    fn search_in_threads<S: SearchSource>(
        &self,
        plan: &Plan,
        source: impl Fn() -> S + Sync,
        clock: Clock,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let deferred = DeferredMoves::new(self.options.threads);
        let search = |clock, on_report: &mut dyn FnMut(&SearchReport)| {
            let memory = ThreadMemory {
                hash: &self.hash,
                shallow: &self.shallow_table(),
                deferred: &deferred,
            };
            deepen::deepen(plan, source(), memory, clock, on_report)
        };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 1..self.options.threads {
                let (clock, search) = (clock.until(&done), &search);
                let help = move || search(clock, &mut |_| ());
                // If the system allows no more threads, the search goes on with fewer.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let report = search(clock, on_report);
            done.store(true, Ordering::Relaxed);
            report
        })
    }

    /// A thread's table for shallow nodes; one that stores nothing if the engine has no
    /// transposition table.
    fn shallow_table(&self) -> TranspositionTable {
        let has_hash = self.options.hash_mib > 0;
        TranspositionTable::of_bytes(if has_hash { SHALLOW_BYTES } else { 0 })
    }

    /// A move followed by the best moves of both sides, from the tables of this machine: on
    /// another one each ply would take a few requests.
    fn table_pv(&self, step: &Step) -> Vec<u8> {
        /// The longest principal variation from tables, in plies.
        const PLIES: usize = 12;
        let mut pv = vec![step.pit];
        if let (Some(tables), true) = (&self.tables, step.next != Next::Over)
            && !tables.is_remote(step.board.seeds())
            && let Some(line) = self
                .table_errors
                .log(tables.best_line(&step.board, PLIES - 1))
        {
            pv.extend(line.steps.iter().map(|step| step.pit));
        }
        pv
    }
}

/// The thread that loads layers. It ends early when this is dropped.
struct Loading {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

impl Loading {
    /// Starts to load the layers that fit into this many bytes; `None` if there is nothing
    /// to do. If the system allows no more threads, the engine probes the files.
    fn start(tables: &Tablebase, bytes: u64, errors: &Arc<TableErrors>) -> Option<Loading> {
        if bytes == 0 {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let load = {
            let (tables, errors) = (tables.clone(), Arc::clone(errors));
            let stop = Arc::clone(&stop);
            move || {
                errors.log(tables.make_resident(bytes, &stop, &|_| ()));
            }
        };
        let thread = thread::Builder::new().name("tables".to_owned());
        let thread = thread.spawn(load).ok()?;
        Some(Loading { thread, stop })
    }

    /// Waits until the layers are loaded, or `stop` is set.
    fn wait(&self, stop: &AtomicBool) {
        /// How much later than that the wait ends, at most.
        const PAUSE: Duration = Duration::from_millis(1);
        while !self.thread.is_finished() && !stop.load(Ordering::Relaxed) {
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The legal pits that the limits allow, or all legal ones if they allow none of them.
fn allowed_pits(game: &Game, limits: &Limits) -> Vec<u8> {
    let moves = game.moves();
    let legal = || moves.legal().map(|step| step.pit);
    let allowed: Vec<u8> = legal().filter(|&pit| limits.allows(pit)).collect();
    if allowed.is_empty() {
        legal().collect()
    } else {
        allowed
    }
}

#[cfg(test)]
impl Engine {
    /// What the transposition table holds of a board with this lead.
    pub(super) fn entry(&self, board: &Board, lead: i8) -> Option<HashEntry> {
        self.hash.get(BoardKey::of(PackedBoard::of(board), lead))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.tables.as_ref();
        f.debug_struct("Engine")
            .field("rules", &self.rules)
            .field("options", &self.options)
            .field(
                "highest_layer",
                &tables.map(|tables| tables.layers().highest()),
            )
            .finish_non_exhaustive()
    }
}
