//! What each of several ranks holds of the layers: its part of the one at work or a copy of it,
//! and finished layers in memory or in files that all share.

use super::layer::Layer;
use super::ranks::Part;
use super::solver::Solver;
use super::storage::{LayerArray, MemoryBudget, Needs, SpillEntry, SpillError, program_bytes};
use crate::index::LayerIndex;

impl Solver {
    /// The part of a layer that this rank solves.
    pub(super) fn part(&self, index: &LayerIndex) -> Part {
        Part::of(index, &*self.ranks)
    }

    /// The whole array of which each rank has its part. All ranks call this together.
    pub(super) fn whole<E: SpillEntry>(
        &mut self,
        array: LayerArray<E>,
    ) -> Result<LayerArray<E>, SpillError> {
        if array.part().is_whole() {
            return Ok(array);
        }
        let mut budget = match &self.limit {
            None => MemoryBudget::unlimited(),
            Some(limit) => {
                let held = self.layers.iter_mut().flat_map(Layer::arrays_mut);
                let held: u64 = held.map(|array| array.bytes_in_memory()).sum();
                let kept = self.kept.iter();
                let kept: u64 = kept.map(|(_, kept)| kept.best.bytes_in_memory()).sum();
                let in_use = program_bytes() + self.moves.bytes() + held + kept;
                let left = limit.bytes.saturating_sub(in_use + array.bytes_in_memory());
                MemoryBudget::limited(left, limit.spill.clone())
            }
        };
        let (folder, number) = &mut self.shared;
        *number += 1;
        array.whole(&*self.ranks, folder, *number, &mut budget)
    }

    /// The entries that this rank holds while it solves its part of a layer: all of them, if
    /// the memory of every rank suffices for that. All ranks call this together.
    pub(super) fn held(
        &mut self,
        index: &LayerIndex,
        needs: &mut Needs,
    ) -> Result<Part, SpillError> {
        let part = self.part(index);
        if part.is_whole() {
            return Ok(part);
        }
        let wanted = |solver: &Solver, needs: &Needs| {
            solver.in_use(index, needs) + needs.bytes(index, part.len())
        };
        let limit = self.limit.as_ref().map_or(u64::MAX, |limit| limit.bytes);
        let copied = needs.with_copies();
        let is_copied = !self.ranks.any(wanted(self, &copied) > limit);
        if is_copied {
            *needs = copied;
        }
        self.share_layers(limit.saturating_sub(wanted(self, needs)))?;
        Ok(match is_copied {
            true => Part::whole(index),
            false => part,
        })
    }

    /// Writes layers to files that all ranks share, the largest first, until those that are
    /// only in memory take no more than `left` bytes. All ranks call this together.
    fn share_layers(&mut self, left: u64) -> Result<(), SpillError> {
        loop {
            let arrays = self.layers.iter_mut().rev().flat_map(Layer::arrays_mut);
            let mut unshared: Vec<_> = arrays.filter(|array| !array.is_shared()).collect();
            let in_memory = unshared.iter().map(|array| array.bytes_in_memory());
            let lacks_memory = in_memory.sum::<u64>() > left;
            let Some(array) = unshared.first_mut() else {
                return Ok(());
            };
            if !self.ranks.any(lacks_memory) {
                return Ok(());
            }
            let (folder, number) = &mut self.shared;
            *number += 1;
            let part = Part::of(array.index(), &*self.ranks);
            array.share(&part, &*self.ranks, folder, *number)?;
        }
    }
}
