//! Distances: the last phase of a layer, and how they are read out of its keys.

use rayon::prelude::*;

use super::checkpoint::Finished;
use super::conversions::{Conversions, Terminal, Terminals};
use super::error::SolveError;
use super::observer::{Observer, Phase};
use super::ranks::Ranks;
use super::solver::{Present, Solver, propagator};
use super::storage::{
    DistanceKey, Entry, LayerArray, MemoryBudget, Needs, SpillError, Value, section_from,
};
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::spans;
use crate::table::Kind;

impl Solver {
    /// The distance of every board of a solved layer: plies to the next conversion
    /// when both sides keep the value, the winner hurries and the loser delays. 0 for
    /// terminal positions and where the value is 0.
    ///
    /// # Errors
    /// If one is longer than [`Solver::LONGEST_DISTANCE`], or a spill file is needed
    /// and cannot be used, or a checkpoint cannot be read or written.
    ///
    /// # Panics
    /// If the layer is not solved.
    pub fn distances(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
    ) -> Result<LayerArray<u8>, SolveError> {
        let _phase = spans::phase("distances", seeds);
        self.moves.extend_to(seeds);
        let index = &LayerIndex::new(self.rules(), seeds);
        let part = self.part(index);
        let mut kept = self.take_kept(seeds, Quantity::Value);
        self.kept.clear();
        let mut needs = Needs::solving_distances(kept.is_some());
        let held = self.held(index, &mut needs)?;
        let present = kept.as_mut().map(|kept| Present::Read(&mut kept.best));
        let mut budget = self.budget(index, &needs, present)?;
        let mut conversions = match kept {
            Some(kept) if held.is_whole() => kept.gathered(&*self.ranks)?,
            Some(kept) => kept,
            None => self.conversions((&part, &held), Quantity::Value, observer, &mut budget)?,
        };
        let layer = &self.layers[usize::from(seeds)];
        let id = self.id(index, Kind::Distance);
        let mut buffer = Vec::new();
        let fits = |section, keys: &[DistanceKey]| {
            let values = (layer.value()).lines(section, held.lines(section), &mut buffer)?;
            let mut pairs = keys.iter().zip(values);
            Ok(pairs.all(|(key, value)| key.has_value(value.get())))
        };
        let start = match self
            .checkpoints
            .resume(id, &held, &mut budget, observer, fits)?
        {
            Some(resumed) => resumed.arrays,
            None => [LayerArray::build(&held, &mut budget, |section| {
                let values = (layer.value()).lines(section, held.lines(section), &mut buffer)?;
                let keys = values
                    .par_iter()
                    .map(|value| DistanceKey::new(value.get(), DistanceKey::UNKNOWN));
                Ok::<_, SpillError>(section_from(keys))
            })?],
        };
        drop(buffer);
        observer.begins(seeds, Phase::Distances, index.len());
        let terminals = self.take_terminal_keys(&mut conversions)?;
        let best = [&conversions.best];
        let ranks = &*self.ranks;
        let propagator = propagator(&self.moves, (ranks, &part), observer, &budget);
        let [keys] = propagator.converge(start, best, &terminals, &mut |arrays| {
            let finished = Finished::layer(layer);
            self.checkpoints.save_if_due(id, ranks, arrays, finished)
        })?;
        // Distances take half of the memory that keys give back, section by section.
        budget.give(keys.bytes_in_memory() / 2);
        let distances = distances_of(keys, ranks, &mut budget)?;
        self.set_terminals(&mut conversions, |terminal| terminal.entry)?;
        if seeds + 1 == self.next_seeds() {
            self.kept.push((Quantity::Value, conversions));
        }
        Ok(self.whole(distances)?)
    }

    /// The keys of terminal positions: they have distance 0. Their values are removed
    /// from the best conversions, which count one ply.
    pub(super) fn take_terminal_keys(
        &self,
        conversions: &mut Conversions,
    ) -> Result<Terminals<DistanceKey>, SpillError> {
        self.set_terminals(conversions, |_| Value::NONE)?;
        let key = |terminal: &Terminal<Value>| Terminal {
            rank: terminal.rank,
            column: terminal.column,
            entry: DistanceKey::new(terminal.entry.get(), 0),
        };
        let sections = conversions.terminals.iter();
        let keys = sections.map(|terminals| terminals.iter().map(key).collect());
        Ok(keys.collect())
    }

    /// Sets what stands for terminal positions among the best conversions.
    fn set_terminals(
        &self,
        conversions: &mut Conversions,
        entry_of: impl Fn(&Terminal<Value>) -> Value,
    ) -> Result<(), SpillError> {
        let Conversions { best, terminals } = conversions;
        for (section, terminals) in (0..).zip(terminals) {
            for terminal in terminals {
                let line = self.moves.line(section, terminal.column);
                let line = line.expect("an indexed board");
                best.set_entry(section, line, terminal.rank, entry_of(terminal))?;
            }
        }
        Ok(())
    }
}

/// The distances in the ranks' keys, which are freed section by section.
pub(super) fn distances_of(
    mut keys: LayerArray<DistanceKey>,
    ranks: &dyn Ranks,
    budget: &mut MemoryBudget,
) -> Result<LayerArray<u8>, SolveError> {
    let part = keys.part().clone();
    let mut buffer = Vec::new();
    let mut longest = 0;
    let distances = LayerArray::build(&part, budget, |section| {
        let keys_here = keys.section(section, &mut buffer)?.par_iter();
        let longest_here = keys_here.clone().map(|key| key.distance()).max();
        longest = longest.max(longest_here.unwrap_or(0));
        let distances = section_from(keys_here.map(|key| key.distance() as u8));
        keys.drop_section(section);
        Ok::<_, SpillError>(distances)
    })?;
    if ranks.most(longest.into()) > DistanceKey::LONGEST.into() {
        let seeds = part.index().seeds();
        return Err(SolveError::DistanceTooLong { seeds });
    }
    Ok(distances)
}
