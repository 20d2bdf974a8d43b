//! Importing: layers that are taken from tables instead of being solved.
//!
//! A table may say less than everything (`docs/internals/codec.md`): where a conversion attains
//! a board's value, its entry may be lower; and entries of whole sections may be
//! missing, if all quiet moves of their boards lead to other sections. One conversion
//! pass and one sweep over the missing sections complete it.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::array::{LayerArray, Sections, SpillError};
use super::conversions::{SectionPass, Terminal, no_terminals};
use super::distances::distances_of;
use super::entry::{DistanceKey, Entry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::observer::{Silent, Stopped};
use super::propagate::Propagator;
use super::ranks::Alone;
use super::solver::{HAS_BOUNDS, Solver, all_of};
use crate::index::LayerIndex;
use crate::rules::Quantity;

/// Why work that [`Silent`] follows has no error.
const NOBODY_STOPS: &str = "nobody stops it";

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
        let index = self.begin_layer();
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
    pub(crate) fn skip(&mut self) {
        let index = self.begin_layer();
        self.layers.push(Layer::absent(self.rules(), &index));
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
                let find = |quantity| self.conversions(index, quantity, &Silent, &mut memory);
                Some(all_of(quantities.map(find))?.map(|conversions| conversions.best))
            }
        };
        let arrays = quantities.map(|_| for_entries.array(index, || Value::NONE));
        let mut arrays = all_of(arrays)?;
        for (array, &quantity) in arrays.iter_mut().zip(&quantities) {
            for section in 0..sections {
                let entries = array.section_mut(section);
                fill(quantity, index.section_start(section), entries)?;
            }
        }
        let Some(best) = best else {
            return Ok(arrays);
        };
        for (array, best) in arrays.iter_mut().zip(&best) {
            let given = index.section_start(sections) as usize;
            let given = array.as_mut_slice()[..given].par_iter_mut();
            let pairs = given.zip(best.as_slice()).with_min_len(1 << 16);
            pairs.for_each(|(entry, &best)| *entry = best.max(*entry));
        }
        let missing = sections..=index.seeds();
        self.complete(index, &mut arrays, &best, missing)
            .map_err(SolveError::from)?;
        Ok(arrays)
    }

    /// Computes the sections that are missing in a value, or in both bounds.
    fn complete<const N: usize>(
        &self,
        index: &LayerIndex,
        arrays: &mut [LayerArray<Value>; N],
        best: &[LayerArray<Value>; N],
        missing: RangeInclusive<u8>,
    ) -> Result<(), Stopped> {
        // Missing entries of one bound are computed from given ones of the other.
        let propagator = self.propagator_alone(index);
        let terminals = no_terminals(index.seeds());
        match &mut arrays[..] {
            [lower, upper] => {
                let [of_lower, of_upper] = [&best[0], &best[N - 1]];
                let missing_lower = missing.clone();
                propagator.compute_once(lower, Some(upper), of_lower, &terminals, missing_lower)?;
                propagator.compute_once(upper, Some(lower), of_upper, &terminals, missing)
            }
            arrays => arrays.iter_mut().zip(best).try_for_each(|(array, best)| {
                propagator.compute_once(array, None, best, &terminals, missing.clone())
            }),
        }
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
            let mut distances = memory.array(index, || 0)?;
            for section in 0..=seeds {
                let entries = distances.section_mut(section);
                fill(index.section_start(section), entries)?;
            }
            return Ok(distances);
        };
        let mut memory = self.memory(index, 2, 4 * index.len(), &mut [])?;
        let mut for_keys = memory.set_aside(2 * index.len());
        let mut conversions = self.conversions(index, Quantity::Value, &Silent, &mut memory)?;
        let value = self.layer(seeds).value();
        let mut keys = for_keys.array(index, || DistanceKey::NONE)?;
        let unknown = |value: &Value| DistanceKey::new(value.get(), DistanceKey::UNKNOWN);
        keys.fill_from(value.as_slice().par_iter().map(unknown));
        let mut given = Vec::new();
        for section in 0..sections {
            given.resize(index.section_entries(section), 0);
            fill(index.section_start(section), &mut given)?;
            let best = conversions.best.section(section);
            let pairs = value.section(section).iter().zip(best).zip(&given);
            for (key, ((&value, &best), &distance)) in
                keys.section_mut(section).iter_mut().zip(pairs)
            {
                let converts = value.get() > 0 && best == value;
                // 0 means none, except in terminal positions.
                let distance = match (converts, distance) {
                    (true, _) => 1,
                    (false, 0) => DistanceKey::UNKNOWN,
                    (false, distance) => u16::from(distance),
                };
                *key = DistanceKey::new(value.get(), distance);
            }
        }
        drop(given);
        let terminals = self.take_terminal_keys(&mut conversions);
        self.put_terminals(&mut keys, &terminals[..usize::from(sections)]);
        let propagator = self.propagator_alone(index);
        let missing = sections..=seeds;
        let done = propagator.compute_once(&mut keys, None, &conversions.best, &terminals, missing);
        done.map_err(SolveError::from)?;
        drop(conversions);
        Ok(distances_of(&keys, &mut memory)?)
    }

    /// Puts the keys of terminal positions of the first sections in their places.
    fn put_terminals(
        &self,
        keys: &mut LayerArray<DistanceKey>,
        terminals: &[Vec<Terminal<DistanceKey>>],
    ) {
        for (section, terminals) in (0..).zip(terminals) {
            for terminal in terminals {
                let line = self.moves.line(section, terminal.column);
                let line = line.expect("an indexed board");
                let number = keys.number(section, line, terminal.rank);
                let key = &mut keys.as_mut_slice()[number];
                // Lost terminal positions keep a given distance that is wrong, so that a check
                // of the table sees it.
                if !terminal.entry.is_lost() || key.distance() == DistanceKey::UNKNOWN {
                    *key = terminal.entry;
                }
            }
        }
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
            .conversions(&index, quantity, &Silent, &mut memory)?
            .best)
    }

    /// Computes quantities of every board of a layer that is not indexed, and passes
    /// them to `then`, section by section.
    ///
    /// No move leads to these boards, so no array has them and nothing needs them but statistics
    /// of all boards. Their own moves lead to indexed boards, so one conversion pass and one
    /// sweep over their lines give their quantities.
    ///
    /// # Panics
    /// If the layer is not solved, or a bound is asked for of a ruleset without bounds.
    pub fn for_unindexed<const N: usize>(
        &mut self,
        seeds: u8,
        quantities: [Quantity; N],
        mut then: impl FnMut([&[Value]; N]),
    ) {
        self.moves.extend_to(seeds);
        let index = &LayerIndex::new(self.rules(), seeds);
        let propagator = self.propagator_alone(index);
        for section in 0..=seeds {
            let columns = self.moves.unindexed_columns(section);
            if columns.is_empty() {
                continue;
            }
            let entries = quantities.map(|quantity| {
                let lower = self.lower(seeds, quantity.of_opponent());
                let lower: Vec<_> = lower.iter().map(|array| Sections::of(array)).collect();
                let children = self.layer(seeds).quantity(quantity.of_opponent());
                let children = Sections::of(children.expect(HAS_BOUNDS));
                let pass = SectionPass {
                    moves: &self.moves,
                    index,
                    lower: &lower,
                    section,
                    columns: &columns,
                    observer: &Silent,
                };
                let mut best = vec![Value::NONE; columns.len() * index.section_width(section)];
                pass.run(&mut best).expect(NOBODY_STOPS);
                let mut entries = vec![Value::NONE; best.len()];
                let done = propagator.compute_lines(
                    section,
                    &columns,
                    &children,
                    &best,
                    &[],
                    &mut entries,
                );
                done.expect(NOBODY_STOPS);
                entries
            });
            then(entries.each_ref().map(|entries| &entries[..]));
        }
    }

    /// The propagation of a layer by this rank alone, without a worklist.
    fn propagator_alone<'a>(&'a self, index: &'a LayerIndex) -> Propagator<'a> {
        Propagator::new(&self.moves, index, &Alone, &Silent, 0)
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
            let truth = reference::solve(rules, 7);
            let in_memory = Solver::new(rules);
            let on_disk = Solver::within(rules, 0, spill.path());
            for mut solver in [in_memory, on_disk] {
                for seeds in 0..=7 {
                    solver.solve_next(&Silent).unwrap();
                    let index = LayerIndex::new(rules, seeds);
                    let mut right = BTreeMap::<i8, u64>::new();
                    for (board, truth) in &truth {
                        if board.seeds() == seeds && index.index(board).is_none() {
                            *right.entry(truth.value).or_default() += 1;
                        }
                    }
                    let mut found = BTreeMap::<i8, u64>::new();
                    solver.for_unindexed(seeds, [Quantity::Value], |[values]| {
                        for value in values {
                            *found.entry(value.get()).or_default() += 1;
                        }
                    });
                    assert_eq!(found, right, "{rules}, {seeds} seeds");
                }
            }
        }
    }
}
