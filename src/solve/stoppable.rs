//! Stopping work before its end.
//!
//! Work on whole layers takes minutes or hours, and calls [`Observer::advance`] from each
//! of its threads many times a second. A [`Stoppable`] observer ends the work there: it
//! unwinds the stack as a panic does, without a message. So everything that the work holds
//! is dropped: unfinished files are removed, and locks are released.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::observer::{Observer, Phase};

/// The work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the work was stopped before its end")]
pub struct Stopped;

/// What the stack is unwound with.
struct StopSignal;

/// An observer that ends the work when a flag is set: usually within a fraction of a
/// second, at the latest when a thread has finished its chunk of a section.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use krou::Ruleset;
/// use krou::solve::{Silent, Stoppable, Stopped};
/// use krou::tablebase::{BuildOptions, build};
///
/// let folder = tempfile::tempdir()?;
/// let stop = AtomicBool::new(false);
/// // Another thread may set `stop`. Layers that are finished by then stay.
/// let built = Stoppable::new(&Silent, &stop).run(|observer| {
///     build(Ruleset::AWARI, folder.path(), &BuildOptions::new(5), observer)
/// });
/// assert!(matches!(built, Ok(Ok(()))));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// In a program that is compiled with `panic = "abort"` work is not stopped.
pub struct Stoppable<'a, O: ?Sized> {
    observer: &'a O,
    stop: &'a AtomicBool,
}

impl<'a, O: Observer + ?Sized> Stoppable<'a, O> {
    /// Follows the work with `observer`, and ends it when `stop` is set.
    pub fn new(observer: &'a O, stop: &'a AtomicBool) -> Stoppable<'a, O> {
        Stoppable { observer, stop }
    }

    /// Runs work that is followed by this observer. Whatever else it changes must be
    /// usable if it ends at any call of the observer, as tables in a folder are.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn run<T>(&self, work: impl FnOnce(&Self) -> T) -> Result<T, Stopped> {
        catch_unwind(AssertUnwindSafe(|| work(self))).map_err(|payload| {
            match payload.downcast::<StopSignal>() {
                Ok(_) => Stopped,
                Err(panic) => resume_unwind(panic),
            }
        })
    }

    /// The observer that follows the work.
    pub(crate) fn observer(&self) -> &'a O {
        self.observer
    }

    /// Ends the work if the flag is set.
    fn check(&self) {
        if cfg!(panic = "unwind") && self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(StopSignal));
        }
    }
}

impl<O: Observer + ?Sized> Observer for Stoppable<'_, O> {
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        self.check();
        self.observer.begins(seeds, phase, boards);
    }

    fn resumes(&self, seeds: u8, phase: Phase) {
        self.observer.resumes(seeds, phase);
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        self.observer.rejects_checkpoint(checkpoint, reason);
    }

    fn advance(&self, boards: u64) {
        self.check();
        self.observer.advance(boards);
    }

    fn transferred(&self, bytes: u64) {
        self.observer.transferred(bytes);
    }

    fn swept(&self, sweep: u32, changes: u64) {
        self.observer.swept(sweep, changes);
    }

    fn worklist_round(&self, round: u32, changes: u64) {
        self.observer.worklist_round(round, changes);
    }
}

impl<O: ?Sized> fmt::Debug for Stoppable<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stoppable")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::{Silent, Solver};

    #[test]
    fn work_ends_at_the_first_step_after_the_flag_is_set() {
        let (stop, boards) = (AtomicBool::new(false), AtomicU64::new(0));
        let observer = |advanced| {
            let before = boards.fetch_add(advanced, Ordering::Relaxed);
            stop.store(before + advanced > 1000, Ordering::Relaxed);
        };
        let mut solver = Solver::new(Ruleset::ABAPA);
        let stopped = Stoppable::new(&observer, &stop).run(|observer| {
            for _ in 0..=9 {
                solver.solve_next(observer).unwrap();
            }
        });
        assert_eq!(stopped, Err(Stopped));
        // The solver keeps the layers that it had finished, and resumes.
        let finished = solver.next_seeds();
        assert!((1..9).contains(&finished), "{finished} layers");
        stop.store(false, Ordering::Relaxed);
        let resumed = Stoppable::new(&Silent, &stop).run(|observer| {
            while solver.next_seeds() <= 5 {
                solver.solve_next(observer).unwrap();
            }
        });
        assert_eq!(resumed, Ok(()));
        let mut other = Solver::new(Ruleset::ABAPA);
        for seeds in 0..=5 {
            other.solve_next(&Silent).unwrap();
            let values = |solver: &Solver| solver.layer(seeds).value().as_slice().to_vec();
            assert!(values(&solver) == values(&other), "{seeds} seeds");
        }
    }

    #[test]
    fn panics_pass_through() {
        let stop = AtomicBool::new(false);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            Stoppable::new(&Silent, &stop).run(|_| resume_unwind(Box::new("a panic")))
        }));
        let payload = panicked.map(|_: Result<(), Stopped>| ()).unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"a panic"));
    }
}
