//! How a caller follows the work. The library prints nothing.

use std::path::Path;

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
    pub fn word(self) -> &'static str {
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
/// from several threads. A closure `Fn(u64)` is an observer that implements `advance`.
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
    fn advance(&self, boards: u64) {
        let _ = boards;
    }

    /// A sweep has read and written entries that take `bytes` bytes, in memory or in
    /// spill files. A child's entry counts each time it is read; an entry that is computed
    /// counts twice, once for its old and once for its new content, and its best conversion
    /// is added.
    fn transferred(&self, bytes: u64) {
        let _ = bytes;
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
}

/// A closure follows the boards that are done.
impl<F: Fn(u64) + Sync> Observer for F {
    fn advance(&self, boards: u64) {
        self(boards);
    }
}

/// Follows nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}
