//! How a caller follows the work, measures how far it has come, and stops it. The library prints
//! nothing.
//!
//! Work on whole layers takes minutes or hours, and calls [`Observer::advance`] from each
//! of its threads many times a second. If that returns [`Stopped`], the work ends with an error:
//! unfinished files are removed, and locks are released.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::table::TableId;

pub use crate::table::Stopped;

/// A phase of the work on one layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// The best conversion of each board: one pass.
    Conversions,
    /// Values: sweeps and worklist rounds until nothing changes.
    Values,
    /// Lower and upper bounds, in the same way.
    Bounds,
    /// Distances, in the same way.
    Distances,
    /// Tables are read and their checksums checked: one pass.
    Checksums,
    /// The certificate, first part: whether each board agrees with its moves. One pass.
    Agreement,
    /// The certificate, second part: whether no number rests on a loop alone. Rounds;
    /// `boards` and `advance` count each board once for each number to be founded.
    Foundation,
}

impl Phase {
    /// The name of the phase in the output of programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Conversions => "conversions",
            Phase::Values => "values",
            Phase::Bounds => "bounds",
            Phase::Distances => "distances",
            Phase::Checksums => "checksums",
            Phase::Agreement => "certificate",
            Phase::Foundation => "deriving distances",
        }
    }
}

/// Follows the work. Every method does nothing unless implemented; `advance` is called
/// from several threads. A closure `Fn(u64)` is an observer that follows the boards that are done,
/// and a flag is one that stops the work when it is set: usually within a fraction of a second, at
/// the latest when a thread has finished its chunk of a section.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use krou::Ruleset;
/// use krou::tablebase::{BuildOptions, build};
///
/// let folder = tempfile::tempdir()?;
/// let stop = AtomicBool::new(false);
/// // Another thread may set `stop`. Layers that are finished by then stay.
/// build(Ruleset::AWARI, folder.path(), &BuildOptions::new(5), &stop)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Sync {
    /// A phase begins on the layer with `seeds` seeds. Each pass or sweep of it covers
    /// `boards` boards.
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        let _ = (seeds, phase, boards);
    }

    /// The next phase resumes from a checkpoint or, if the checkpoint is of a finished
    /// phase, takes its results.
    fn resumes(&self, seeds: u8, phase: Phase) {
        let _ = (seeds, phase);
    }

    /// A checkpoint cannot be used, for this reason, so the phase begins anew.
    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        let _ = (checkpoint, reason);
    }

    /// `boards` more boards of the pass or sweep are done.
    ///
    /// # Errors
    /// To stop the work.
    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        let _ = boards;
        Ok(())
    }

    /// A sweep is done, the `sweep`-th from 1, and has changed `changes` entries. The
    /// last sweep or round of a phase changes none.
    fn swept(&self, sweep: u32, changes: u64) {
        let _ = (sweep, changes);
    }

    /// A round of the worklist is done; rounds are counted together with sweeps.
    /// Reported as one more sweep unless implemented.
    fn worklist_round(&self, round: u32, changes: u64) {
        self.swept(round, changes);
    }

    /// The pool has read and written `bytes` bytes of arrays beyond memory.
    fn spilled(&self, bytes: u64) {
        let _ = bytes;
    }

    /// A layer is already in the folder of a build, and is read or skipped.
    fn present(&self, seeds: u8) {
        let _ = seeds;
    }

    /// The file system has no locks: nobody keeps another build out of the folder.
    fn without_lock(&self) {}

    /// A layer has distances that are too long for a table, and is built without them.
    fn without_distances(&self, seeds: u8) {
        let _ = seeds;
    }

    /// A table of `entries` entries is being packed; `advance` counts them.
    fn packs(&self, id: TableId, entries: u64) {
        let _ = (id, entries);
    }

    /// A table is complete under its own name.
    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        let _ = (id, entries, bytes);
    }
}

impl<F: Fn(u64) + Sync> Observer for F {
    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        self(boards);
        Ok(())
    }
}

impl Observer for AtomicBool {
    fn advance(&self, _: u64) -> Result<(), Stopped> {
        match self.load(Ordering::Relaxed) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

/// Follows nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// The position of work on the layers from 0 seeds on, in steps such as visited boards.
/// The steps of a layer may be an estimate: the position never leaves the layer that is
/// worked on, and never goes back.
///
/// ```
/// use krou::solve::Meter;
///
/// let meter = Meter::new([10, 100]);
/// meter.enter(1);
/// meter.advance(40);
/// meter.advance(70); // more than the estimate
/// assert_eq!((meter.position(), meter.total()), (110, 110));
/// ```
#[derive(Debug)]
pub struct Meter {
    /// The position at the end of each layer, by seeds.
    ends: Vec<u64>,
    position: AtomicU64,
    /// The position at the end of the current layer.
    end: AtomicU64,
}

impl Meter {
    /// For layers with these numbers of steps, from 0 seeds on.
    pub fn new(steps: impl IntoIterator<Item = u64>) -> Meter {
        let mut total = 0;
        let ends = steps.into_iter().map(|steps| {
            total += steps;
            total
        });
        let ends: Vec<u64> = ends.collect();
        Meter {
            position: AtomicU64::new(0),
            end: AtomicU64::new(ends.first().copied().unwrap_or(0)),
            ends,
        }
    }

    /// The steps of all layers.
    pub fn total(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The steps done.
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// The work on a layer begins or goes on; those below it are done. A layer that the
    /// meter does not have counts as the end of all.
    pub fn enter(&self, seeds: u8) {
        let end_of = |layer: usize| self.ends.get(layer).copied().unwrap_or(self.total());
        let before = usize::from(seeds).checked_sub(1).map_or(0, end_of);
        self.position.fetch_max(before, Ordering::Relaxed);
        self.end.store(end_of(seeds.into()), Ordering::Relaxed);
    }

    /// More steps of the current layer are done.
    pub fn advance(&self, steps: u64) {
        let end = self.end.load(Ordering::Relaxed);
        let further = |position: u64| (position < end).then(|| end.min(position + steps));
        // `Err` says that the layer has taken more steps than expected.
        let _ = self
            .position
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, further);
    }

    /// Everything is done.
    pub fn finish(&self) {
        self.position.store(self.total(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::{SolveError, Solver};

    #[test]
    fn the_position_stays_in_the_layer_and_never_goes_back() {
        let meter = Meter::new([1, 10, 100]);
        assert_eq!((meter.position(), meter.total()), (0, 111));
        meter.advance(5);
        assert_eq!(meter.position(), 1);
        meter.enter(2);
        assert_eq!(meter.position(), 11);
        meter.advance(99);
        assert_eq!(meter.position(), 110);
        // Tables of lower layers are looked at again.
        meter.enter(1);
        meter.advance(1);
        assert_eq!(meter.position(), 110);
        meter.enter(9);
        assert_eq!(meter.position(), 111);
        meter.finish();
        assert_eq!(meter.position(), 111);
    }

    #[test]
    fn a_meter_without_layers_is_done() {
        let meter = Meter::new([]);
        meter.enter(3);
        meter.advance(7);
        assert_eq!((meter.position(), meter.total()), (0, 0));
    }

    /// Stops when more than 1,000 boards are done.
    struct Patience(AtomicU64);

    impl Observer for Patience {
        fn advance(&self, boards: u64) -> Result<(), Stopped> {
            match self.0.fetch_add(boards, Ordering::Relaxed) {
                0..=1000 => Ok(()),
                _ => Err(Stopped),
            }
        }
    }

    #[test]
    fn work_ends_at_the_first_step_that_says_so() {
        let patience = Patience(AtomicU64::new(0));
        let mut solver = Solver::new(Ruleset::ABAPA);
        let stopped = (0..=9).try_for_each(|_| solver.solve_next(&patience));
        assert!(matches!(stopped, Err(SolveError::Stopped(Stopped))));
        // The solver keeps the layers that it had finished, and resumes.
        let finished = solver.next_seeds();
        assert!((1..9).contains(&finished), "{finished} layers");
        while solver.next_seeds() <= 5 {
            solver.solve_next(&AtomicBool::new(false)).unwrap();
        }
        let mut other = Solver::new(Ruleset::ABAPA);
        for seeds in 0..=5 {
            other.solve_next(&Silent).unwrap();
            let values = |solver: &Solver| solver.layer(seeds).value().as_slice().to_vec();
            assert!(values(&solver) == values(&other), "{seeds} seeds");
        }
    }
}
