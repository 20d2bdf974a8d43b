//! The search thread, so that commands are handled during a search.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use anyhow::{Context, Error, Result, anyhow};
use krou::engine::{Engine, Game, Limits, SearchReport};

use super::events::Event;

/// Changes the engine, or replaces it.
type Configure = Box<dyn FnOnce(&mut Engine) + Send>;

/// Work for the thread, in order.
enum Job {
    Search {
        game: Game,
        limits: Limits,
        stop: Arc<AtomicBool>,
    },
    Clear,
    Configure(Configure),
}

/// A handle to the thread, which ends when the handle is dropped.
pub struct SearchThread {
    jobs: Sender<Job>,
}

impl SearchThread {
    /// Starts the thread with an engine; results go to `events`.
    pub fn start(engine: Engine, events: SyncSender<Event>) -> Result<SearchThread> {
        let (jobs, queue) = channel();
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || work(engine, &queue, &events))
            .context("cannot start the search thread")?;
        Ok(SearchThread { jobs })
    }

    /// Searches until a limit is reached or `stop` is set; sends [`Event::Found`].
    pub fn search(&self, game: Game, limits: Limits, stop: Arc<AtomicBool>) -> Result<()> {
        self.send(Job::Search { game, limits, stop })
    }

    /// Clears the transposition table.
    pub fn clear_hash(&self) -> Result<()> {
        self.send(Job::Clear)
    }

    /// Changes the engine, and returns what `configure` returns.
    pub fn configure<T: Send + 'static>(
        &self,
        configure: impl FnOnce(&mut Engine) -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = channel();
        self.send(Job::Configure(Box::new(move |engine| {
            // The receiver waits for it.
            let _ = sender.send(configure(engine));
        })))?;
        receiver.recv().map_err(ended)
    }

    fn send(&self, job: Job) -> Result<()> {
        self.jobs.send(job).map_err(ended)
    }
}

fn ended<E>(_: E) -> Error {
    anyhow!("the search thread has ended")
}

fn work(mut engine: Engine, jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    let mut error_is_reported = false;
    for job in jobs {
        let found = match job {
            Job::Clear => {
                engine.clear_hash();
                continue;
            }
            Job::Configure(configure) => {
                configure(&mut engine);
                // Other tables may have other errors.
                error_is_reported &= engine.table_errors().first().is_some();
                continue;
            }
            Job::Search { game, limits, stop } => {
                engine.search(&game, &limits, &stop, &mut |report: &SearchReport| {
                    // The receiver is gone once the program ends.
                    let _ = events.send(Event::Depth(report.clone()));
                })
            }
        };
        if !error_is_reported && let Some(error) = engine.table_errors().first() {
            error_is_reported = true;
            let _ = events.send(Event::TableError(error.to_string()));
        }
        if events.send(Event::Found(found)).is_err() {
            return;
        }
    }
}
