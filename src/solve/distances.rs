//! Distances: the last phase of a layer, and how they are read out of its keys.

use rayon::prelude::*;

use super::array::LayerArray;
use super::checkpoint::Finished;
use super::conversions::{Conversions, Terminal, Terminals};
use super::entry::{DistanceKey, Entry, Value};
use super::error::SolveError;
use super::memory::{Memory, worklist_bytes};
use super::observer::{Observer, Phase};
use super::propagate::Propagator;
use super::solver::Solver;
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::table::Kind;

impl Solver {
    /// The distance of every board of a solved layer: plies to the next conversion
    /// when both sides keep the value, the winner hurries and the loser delays. 0 for
    /// terminal positions and where there is none: the value is 0, or a loop alone attains it.
    ///
    /// # Errors
    /// If one is longer than [`Solver::LONGEST_DISTANCE`], or a file is needed and cannot be
    /// made, or a checkpoint cannot be read or written.
    ///
    /// # Panics
    /// If the layer is not solved.
    pub fn distances(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
    ) -> Result<LayerArray<u8>, SolveError> {
        self.moves.extend_to(seeds);
        let index = &LayerIndex::new(self.rules(), seeds);
        let kept = self.take_kept(seeds, Quantity::Value);
        self.kept.clear();
        let (boards, worklist) = (index.len(), worklist_bytes(index));
        // Keys of two bytes, and the best conversions.
        let mut memory = self.memory(index, 2, 3 * boards + worklist, &mut [])?;
        let mut for_keys = memory.set_aside(2 * boards);
        let for_worklist = memory.set_aside(worklist);
        let mut conversions = match kept {
            Some(mut kept) => {
                memory.hold(&mut kept.best)?;
                kept
            }
            None => self.conversions(index, Quantity::Value, observer, &mut memory)?,
        };
        let layer = &self.layers[usize::from(seeds)];
        let values = layer.value().as_slice();
        let id = self.id(index, Kind::Distance);
        let fits = |keys: &[DistanceKey]| {
            let pairs = keys.par_iter().zip(values);
            pairs.all(|(key, value)| key.has_value(value.get()))
        };
        let resumed = (self.checkpoints).resume(id, index, &mut for_keys, observer, fits)?;
        let mut keys = match resumed {
            Some(resumed) => resumed.arrays,
            None => {
                let mut keys = for_keys.array(index, || DistanceKey::NONE)?;
                let unknown = |value: &Value| DistanceKey::new(value.get(), DistanceKey::UNKNOWN);
                keys.fill_from(values.par_iter().map(unknown));
                [keys]
            }
        };
        memory.take_back(&for_keys);
        memory.take_back(&for_worklist);
        observer.begins(seeds, Phase::Distances, boards);
        let terminals = self.take_terminal_keys(&mut conversions);
        let capacity = memory.worklist_capacity(index);
        let (moves, ranks) = (&self.moves, &*self.ranks);
        let propagator = Propagator::new(moves, index, ranks, observer, capacity);
        propagator.converge(&mut keys, [&conversions.best], &terminals, &mut |arrays| {
            let finished = Finished::layer(layer);
            self.checkpoints.save_if_due(id, ranks, arrays, finished)
        })?;
        let [keys] = keys;
        let distances = distances_of(&keys, &mut memory)?;
        drop(keys);
        self.set_terminals(&mut conversions, |terminal| terminal.entry);
        if seeds + 1 == self.next_seeds() {
            self.kept.push((Quantity::Value, conversions));
        }
        Ok(distances)
    }

    /// The keys of terminal positions: they have distance 0. Their values are removed
    /// from the best conversions, which count one ply.
    pub(super) fn take_terminal_keys(
        &self,
        conversions: &mut Conversions,
    ) -> Terminals<DistanceKey> {
        self.set_terminals(conversions, |_| Value::NONE);
        let key = |terminal: &Terminal<Value>| Terminal {
            rank: terminal.rank,
            column: terminal.column,
            entry: DistanceKey::new(terminal.entry.get(), 0),
        };
        let sections = conversions.terminals.iter();
        let keys = sections.map(|terminals| terminals.iter().map(key).collect());
        keys.collect()
    }

    /// Sets what stands for terminal positions among the best conversions.
    fn set_terminals(
        &self,
        conversions: &mut Conversions,
        entry_of: impl Fn(&Terminal<Value>) -> Value,
    ) {
        let Conversions { best, terminals } = conversions;
        for (section, terminals) in (0..).zip(terminals) {
            for terminal in terminals {
                let line = self.moves.line(section, terminal.column);
                let line = line.expect("an indexed board");
                let number = best.number(section, line, terminal.rank);
                best.as_mut_slice()[number] = entry_of(terminal);
            }
        }
    }
}

/// The distances in keys. Where they are still unknown, a loop alone attains the value, and there
/// is none: a distance of more plies than a key can say would have others that are too long for
/// a table on its way.
pub(super) fn distances_of(
    keys: &LayerArray<DistanceKey>,
    memory: &mut Memory,
) -> Result<LayerArray<u8>, SolveError> {
    let distance = |key: &DistanceKey| match key.distance() {
        DistanceKey::UNKNOWN => 0,
        distance => distance,
    };
    let longest = keys.as_slice().par_iter().map(distance).max();
    if longest > Some(DistanceKey::LONGEST) {
        let seeds = keys.index().seeds();
        return Err(SolveError::DistanceTooLong { seeds });
    }
    let mut distances = memory.array(keys.index(), || 0)?;
    distances.fill_from(keys.as_slice().par_iter().map(|key| distance(key) as u8));
    Ok(distances)
}
