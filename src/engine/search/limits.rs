//! When a search ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When a search ends: with the first limit that is reached. Without limits it goes
/// on until it is told to stop, or knows the exact score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies looked ahead.
    pub depth: Option<u8>,
    /// Boards looked at, by all threads together.
    pub nodes: Option<u64>,
    /// Time from the call on.
    pub time: Option<Duration>,
}

/// Tells one thread of a search when to stop, and counts the boards it looks at.
pub(super) struct Clock<'s> {
    began: Instant,
    deadline: Option<Instant>,
    most: u64,
    stop: &'s AtomicBool,
    /// Set when the thread is not needed any more, if it is one that helps.
    done: Option<&'s AtomicBool>,
    /// Boards that all threads have counted.
    counted: &'s AtomicU64,
    /// What `counted` was, and the boards since then.
    before: u64,
    since: u64,
}

impl<'s> Clock<'s> {
    /// Boards between two looks at the time. A probe may have to read from a slow
    /// disk: few enough that the search still stops in time.
    const PAUSE: u64 = 16;

    /// A clock that begins to run.
    pub fn start(limits: &Limits, stop: &'s AtomicBool, counted: &'s AtomicU64) -> Clock<'s> {
        let began = Instant::now();
        Clock {
            began,
            // A time too long to be told has no end.
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            most: limits.nodes.unwrap_or(u64::MAX),
            stop,
            done: None,
            counted,
            before: 0,
            since: 0,
        }
    }

    /// A clock for a thread that helps until it is told that the search is done. Helpers
    /// stop by themselves too: where there are more of them than cores, the thread that
    /// they help would have to wait for its turn to tell them.
    pub fn helper(&self, done: &'s AtomicBool) -> Clock<'s> {
        Clock {
            done: Some(done),
            ..*self
        }
    }

    /// Counts a board; `None` if it must not be looked at any more.
    pub fn tick(&mut self) -> Option<()> {
        if self.since == Clock::PAUSE || self.before + self.since == 0 {
            let late = |deadline| Instant::now() >= deadline;
            if self.deadline.is_some_and(late) {
                return None;
            }
            self.before = self.since + self.counted.fetch_add(self.since, Ordering::Relaxed);
            self.since = 0;
        }
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        if self.nodes() >= self.most || is_set(self.stop) || self.done.is_some_and(is_set) {
            return None;
        }
        self.since += 1;
        Some(())
    }

    /// Boards counted, as far as this thread knows.
    pub fn nodes(&self) -> u64 {
        self.before + self.since
    }

    /// Time since it began.
    pub fn time(&self) -> Duration {
        self.began.elapsed()
    }
}
