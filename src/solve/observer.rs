//! How a caller follows the work: the library prints nothing.

use std::path::Path;

/// A stage of the work on one layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The best moves that leave the layer: one pass.
    Captures,
    /// Values: sweeps until nothing changes.
    Values,
    /// Lower and upper bounds: sweeps.
    Bounds,
    /// Distances: sweeps.
    Distances,
    /// Tables are read and their checksums checked: one pass.
    Checksums,
    /// The certificate, each board by its own moves: one pass.
    Certificate,
    /// The certificate, boards settled one after another: rounds. `boards` counts
    /// each as often as it has numbers to settle, and so does `advance`.
    Settling,
}

/// Follows the solver. All methods do nothing unless implemented; `advance` is
/// called from several threads.
pub trait Observer: Sync {
    /// A phase of the work on the layer with `seeds` seeds begins. Each pass or
    /// sweep of it goes over `boards` boards.
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        let _ = (seeds, phase, boards);
    }

    /// The phase that would come next is taken up from a checkpoint: where it
    /// was, or its results if it was done.
    fn resumes(&self, seeds: u8, phase: Phase) {
        let _ = (seeds, phase);
    }

    /// A checkpoint is damaged, cut short or of something else, so the phase
    /// begins anew.
    fn passes_over(&self, checkpoint: &Path) {
        let _ = checkpoint;
    }

    /// So many more boards of the pass or sweep are done.
    fn advance(&self, boards: u64) {
        let _ = boards;
    }

    /// A dense sweep is done (they count from 1), and so many entries changed.
    /// The last sweep or ripple of a phase changes none.
    fn swept(&self, sweep: u32, changes: u64) {
        let _ = (sweep, changes);
    }

    /// A round of ripples is done; they count on from the dense sweeps before
    /// them. Told as one more sweep unless implemented.
    fn rippled(&self, round: u32, changes: u64) {
        self.swept(round, changes);
    }
}

/// Follows nothing.
pub struct Silent;

impl Observer for Silent {}
