//! Importing: layers that are taken from tables instead of being solved.
//!
//! A table may say less than everything (`docs/internals/codec.md`): where a conversion attains
//! a board's value, its entry may be lower; and entries of whole sections may be
//! missing, if all quiet moves of their boards lead to other sections. One conversion
//! pass and one sweep over the missing sections complete it.

use rayon::prelude::*;

use super::array::LayerArray;
use super::conversions::{LowerReads, SectionPass, no_terminals};
use super::distances::{distances_of, set_unknown};
use super::entry::{DistanceKey, Entry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::{Memory, all_of};
use super::observer::Silent;
use super::panel::{panels_in, steps};
use super::propagate::Propagator;
use super::ranks::Alone;
use super::sections::Sections;
use super::solver::{HAS_BOUNDS, Solver};
use super::spill::{Buffer, Pool, PoolFiles, Schedule, SpillError};
use crate::index::LayerIndex;
use crate::rules::Quantity;

/// How much of a layer is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Coverage {
    /// Every entry.
    All,
    /// Lower bounds of the entries in the first `sections` sections of the index: the
    /// entry or, where a conversion attains it, anything lower (values and bounds) or
    /// anything at all (distances). All quiet moves of boards in other sections lead
    /// to these.
    LowerBounds {
        /// How many sections.
        sections: u8,
    },
}

impl Solver {
    /// Imports the next layer instead of solving it. `coverage` says how much is given
    /// of a quantity, of both bounds alike. `fill` gets the quantity that is wanted,
    /// the index of the first board and the values to fill in; it is asked once for all
    /// that is given. After an error the solver has the same layers as before.
    ///
    /// # Errors
    /// Those of `fill`, or if a file is needed and cannot be made.
    ///
    /// # Panics
    /// If there is no next layer.
    pub fn import<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        coverage: impl Fn(Quantity) -> Coverage,
        mut fill: impl FnMut(Quantity, u64, &mut [Value]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let index = self.begin_layer()?;
        let value = [Quantity::Value];
        let of_value = coverage(Quantity::Value);
        let [mut value] = self.import_quantities(&index, value, of_value, &mut [], &mut fill)?;
        let bounds = match self.rules().has_bounds() {
            true => {
                let bounds = [Quantity::Lower, Quantity::Upper];
                let coverage = coverage(Quantity::Lower);
                let unread = &mut [&mut value];
                let [lower, upper] =
                    self.import_quantities(&index, bounds, coverage, unread, &mut fill)?;
                Some(LayerBounds { lower, upper })
            }
            false => None,
        };
        self.layers.push(Layer::new(value, bounds));
        Ok(())
    }

    /// Leaves out the next layer, which nobody may read then.
    ///
    /// # Errors
    /// If a file of the layers below cannot be compressed.
    pub(crate) fn skip(&mut self) -> Result<(), SpillError> {
        let index = self.begin_layer()?;
        self.layers.push(Layer::absent(self.rules(), &index));
        Ok(())
    }

    /// Imports the value, or both bounds. `unread` is an array of the layer that is not read.
    fn import_quantities<Error: From<SolveError> + From<SpillError>, const N: usize>(
        &mut self,
        index: &LayerIndex,
        quantities: [Quantity; N],
        coverage: Coverage,
        unread: &mut [&mut LayerArray<Value>],
        fill: &mut impl FnMut(Quantity, u64, &mut [Value]) -> Result<(), Error>,
    ) -> Result<[LayerArray<Value>; N], Error> {
        let bytes = N as u64 * index.len();
        let mut memory = self.memory(index, 1, 2 * bytes, unread)?;
        let mut for_entries = memory.set_aside(bytes);
        let sections = match coverage {
            Coverage::All => index.seeds() + 1,
            Coverage::LowerBounds { sections } => sections,
        };
        let best = match coverage {
            Coverage::All => None,
            Coverage::LowerBounds { .. } => {
                let unused = for_entries.left();
                let find =
                    |quantity| self.conversions(index, quantity, &Silent, &mut memory, unused);
                Some(all_of(quantities.map(find))?.map(|conversions| conversions.best))
            }
        };
        let mut arrays = for_entries.arrays(index, quantities.map(|_| Value::NONE))?;
        let mut buffer = Buffer::empty();
        for (number, (array, &quantity)) in arrays.iter_mut().zip(&quantities).enumerate() {
            array.change_sections(0..sections, |start, entries| {
                fill(quantity, start as u64, entries)?;
                if let Some(best) = &best {
                    let range = start..start + entries.len();
                    let best = best[number].read(range, &mut buffer)?;
                    let pairs = entries.par_iter_mut().zip(best).with_min_len(1 << 16);
                    pairs.for_each(|(entry, &best)| *entry = best.max(*entry));
                }
                Ok::<_, Error>(())
            })?;
        }
        let Some(best) = best else {
            return Ok(arrays);
        };
        memory.take_back(&for_entries);
        let missing = sections..=index.seeds();
        self.propagator_alone(index, &memory).compute_once(
            &mut arrays,
            best.each_ref(),
            &no_terminals(index.seeds()),
            missing,
        )?;
        Ok(arrays)
    }

    /// Imports the distances of the boards of an imported or solved layer, as
    /// [`Solver::import`] does values.
    ///
    /// # Errors
    /// Those of `fill`, or if a file is needed and cannot be made, or if what is
    /// given makes a distance too long for a table.
    ///
    /// # Panics
    /// If the layer is not there.
    pub fn import_distances<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        seeds: u8,
        coverage: Coverage,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<LayerArray<u8>, Error> {
        let index = &LayerIndex::new(self.rules(), seeds);
        self.moves.extend_to(seeds);
        let Coverage::LowerBounds { sections } = coverage else {
            let mut memory = self.memory(index, 1, index.len(), &mut [])?;
            let mut distances = memory.written_once(index, 0)?;
            distances.change(|start, entries| fill(start as u64, entries))?;
            return Ok(distances);
        };
        let mut memory = self.memory(index, 2, 4 * index.len(), &mut [])?;
        let mut for_keys = memory.set_aside(2 * index.len());
        let unused = for_keys.left();
        let mut conversions =
            self.conversions(index, Quantity::Value, &Silent, &mut memory, unused)?;
        let value = self.layer(seeds).value();
        let [mut keys] = for_keys.arrays(index, [DistanceKey::NONE])?;
        set_unknown(&mut keys, value)?;
        let (mut given, mut of_value, mut of_best) = (Vec::new(), Buffer::empty(), Buffer::empty());
        keys.change_sections(0..sections, |start, keys| {
            given.resize(keys.len(), 0);
            fill(start as u64, &mut given)?;
            let range = start..start + keys.len();
            let values = value.read(range.clone(), &mut of_value)?;
            let best = conversions.best.read(range, &mut of_best)?;
            let pairs = values.iter().zip(best).zip(&given);
            for (key, ((&value, &best), &distance)) in keys.iter_mut().zip(pairs) {
                let converts = value.get() > 0 && best == value;
                // 0 means none, except in terminal positions.
                let distance = match (converts, distance) {
                    (true, _) => 1,
                    (false, 0) => DistanceKey::UNKNOWN,
                    (false, distance) => u16::from(distance),
                };
                *key = DistanceKey::new(value.get(), distance);
            }
            Ok::<_, Error>(())
        })?;
        drop(given);
        let terminals = self.take_terminal_keys(&mut conversions)?;
        let of_given = &terminals[..usize::from(sections)];
        self.change_terminals(&mut keys, of_given, |terminal, key| {
            // Lost terminal positions keep a given distance that is wrong, so that a check
            // of the table sees it.
            if !terminal.entry.is_lost() || key.distance() == DistanceKey::UNKNOWN {
                *key = terminal.entry;
            }
        })?;
        memory.take_back(&for_keys);
        let mut keys = [keys];
        let propagator = self.propagator_alone(index, &memory);
        propagator.compute_once(&mut keys, [&conversions.best], &terminals, sections..=seeds)?;
        drop(conversions);
        let [keys] = keys;
        Ok(distances_of(&keys, &mut memory)?)
    }

    /// The best conversion of each board of a layer: where it attains the quantity
    /// itself, a table need not hold that. `held` is memory that the caller has in use.
    ///
    /// # Errors
    /// If a file is needed and cannot be made.
    ///
    /// # Panics
    /// If the layer or one below it is not there, or a bound is asked for of a ruleset
    /// without bounds.
    pub fn best_conversions(
        &mut self,
        seeds: u8,
        quantity: Quantity,
        held: u64,
    ) -> Result<LayerArray<Value>, SolveError> {
        let index = LayerIndex::new(self.rules(), seeds);
        if let Some(kept) = self.take_kept(seeds, quantity) {
            return Ok(kept.best);
        }
        self.kept.clear();
        self.moves.extend_to(seeds);
        let mut memory = self.memory(&index, 1, held + index.len(), &mut [])?;
        memory.set_aside(held);
        Ok(self
            .conversions(&index, quantity, &Silent, &mut memory, 0)?
            .best)
    }

    /// Computes quantities of every board of a layer that is not indexed, and passes
    /// them to `then`, section by section.
    ///
    /// No move leads to these boards, so no array has them and nothing needs them but statistics
    /// of all boards. Their own moves lead to indexed boards, so one conversion pass and one
    /// sweep over their lines give their quantities.
    ///
    /// # Errors
    /// If a file for memory beyond the limit cannot be read.
    ///
    /// # Panics
    /// If the layer is not solved, or a bound is asked for of a ruleset without bounds.
    pub fn for_unindexed<const N: usize>(
        &mut self,
        seeds: u8,
        quantities: [Quantity; N],
        mut then: impl FnMut([&[Value]; N]),
    ) -> Result<(), SolveError> {
        self.moves.extend_to(seeds);
        let index = &LayerIndex::new(self.rules(), seeds);
        let memory = self.memory(index, 1, 0, &mut [])?;
        for section in 0..=seeds {
            let columns = self.moves.unindexed_columns(section);
            if columns.is_empty() {
                continue;
            }
            let find = |quantity| self.unindexed(index, section, &columns, quantity, &memory);
            let entries = all_of(quantities.map(find))?;
            then(entries.each_ref().map(|entries| &entries[..]));
        }
        Ok(())
    }

    /// A quantity of the boards of a section that are in the `columns` without a line.
    fn unindexed(
        &self,
        index: &LayerIndex,
        section: u8,
        columns: &[u32],
        quantity: Quantity,
        memory: &Memory,
    ) -> Result<Vec<Value>, SolveError> {
        let children = self.layer(index.seeds()).quantity(quantity.of_opponent());
        let children = children.expect(HAS_BOUNDS);
        let lower = self.lower(index.seeds(), quantity.of_opponent());
        let propagator = self.propagator_alone(index, memory);
        let mut files = PoolFiles::default();
        let file = children.spill_file().map(|(file, _)| files.add(file));
        let reads = LowerReads::new(&self.moves, index, &lower, &mut files);
        let steps = steps(index, section);
        let needs = steps.iter().map(|rows| {
            let mut needed = reads.pieces(&files, section, rows.clone());
            if let (Some(file), Some((_, pieces))) = (file, children.spill_file()) {
                let read = propagator.pieces_read(pieces, section, rows.clone());
                needed.extend(read.iter().map(|&piece| files.number(file, piece) as u32));
            }
            needed
        });
        let schedule = Schedule::new(needs.collect(), false);
        let mut pool = Pool::new(files, memory.left(), schedule)?;
        let width = index.section_width(section);
        let mut best = vec![Value::NONE; columns.len() * width];
        let mut entries = vec![Value::NONE; best.len()];
        for (number, rows) in steps.into_iter().enumerate() {
            pool.begin(number)?;
            let panels = panels_in(rows);
            let pass = SectionPass {
                moves: &self.moves,
                index,
                lower: &reads.in_pool(&pool),
                section,
                columns,
                observer: &Silent,
            };
            pass.run(best.chunks_mut(width).collect(), &panels)?;
            let children = Sections::in_pool(children, file, &pool);
            let out = &mut entries;
            propagator.compute_lines(section, &panels, columns, &children, &best, out)?;
        }
        Ok(entries)
    }

    /// The propagation of a layer by this rank alone.
    fn propagator_alone<'a>(&'a self, index: &'a LayerIndex, memory: &Memory) -> Propagator<'a> {
        Propagator::new(&self.moves, index, &Alone, &Silent, memory)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::reference;

    /// Named rulesets, in memory and from disk: as often as the reference solver finds
    /// each value on the boards without an index.
    #[test]
    fn unindexed_boards_have_the_values_of_the_reference() {
        let spill = tempfile::tempdir().unwrap();
        for &(_, rules) in Ruleset::NAMED {
            let truth = reference::solve(rules, 6);
            let in_memory = Solver::new(rules);
            let on_disk = Solver::within(rules, 0, spill.path());
            for mut solver in [in_memory, on_disk] {
                for seeds in 0..=6 {
                    solver.solve_next(&Silent).unwrap();
                    let index = LayerIndex::new(rules, seeds);
                    let mut right = BTreeMap::<i8, u64>::new();
                    for (board, truth) in &truth {
                        if board.seeds() == seeds && index.index(board).is_none() {
                            *right.entry(truth.value).or_default() += 1;
                        }
                    }
                    let mut found = BTreeMap::<i8, u64>::new();
                    let counted = solver.for_unindexed(seeds, [Quantity::Value], |[values]| {
                        for value in values {
                            *found.entry(value.get()).or_default() += 1;
                        }
                    });
                    counted.unwrap();
                    assert_eq!(found, right, "{rules}, {seeds} seeds");
                }
            }
        }
    }
}
