//! When a search ends.

use std::sync::atomic::{AtomicBool, Ordering};
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

/// Counts the boards that a search looks at, and tells it when to stop.
pub(super) struct Clock<'s> {
    began: Instant,
    deadline: Option<Instant>,
    most: u64,
    stop: &'s AtomicBool,
    nodes: u64,
}

impl<'s> Clock<'s> {
    /// Boards between two looks at the time. A probe may have to read from a slow
    /// disk: few enough that the search still stops in time.
    const PAUSE: u64 = 16;

    /// A clock that begins to run.
    pub fn start(limits: &Limits, stop: &'s AtomicBool) -> Clock<'s> {
        let began = Instant::now();
        Clock {
            began,
            // A time too long to be told has no end.
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            most: limits.nodes.unwrap_or(u64::MAX),
            stop,
            nodes: 0,
        }
    }

    /// Counts a board; `None` if it must not be looked at any more.
    pub fn tick(&mut self) -> Option<()> {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.nodes >= self.most
            || self.stop.load(Ordering::Relaxed)
            || self.nodes.is_multiple_of(Clock::PAUSE) && late()
        {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// Boards counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since it began.
    pub fn time(&self) -> Duration {
        self.began.elapsed()
    }
}
