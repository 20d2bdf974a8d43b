//! The values of the boards that are not indexed: no move leads to them, so no array
//! has them and nothing needs them but statistics of all boards.
//!
//! Their own moves lead to indexed boards, whose values are known. So one conversion
//! pass and one sweep over their lines give their values.

use super::conversions::SectionPass;
use super::error::SolveError;
use super::observer::Observer;
use super::propagate::compute_columns;
use super::ranks::{Alone, Part};
use super::solver::{Solver, propagator};
use super::storage::{Entry, LayerArray, MemoryBudget, Needs, Value};
use crate::index::LayerIndex;
use crate::rules::Quantity;

impl Solver {
    /// Computes the value of every board of a layer that is not indexed, and passes
    /// them to `then`, section by section.
    ///
    /// # Errors
    /// If a spill file is needed and cannot be used.
    ///
    /// # Panics
    /// If the layer is not solved.
    pub fn for_unindexed_values(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
        mut then: impl FnMut(&[Value]),
    ) -> Result<(), SolveError> {
        self.moves.extend_to(seeds);
        let index = LayerIndex::new(self.rules(), seeds);
        let mut budget = self.budget(&index, &Needs::unindexed(), None)?;
        self.with_lower(
            seeds,
            Quantity::Value,
            &mut budget,
            |solver, lower, budget| {
                solver.sweep_unindexed(&index, lower, observer, budget, &mut then)
            },
        )
    }

    fn sweep_unindexed(
        &self,
        index: &LayerIndex,
        lower: &[&LayerArray<Value>],
        observer: &dyn Observer,
        budget: &MemoryBudget,
        then: &mut dyn FnMut(&[Value]),
    ) -> Result<(), SolveError> {
        let seeds = index.seeds();
        let whole = Part::whole(index);
        let propagator = propagator(&self.moves, (&Alone, &whole), observer, budget);
        for section in 0..=seeds {
            let columns = self.moves.unindexed_columns(section);
            if columns.is_empty() {
                continue;
            }
            let pass = SectionPass {
                moves: &self.moves,
                index,
                lower,
                section,
                columns: &columns,
                observer,
            };
            let boards = columns.len() * index.section_width(section);
            let mut best = vec![Value::NONE; boards];
            pass.run(&mut best)?;
            let children = self.layer(seeds).value();
            then(&compute_columns(
                &propagator,
                section,
                &columns,
                children,
                &best,
            )?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::observer::Silent;
    use crate::solve::reference;

    /// Named rulesets, in memory and from disk: as often as the reference solver finds
    /// each value on the boards without an index.
    #[test]
    fn unindexed_boards_have_the_values_of_the_reference() {
        let spill = tempfile::tempdir().unwrap();
        for (_, rules) in Ruleset::NAMED {
            let truth = reference::solve(rules, 8);
            let in_memory = Solver::new(rules);
            let on_disk = Solver::within(rules, 0, spill.path());
            for mut solver in [in_memory, on_disk] {
                for seeds in 0..=8 {
                    solver.solve_next(&Silent).unwrap();
                    let index = LayerIndex::new(rules, seeds);
                    let mut right = BTreeMap::<i8, u64>::new();
                    for (board, truth) in &truth {
                        if board.seeds() == seeds && index.index(board).is_none() {
                            *right.entry(truth.value).or_default() += 1;
                        }
                    }
                    let mut found = BTreeMap::<i8, u64>::new();
                    solver
                        .for_unindexed_values(seeds, &Silent, |values| {
                            for value in values {
                                *found.entry(value.get()).or_default() += 1;
                            }
                        })
                        .unwrap();
                    assert_eq!(found, right, "{rules}, {seeds} seeds");
                }
            }
        }
    }
}
