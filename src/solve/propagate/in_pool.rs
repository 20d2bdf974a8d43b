//! Propagation beyond memory: as in memory, sweeps until few boards change, and then only boards
//! with moves that have changed.

use super::changes::{Change, Recorder};
use super::notices::Notices;
use super::{Propagator, SweepState};
use crate::solve::array::LayerArray;
use crate::solve::checkpoint::Saver;
use crate::solve::conversions::Terminals;
use crate::solve::entry::{Entry, Value};
use crate::solve::error::SolveError;
use crate::solve::memory::predecessors_bytes;
use crate::solve::panel::pairs_twice;

/// Bytes of the pool for each change of a sweep that are few enough for rounds to take over: where
/// memory is short, a round with more moves more than the sweeps that it saves.
const BYTES_OF_POOL_PER_CHANGE: u64 = 512;

/// Bytes of a change: 16 while it is recorded, and 12 for each notice of it, in lists with room
/// for more. It has three parents on average.
const BYTES_OF_CHANGE: u64 = 64;

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
            if self.run_rounds(arrays, best, changes, &mut rounds, saver)? {
                return Ok(());
            }
            few /= 2;
        }
    }

    /// Tells boards of changes until none is left; `false` if they are too many, and sweeps
    /// must go on.
    fn run_rounds<E: Entry, const N: usize>(
        &self,
        arrays: &mut [LayerArray<E>; N],
        best: [&LayerArray<Value>; N],
        changes: [Vec<Change<E>>; N],
        rounds: &mut u32,
        saver: &mut Option<Saver<'_>>,
    ) -> Result<bool, SolveError> {
        let most = changes.iter().map(|list| list.len() as u64).sum::<u64>();
        let mut notices = Notices::new(self, changes);
        let sections = pairs_twice(self.index.seeds());
        let visits = in_all_arrays::<N>(sections);
        let reserved =
            |changes: u64| predecessors_bytes(self.index.seeds()) + BYTES_OF_CHANGE * changes;
        let mut pass = self.pass(arrays, best, visits, true, reserved(most))?;
        let mut count = 0;
        while !notices.is_empty() && BYTES_OF_CHANGE * count <= self.pool_bytes / 2 {
            Saver::save_if_due(saver, arrays, || pass.pool.write_all().map(|_| ()))?;
            count = pass.run_round(arrays, best, &mut notices)?;
            let left = self.pool_bytes.saturating_sub(reserved(count));
            pass.pool.set_capacity(left);
            *rounds += 1;
            self.observer.worklist_round(*rounds, count);
        }
        pass.finish()?;
        Ok(notices.is_empty())
    }
}

/// Visits of each section in all arrays.
fn in_all_arrays<const N: usize>(
    sections: impl Iterator<Item = u8>,
) -> impl Iterator<Item = (usize, u8)> {
    sections.flat_map(|section| (0..N).map(move |array| (array, section)))
}
