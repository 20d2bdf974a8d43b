//! Distances: the last phase of a layer, and how they are read out of its keys.

use rayon::prelude::*;

use super::array::LayerArray;
use super::checkpoint::{Finished, Saver};
use super::conversions::{Conversions, Terminal, Terminals};
use super::entry::{ArrayEntry, DistanceKey, Entry, Value};
use super::error::SolveError;
use super::memory::{Memory, worklist_bytes};
use super::observer::{Observer, Phase};
use super::propagate::Propagator;
use super::solver::Solver;
use super::spill::{Buffer, SpillError};
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
            None => {
                let unused = for_keys.left().saturating_add(for_worklist.left());
                self.conversions(index, Quantity::Value, observer, &mut memory, unused)?
            }
        };
        let layer = &self.layers[usize::from(seeds)];
        let values = layer.value();
        let id = self.id(index, Kind::Distance);
        let fits = |start: usize, keys: &[DistanceKey]| {
            let mut buffer = Buffer::empty();
            let values = values.read(start..start + keys.len(), &mut buffer)?;
            let pairs = keys.par_iter().zip(values);
            Ok(pairs.all(|(&key, value)| key == DistanceKey::NONE || key.has_value(value.get())))
        };
        let (memory_of_keys, new, ranks) = (&mut for_keys, [DistanceKey::NONE], &*self.ranks);
        let checkpoints = &self.checkpoints;
        let mut keys = match checkpoints.resume(id, index, new, memory_of_keys, observer, fits)? {
            Some(resumed) => resumed.arrays,
            None => checkpoints.arrays(id, index, new, memory_of_keys, ranks)?,
        };
        set_unknown(&mut keys[0], values)?;
        memory.take_back(&for_keys);
        memory.take_back(&for_worklist);
        observer.begins(seeds, Phase::Distances, boards);
        let terminals = self.take_terminal_keys(&mut conversions)?;
        let propagator = Propagator::new(&self.moves, index, ranks, observer, &memory);
        let mut saver = Some(Saver {
            checkpoints: &mut self.checkpoints,
            id,
            ranks,
            finished: Finished::layer(layer),
        });
        propagator.converge(&mut keys, [&conversions.best], &terminals, &mut saver)?;
        let [keys] = keys;
        let distances = distances_of(&keys, &mut memory)?;
        drop(keys);
        self.set_terminals(&mut conversions, |terminal| terminal.entry)?;
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
        self.change_terminals(best, terminals, |terminal, entry| {
            *entry = entry_of(terminal);
        })
    }

    /// Passes terminal positions of the first sections, with their places in an array, to
    /// `change`.
    pub(super) fn change_terminals<E: ArrayEntry, T>(
        &self,
        array: &mut LayerArray<E>,
        terminals: &[Vec<Terminal<T>>],
        change: impl Fn(&Terminal<T>, &mut E),
    ) -> Result<(), SpillError> {
        let index = array.index().clone();
        for (section, terminals) in (0..).zip(terminals) {
            let number = |terminal: &Terminal<T>| {
                let line = self.moves.line(section, terminal.column);
                let line = line.expect("an indexed board") as usize;
                let width = index.section_width(section);
                index.section_start(section) as usize + line * width + terminal.rank as usize
            };
            let mut numbered: Vec<_> = terminals.iter().map(|t| (number(t), t)).collect();
            if numbered.is_empty() {
                continue;
            }
            numbered.sort_unstable_by_key(|&(number, _)| number);
            array.change_sections(section..=section, |start, entries| {
                let from = numbered.partition_point(|&(number, _)| number < start);
                let to = numbered.partition_point(|&(number, _)| number < start + entries.len());
                for &(number, terminal) in &numbered[from..to] {
                    change(terminal, &mut entries[number - start]);
                }
                Ok::<_, SpillError>(())
            })?;
        }
        Ok(())
    }
}

/// Sets keys without a value to these values with distances that are unknown.
pub(super) fn set_unknown(
    keys: &mut LayerArray<DistanceKey>,
    values: &LayerArray<Value>,
) -> Result<(), SpillError> {
    let mut buffer = Buffer::empty();
    keys.change(|start, keys| {
        let values = values.read(start..start + keys.len(), &mut buffer)?;
        let pairs = keys.par_iter_mut().zip(values);
        pairs.for_each(|(key, value)| {
            if *key == DistanceKey::NONE {
                *key = DistanceKey::new(value.get(), DistanceKey::UNKNOWN);
            }
        });
        Ok(())
    })
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
    let mut distances = memory.written_once(keys.index(), 0)?;
    let mut buffer = Buffer::empty();
    distances.change(|start, distances: &mut [u8]| {
        let keys_here = keys.read(start..start + distances.len(), &mut buffer)?;
        if keys_here.par_iter().map(distance).max() > Some(DistanceKey::LONGEST) {
            let seeds = keys.index().seeds();
            return Err(SolveError::DistanceTooLong { seeds });
        }
        let pairs = distances.par_iter_mut().zip(keys_here);
        pairs.for_each(|(out, key)| *out = distance(key) as u8);
        Ok(())
    })?;
    Ok(distances)
}
