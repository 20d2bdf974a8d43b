//! Importing: layers that are taken from tables instead of being solved.
//!
//! A table may say less than everything (`docs/codec.md`): where a conversion attains
//! a board's value, its entry may be lower; and entries of whole sections may be
//! missing, if all quiet moves of their boards lead to other sections. One conversion
//! pass and one sweep over the missing sections complete it.

use super::conversions::no_terminals;
use super::distances::distances_of;
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::observer::Silent;
use super::ranks::{Alone, Part};
use super::solver::{Present, Solver, propagator};
use super::storage::{DistanceKey, LayerArray, MemoryBudget, Needs, SpillEntry, SpillError, Value};
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
    /// Those of `fill`, or if a spill file is needed and cannot be used.
    ///
    /// # Panics
    /// If there is no next layer.
    pub fn import<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        coverage: impl Fn(Quantity) -> Coverage,
        mut fill: impl FnMut(Quantity, u64, &mut [Value]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let index = self.begin_layer()?;
        let of_value = coverage(Quantity::Value);
        let mut value = self.import_value(&index, of_value, |start, out| {
            fill(Quantity::Value, start, out)
        })?;
        let bounds = match self.rules().has_bounds() {
            true => {
                Some(self.import_bounds(&index, &mut value, coverage(Quantity::Lower), fill)?)
            }
            false => None,
        };
        self.layers.push(Layer::new(value, bounds));
        Ok(())
    }

    fn import_value<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        index: &LayerIndex,
        coverage: Coverage,
        mut fill: impl FnMut(u64, &mut [Value]) -> Result<(), Error>,
    ) -> Result<LayerArray<Value>, Error> {
        let Coverage::LowerBounds { sections } = coverage else {
            let mut budget = self.budget(index, &Needs::reading(1), None)?;
            return import_all(index, &mut budget, fill);
        };
        let mut budget = self.budget(index, &Needs::completing(1), None)?;
        let best = self.best_conversions_in(index, Quantity::Value, &Silent, &mut budget)?;
        let raised = import_raised(index, sections, &best, &mut budget, &mut fill)?;
        Ok(self.complete(index, raised, None, &best, sections, &budget)?)
    }

    fn import_bounds<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        index: &LayerIndex,
        value: &mut LayerArray<Value>,
        coverage: Coverage,
        mut fill: impl FnMut(Quantity, u64, &mut [Value]) -> Result<(), Error>,
    ) -> Result<LayerBounds, Error> {
        let both = [Quantity::Lower, Quantity::Upper];
        let Coverage::LowerBounds { sections } = coverage else {
            let mut budget =
                self.budget(index, &Needs::reading(2), Some(Present::Unread(value)))?;
            let [lower, upper] = both.map(|quantity| {
                import_all(index, &mut budget, |start, out| fill(quantity, start, out))
            });
            let (lower, upper) = (lower?, upper?);
            return Ok(LayerBounds { lower, upper });
        };
        let mut budget = self.budget(index, &Needs::completing(2), Some(Present::Unread(value)))?;
        let [best_lower, best_upper] =
            both.map(|quantity| self.best_conversions_in(index, quantity, &Silent, &mut budget));
        let (best_lower, best_upper) = (best_lower?, best_upper?);
        let lower = import_raised(index, sections, &best_lower, &mut budget, |start, out| {
            fill(Quantity::Lower, start, out)
        })?;
        let upper = import_raised(index, sections, &best_upper, &mut budget, |start, out| {
            fill(Quantity::Upper, start, out)
        })?;
        // What is missing of one is computed from what is given of the other.
        let lower = self.complete(index, lower, Some(&upper), &best_lower, sections, &budget)?;
        let upper = self.complete(index, upper, Some(&lower), &best_upper, sections, &budget)?;
        Ok(LayerBounds { lower, upper })
    }

    /// Imports the distances of the boards of an imported or solved layer, as
    /// [`Solver::import`] does values.
    ///
    /// # Errors
    /// Those of `fill`, or if a spill file is needed and cannot be used, or if what is
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
            let mut budget = self.budget(index, &Needs::reading(1), None)?;
            return import_all(index, &mut budget, fill);
        };
        let mut budget = self.budget(index, &Needs::completing_distances(), None)?;
        let whole = Part::whole(index);
        let mut conversions =
            self.conversions((&whole, &whole), Quantity::Value, &Silent, &mut budget)?;
        let value = self.layer(seeds).value();
        let (mut value_buffer, mut best_buffer, mut given) = (Vec::new(), Vec::new(), Vec::new());
        let mut keys = LayerArray::build(&whole, &mut budget, |section| {
            let values = value.section(section, &mut value_buffer)?;
            if section >= sections {
                let unknown = |value: &Value| DistanceKey::new(value.get(), DistanceKey::UNKNOWN);
                return Ok(values.iter().map(unknown).collect());
            }
            let best = conversions.best.section(section, &mut best_buffer)?;
            given.resize(values.len(), 0);
            fill(index.section_start(section), &mut given)?;
            let key = |((&value, &best), &distance): ((&Value, &Value), &u8)| {
                let converts = value.get() > 0 && best == value;
                let distance = if converts { 1 } else { u16::from(distance) };
                DistanceKey::new(value.get(), distance)
            };
            let entries = values.iter().zip(best).zip(&given);
            Ok::<_, Error>(entries.map(key).collect())
        })?;
        drop((value_buffer, best_buffer, given));
        let terminals = self.take_terminal_keys(&mut conversions)?;
        let best = conversions.best;
        for (section, terminals) in (0..sections).zip(&terminals) {
            // Lost terminal positions keep the given distance, so that a check of the
            // table sees it.
            for terminal in terminals.iter().filter(|t| !t.entry.is_lost()) {
                let line = self.moves.line(section, terminal.column);
                let line = line.expect("an indexed board");
                keys.set_entry(section, line, terminal.rank, terminal.entry)?;
            }
        }
        if sections <= seeds {
            let propagator = propagator(&self.moves, (&Alone, &whole), &Silent, &budget);
            keys = propagator.compute_once(keys, None, &best, &terminals, sections..=seeds)?;
        }
        budget.give(best.bytes_in_memory() + keys.bytes_in_memory() / 2);
        drop(best);
        Ok(distances_of(keys, &Alone, &mut budget)?)
    }

    /// The best conversion of each board of a layer: where it attains the quantity
    /// itself, a table need not hold that. `held` is memory that the caller has in use.
    ///
    /// # Errors
    /// If a spill file is needed and cannot be used.
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
            return Ok(self.whole(kept.best)?);
        }
        self.kept.clear();
        self.moves.extend_to(seeds);
        let mut budget = self.budget(&index, &Needs::best_conversions(held), None)?;
        Ok(self.best_conversions_in(&index, quantity, &Silent, &mut budget)?)
    }

    /// Computes the sections that were not given from those that were.
    fn complete(
        &self,
        index: &LayerIndex,
        array: LayerArray<Value>,
        children: Option<&LayerArray<Value>>,
        best: &LayerArray<Value>,
        sections: u8,
        budget: &MemoryBudget,
    ) -> Result<LayerArray<Value>, SolveError> {
        if sections > index.seeds() {
            return Ok(array);
        }
        let terminals = no_terminals(index.seeds());
        let whole = Part::whole(index);
        let propagator = propagator(&self.moves, (&Alone, &whole), &Silent, budget);
        let missing = sections..=index.seeds();
        Ok(propagator.compute_once(array, children, best, &terminals, missing)?)
    }
}

fn import_all<E: SpillEntry, Error: From<SolveError> + From<SpillError>>(
    index: &LayerIndex,
    budget: &mut MemoryBudget,
    mut fill: impl FnMut(u64, &mut [E]) -> Result<(), Error>,
) -> Result<LayerArray<E>, Error> {
    LayerArray::build(&Part::whole(index), budget, |section| {
        let mut entries = vec![E::FILLER; index.section_entries(section)];
        fill(index.section_start(section), &mut entries)?;
        Ok(entries)
    })
}

/// Imports lower bounds, raised to the best conversions.
fn import_raised<Error: From<SolveError> + From<SpillError>>(
    index: &LayerIndex,
    sections: u8,
    best: &LayerArray<Value>,
    budget: &mut MemoryBudget,
    mut fill: impl FnMut(u64, &mut [Value]) -> Result<(), Error>,
) -> Result<LayerArray<Value>, Error> {
    let mut buffer = Vec::new();
    LayerArray::build(&Part::whole(index), budget, |section| {
        let mut entries = vec![Value::FILLER; index.section_entries(section)];
        if section < sections {
            fill(index.section_start(section), &mut entries)?;
            let best = best.section(section, &mut buffer)?;
            for (entry, &best) in entries.iter_mut().zip(best) {
                *entry = best.max(*entry);
            }
        }
        Ok(entries)
    })
}
