//! The thread that searches, so that commands are heard meanwhile.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use anyhow::{Context, Result, anyhow};
use krou::engine::{Engine, Game, Limits, SearchReport};

use super::session::Event;

/// What the thread is asked to do, one after the other.
enum Job {
    Search {
        game: Game,
        limits: Limits,
        stop: Arc<AtomicBool>,
    },
    Forget,
    Replace(Box<Engine>),
}

/// The thread, as others see it. It ends when this is dropped.
pub struct Searcher {
    jobs: Sender<Job>,
}

impl Searcher {
    /// Starts the thread with an engine; what it finds goes to `events`.
    pub fn start(engine: Engine, events: SyncSender<Event>) -> Result<Searcher> {
        let (jobs, asked) = channel();
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || work(engine, &asked, &events))
            .context("cannot start the thread that searches")?;
        Ok(Searcher { jobs })
    }

    /// Searches until a limit is reached, or `stop` is set; [`Event::Found`] follows.
    pub fn search(&self, game: Game, limits: Limits, stop: Arc<AtomicBool>) -> Result<()> {
        self.ask(Job::Search { game, limits, stop })
    }

    /// Forgets what the engine has seen.
    pub fn clear_hash(&self) -> Result<()> {
        self.ask(Job::Forget)
    }

    /// Goes on with another engine.
    pub fn replace(&self, engine: Engine) -> Result<()> {
        self.ask(Job::Replace(Box::new(engine)))
    }

    fn ask(&self, job: Job) -> Result<()> {
        let gone = |_| anyhow!("the thread that searches has ended");
        self.jobs.send(job).map_err(gone)
    }
}

fn work(mut engine: Engine, jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    for job in jobs {
        let found = match job {
            Job::Forget => {
                engine.clear_hash();
                continue;
            }
            Job::Replace(other) => {
                engine = *other;
                continue;
            }
            Job::Search { game, limits, stop } => {
                engine.search(&game, &limits, &stop, &mut |report: &SearchReport| {
                    // Nobody listens any more once the program ends.
                    let _ = events.send(Event::Depth(report.clone()));
                })
            }
        };
        if events.send(Event::Found(found)).is_err() {
            return;
        }
    }
}
