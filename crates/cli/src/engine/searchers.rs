//! Who searches for a session: the engine or, below the highest level, an opponent. They work on
//! a thread, and report by events.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use krou::engine::{Engine, Game, Limits, Opponent, SearchReport, TableErrors};

use super::event::Event;
use super::options::Options;
use super::perft::perft;

/// The engine, the opponent of a level, and where they report.
pub struct Searchers {
    /// Locked by the thread of the search in progress, as the opponent is.
    engine: Arc<Mutex<Engine>>,
    /// Who chooses the moves of this game, once one was asked for.
    opponent: Option<Arc<Mutex<Opponent>>>,
    events: SyncSender<Event>,
    /// What has been told about tables that could not be read.
    told: Vec<String>,
}

impl Searchers {
    /// The engine of these options, without an opponent.
    pub fn new(options: &Options, events: SyncSender<Event>) -> Searchers {
        Searchers {
            engine: Arc::new(Mutex::new(options.new_engine())),
            opponent: None,
            events,
            told: Vec::new(),
        }
    }

    /// The engine, while no search is in progress.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        locked(&self.engine)
    }

    /// The opponent of this game, if the options ask for one.
    pub fn opponent(&mut self, options: &mut Options) -> Option<Arc<Mutex<Opponent>>> {
        if self.opponent.is_none() {
            let opponent = options.new_opponent();
            self.opponent = opponent.map(|opponent| Arc::new(Mutex::new(opponent)));
        }
        self.opponent.clone()
    }

    /// Another opponent chooses from now on.
    pub fn forget_opponent(&mut self) {
        self.opponent = None;
    }

    /// Searches until a limit is reached or `stop` is set.
    pub fn search(&self, game: Game, limits: Limits, stop: Arc<AtomicBool>) -> Result<()> {
        let (engine, events) = (Arc::clone(&self.engine), self.events.clone());
        in_background(move || {
            let found = locked(&engine).search(&game, &limits, &stop, &mut |report| {
                // The receiver is gone once the program ends.
                let _ = events.send(Event::Depth(SearchReport::clone(report)));
            });
            let _ = events.send(Event::Found(found));
        })
    }

    /// Lets an opponent choose until it has or `stop` is set.
    pub fn choose(
        &self,
        opponent: Arc<Mutex<Opponent>>,
        game: Game,
        stop: Arc<AtomicBool>,
    ) -> Result<()> {
        let events = self.events.clone();
        in_background(move || {
            let pit = locked(&opponent).choose(&game, &stop);
            let _ = events.send(Event::Chosen(pit));
        })
    }

    /// Counts the sequences of moves that begin with each legal one.
    pub fn count(&self, game: Game, plies: u8, stop: Arc<AtomicBool>) -> Result<()> {
        let events = self.events.clone();
        in_background(move || {
            for count in perft(&game, plies, &stop) {
                let _ = events.send(Event::Count(count));
            }
            let _ = events.send(Event::Found(None));
        })
    }

    /// A sentence for each table that could not be read since the last call, while no search is
    /// in progress.
    pub fn new_errors(&mut self) -> Vec<String> {
        let mut errors = self.engine().table_errors().of_files();
        if let Some(opponent) = &self.opponent {
            let of_opponent = locked(opponent).table_errors().map(TableErrors::of_files);
            errors.extend(of_opponent.unwrap_or_default());
        }
        errors.retain(|error| !self.told.contains(error));
        errors.sort();
        errors.dedup();
        self.told.extend_from_slice(&errors);
        errors
    }
}

/// Also after a panic of the thread that locked it.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works on a thread of its own.
fn in_background(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let thread = thread::Builder::new().name("search".to_owned());
    let started = thread.spawn(work);
    started
        .context("cannot start the search thread")
        .map(|_| ())
}
