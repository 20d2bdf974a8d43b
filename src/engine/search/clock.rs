//! The clock of a search thread: counts nodes and ends the search at a limit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

// The standard library has no clock in browsers.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::Instant;

use super::limits::Limits;

/// What all threads of a search have counted.
#[derive(Debug, Default)]
pub(super) struct Counters {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// Counts the nodes of one thread and says when it must stop.
pub(super) struct Clock<'s> {
    start: Instant,
    deadline: Option<Instant>,
    /// Checks before the next one that reads the time.
    checks_left: u32,
    max_nodes: u64,
    stop: &'s AtomicBool,
    /// Set when something else ends the search.
    done: Option<&'s AtomicBool>,
    /// What all threads have reported.
    total: &'s Counters,
    /// Nodes of `total` at the last report of this thread.
    reported: u64,
    /// Nodes of this thread from there to the next report.
    interval: u64,
    /// How many of these are left.
    left: u64,
    /// Table hits of this thread since then.
    table_hits: u64,
}

impl<'s> Clock<'s> {
    /// Nodes between two checks for a stop request. A probe may have to read from a slow disk, so
    /// the interval is short.
    const CHECK_INTERVAL: u64 = 16;

    /// Checks for each reading of the time, which takes as long as some nodes: as many nodes take
    /// about a tenth of a millisecond.
    const CHECKS_PER_READING: u32 = 32;

    /// Starts the clock of the main thread.
    pub fn start(limits: &Limits, stop: &'s AtomicBool, total: &'s Counters) -> Clock<'s> {
        let start = Instant::now();
        Clock {
            start,
            // A time that overflows is no limit.
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            checks_left: 0,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            stop,
            done: None,
            total,
            reported: 0,
            interval: 0,
            left: 0,
            table_hits: 0,
        }
    }

    /// The clock of a part of the search, which also stops once `done` is set. It keeps the
    /// limits itself: with more threads than cores the main thread may have to wait
    /// before it can set `done`.
    pub fn until(&self, done: &'s AtomicBool) -> Clock<'s> {
        Clock {
            checks_left: 0,
            done: Some(done),
            interval: 0,
            left: 0,
            table_hits: 0,
            ..*self
        }
    }

    /// Counts a node; `None` if the search must end before it.
    #[inline]
    pub fn tick(&mut self) -> Option<()> {
        if self.left == 0 {
            self.check()?;
        }
        self.left -= 1;
        Some(())
    }

    /// Reports what this thread has counted and begins another interval; `None` if the
    /// search must end.
    #[cold]
    fn check(&mut self) -> Option<()> {
        if let Some(deadline) = self.deadline {
            if self.checks_left > 0 {
                self.checks_left -= 1;
            } else if Instant::now() >= deadline {
                return None;
            } else {
                self.checks_left = Clock::CHECKS_PER_READING - 1;
            }
        }
        let Counters { nodes, table_hits } = self.total;
        let before = nodes.fetch_add(self.interval, Ordering::Relaxed);
        self.reported = before + self.interval;
        self.interval = 0;
        if self.table_hits > 0 {
            table_hits.fetch_add(self.table_hits, Ordering::Relaxed);
            self.table_hits = 0;
        }
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let allowed = self.max_nodes.saturating_sub(self.reported);
        if allowed == 0 || is_set(self.stop) || self.done.is_some_and(is_set) {
            return None;
        }
        self.interval = allowed.min(Clock::CHECK_INTERVAL);
        self.left = self.interval;
        Some(())
    }

    /// Reads the time at the next check, since the last node may have taken long: it read
    /// from a file.
    pub fn read_soon(&mut self) {
        self.checks_left = 0;
    }

    /// Counts a board that the tables knew.
    pub fn count_table_hit(&mut self) {
        self.table_hits += 1;
    }

    /// Nodes of all threads, as far as this thread knows.
    pub fn nodes(&self) -> u64 {
        self.reported + self.interval - self.left
    }

    /// Boards that the tables knew, of all threads, as far as this thread knows.
    pub fn table_hits(&self) -> u64 {
        self.total.table_hits.load(Ordering::Relaxed) + self.table_hits
    }

    /// Time since the start of the search.
    pub fn time(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_read_from_a_file_reads_the_time_at_its_next_check() {
        let (stop, total) = (AtomicBool::new(false), Counters::default());
        let limits = Limits::default().with_time(Duration::ZERO);
        let nodes = |read_soon: bool| {
            let mut clock = Clock::start(&limits, &stop, &total);
            clock.checks_left = 10;
            if read_soon {
                clock.read_soon();
            }
            (0..10_000).take_while(|_| clock.tick().is_some()).count() as u64
        };
        assert_eq!(nodes(true), 0);
        assert_eq!(nodes(false), 10 * Clock::CHECK_INTERVAL);
    }
}
