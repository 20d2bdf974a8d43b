//! Propagation beyond memory: as in memory, sweeps until few boards change, and then only boards
//! whose children have changed.

use super::changes::{Change, Recorder};
use super::pending::PendingBoards;
use super::{Propagator, SweepState};
use crate::solve::array::LayerArray;
use crate::solve::checkpoint::Saver;
use crate::solve::conversions::Terminals;
use crate::solve::entry::{Entry, Value};
use crate::solve::error::SolveError;
use crate::solve::memory::predecessors_bytes;
use crate::solve::panel::pairs_twice;

/// Bytes of the pool for each change of a sweep that are few enough for pending boards to
/// take over.
const BYTES_OF_POOL_PER_CHANGE: u64 = 128;

/// Bytes of a change and its parents: 16 while it is recorded, and 8 for each parent. It has
/// three parents on average.
const BYTES_OF_PENDING: u64 = 40;

impl Propagator<'_> {
    /// Propagates arrays. Some of them, or their best conversions, are beyond memory.
    pub(super) fn converge_in_pool<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        terminals: &Terminals<E>,
        saver: &mut Option<Saver<'_>>,
    ) -> Result<(), SolveError> {
        let mut few = self
            .few_changes
            .min(self.pool_bytes / BYTES_OF_POOL_PER_CHANGE);
        let mut rounds = 0;
        loop {
            let sections = 0..=self.index.seeds();
            let visits = in_all_arrays::<N>(sections);
            let mut pass = self.pass(arrays, best, visits, true, 0)?;
            let mut state = SweepState::new(self.index);
            let changes = loop {
                Saver::save_if_due(saver, arrays, || pass.pool.write_all().map(|_| ()))?;
                let (count, changes) = pass.run(arrays, best, terminals, &mut state)?;
                rounds += 1;
                self.observer.swept(rounds, count);
                if count == 0 {
                    return pass.finish();
                }
                let recorder = state.recorder.take();
                if recorder.is_some_and(|recorder| !recorder.has_overflowed()) {
                    break changes;
                }
                state.recorder = (count < few).then(|| Recorder::new(2 * few));
            };
            pass.finish()?;
            drop(state);
            if self.compute_pending(arrays, best, changes, &mut rounds, saver)? {
                return Ok(());
            }
            few /= 2;
        }
    }

    /// Computes boards whose children have changed until none is left; `false` if they are too
    /// many, and sweeps must go on.
    fn compute_pending<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        changes: [Vec<Change<E>>; N],
        rounds: &mut u32,
        saver: &mut Option<Saver<'_>>,
    ) -> Result<bool, SolveError> {
        let most = changes.iter().map(|list| list.len() as u64).sum::<u64>();
        let mut pending = PendingBoards::new(self, changes);
        let sections = pairs_twice(self.index.seeds());
        let visits = in_all_arrays::<N>(sections);
        let reserved =
            |changes: u64| predecessors_bytes(self.index.seeds()) + BYTES_OF_PENDING * changes;
        let mut pass = self.pass(arrays, best, visits, true, reserved(most))?;
        let mut count = 0;
        while !pending.is_empty() && BYTES_OF_PENDING * count <= self.pool_bytes / 2 {
            Saver::save_if_due(saver, arrays, || pass.pool.write_all().map(|_| ()))?;
            count = pass.run_pending(arrays, best, &mut pending)?;
            let left = self.pool_bytes.saturating_sub(reserved(count));
            pass.pool.set_capacity(left);
            *rounds += 1;
            self.observer.worklist_round(*rounds, count);
        }
        pass.finish()?;
        Ok(pending.is_empty())
    }
}

/// Visits of each section in all arrays.
fn in_all_arrays<const N: usize>(
    sections: impl Iterator<Item = u8>,
) -> impl Iterator<Item = (usize, u8)> {
    sections.flat_map(|section| (0..N).map(move |array| (array, section)))
}
