//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! That every entry equals the best of its moves is not enough in a game with loops: a set
//! of wrong entries can support itself. What is missing is *progress*: a player who gains
//! must be able to come nearer to a conversion, and a player who loses must not be able to
//! avoid it for ever. Distances say how near. Where there are none, boards are *founded* one
//! after another, each only on boards that were founded before it, and a board that cannot
//! be founded rests on a loop alone. `docs/proof.md` has the argument, and what it takes for
//! granted.
//!
//! ```text
//! LayerCheck::values, LayerCheck::bounds
//!     compare each entry with the best conversion          quantities
//!     complete the entries that a table leaves out, and
//!         compare each entry with the best quiet move      quantities
//!     compare each distance with those of the moves        distances
//!     without distances, found each entry                  founded
//!     if some entry fails, find the boards that do         agreement, failure
//! ```
//!
//! All passes scan the layer in the same way (`pass`). They work out moves row by row
//! (`sowing`), over one number of each board (`given`).
//!
//! # Code shared with the solver
//!
//! It shares the plain rules (`src/rules/`) with their sowing loop, which decide wherever the
//! whole board counts; the index (`src/index/`); the arrays that hold layers
//! ([`LayerArray`]); and the observer. It shares nothing of the solver's work: not the
//! compiled moves, the conversion pass, the sweeps, the worklist, nor the completion of
//! imported layers.
//!
//! - [`Certificate`]: a layer in memory, checked whole or by random boards.
//! - [`Report`]: how many boards fail, and the first [`Failure`]s.

mod agreement;
mod distances;
mod failure;
mod founded;
mod given;
mod pass;
mod quantities;
mod sowing;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::atomic::{AtomicU8, Ordering};

use super::array::LayerArray;
use super::layer::{Layer, LayerBounds};
use super::observer::{Observer, Phase};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Quantity, Ruleset};
use agreement::disagreements;
pub(crate) use agreement::{BoardNumbers, Random, sample};
use distances::CheckedDistances;
pub use failure::{Aspect, Failure, Flaw, Reason, Report};
pub(crate) use given::{Given, Marked};
use pass::{MAX_LINES, Pass, lines_in_files};
use quantities::{CheckedQuantity, Marks};
use sowing::RowTable;

/// A layer to check, with all layers below it.
#[derive(Debug)]
pub struct Certificate<'a> {
    /// The ruleset.
    pub rules: Ruleset,
    /// All layers from 0 seeds on; the last one is checked.
    pub layers: &'a [Layer],
    /// The distances of the layer, if there are any.
    pub distance: Option<&'a LayerArray<u8>>,
    /// The most failures to report.
    pub most: usize,
}

impl Certificate<'_> {
    /// Checks every board of the layer. A report of no boards means that the layer is
    /// proven, given that the layers below it are. It takes a copy of the layer in memory.
    ///
    /// Boards are founded only if all agree with their moves: otherwise there is
    /// something to report already, and loops would be searched among numbers that
    /// are wrong in a simpler way. For the same reason bounds are checked only if all
    /// values are right.
    ///
    /// # Panics
    /// If there is no layer to check.
    pub fn check(&self, observer: &dyn Observer) -> Report {
        let (layer, lower) = self.layers.split_last().expect("a layer to check");
        let mut check = LayerCheck::new(self.rules, lower, layer.index(), self.most, observer);
        let mut distances = self.distance.map(Given::of_distances);
        let report = check.values(&Given::of(layer.value()), &mut distances);
        match layer.bounds() {
            Some(bounds) if report.boards == 0 => {
                check.bounds(&Given::of(&bounds.lower), &Given::of(&bounds.upper))
            }
            _ => report,
        }
    }

    /// Checks `count` random boards, the same ones for the same `seed`: whether their numbers
    /// are what their moves make them. That proves nothing, not even about those boards: it
    /// says nothing about the boards that their moves lead to, and without distances nothing
    /// about loops.
    ///
    /// # Panics
    /// If there is no layer to check.
    pub fn sample(&self, count: u64, seed: u64, observer: &dyn Observer) -> Report {
        let index = self.layers.last().expect("a layer to check").index();
        let numbers = |board: &Board| {
            let mut numbers = layer_numbers(self.layers, board);
            if let (Some(array), true) = (self.distance, board.seeds() == index.seeds()) {
                numbers.distance = array.of(board);
            }
            Ok::<_, Infallible>(numbers)
        };
        let random = Random { count, seed };
        let Ok(report) = sample(self.rules, &numbers, index, random, self.most, observer);
        report
    }
}

/// The value and the bounds of a board that a move leads to.
fn layer_numbers(layers: &[Layer], board: &Board) -> BoardNumbers {
    let layer = &layers[usize::from(board.seeds())];
    let index = layer.index().index(board);
    let index = index.expect("moves lead to indexed boards");
    let both =
        |bounds: &LayerBounds| (bounds.lower.get(index).get(), bounds.upper.get(index).get());
    BoardNumbers {
        value: layer.value().get(index).get(),
        bounds: layer.bounds().map(both),
        distance: None,
    }
}

/// Bytes of the arrays of a layer that is checked: one quantity of each board, or both bounds, or
/// a value and a distance.
pub(crate) fn given_bytes(rules: Ruleset, index: &LayerIndex, has_distances: bool) -> u64 {
    let numbers = if rules.has_bounds() || has_distances {
        2
    } else {
        1
    };
    numbers * index.len()
}

/// Bytes that it takes to check a layer beside arrays.
pub(crate) fn check_bytes(rules: Ruleset, index: &LayerIndex, has_distances: bool) -> u64 {
    // A bit for each number that waits to be founded.
    let waiting = given_bytes(rules, index, has_distances) / 8;
    let lines = |section| index.section_lines(section);
    let most_lines = (0..=index.seeds()).map(lines).max().unwrap_or(0);
    let rows: u64 = (0..=index.seeds())
        .map(|n| u64::from(row::row_count(n)))
        .sum();
    // For each of some sixty crossings, the ranks and captures of a chunk's lines.
    let of_thread = 60 * 16 * lines_in_files(most_lines).max(MAX_LINES) as u64 + (1 << 17);
    let threads = rayon::current_num_threads() as u64;
    waiting + RowTable::ROW_BYTES * rows + of_thread * threads
}

/// The check of one layer against those below it.
pub(crate) struct LayerCheck<'a> {
    pass: Pass<'a>,
    lower: &'a [Layer],
    most: usize,
}

impl<'a> LayerCheck<'a> {
    /// A check against the layers below, with at most `most` failures to report.
    pub fn new(
        rules: Ruleset,
        lower: &'a [Layer],
        index: &'a LayerIndex,
        most: usize,
        observer: &'a dyn Observer,
    ) -> LayerCheck<'a> {
        let rows = RowTable::new(rules, index.seeds());
        LayerCheck {
            pass: Pass {
                rules,
                index,
                rows,
                observer,
                in_files: false,
            },
            lower,
            most,
        }
    }

    /// Completes and checks values and distances; values without distances are founded.
    /// Distances that are too long for a table become `None`, and the values are founded.
    pub fn values(
        &mut self,
        values: &Given<Marked>,
        distances: &mut Option<Given<AtomicU8>>,
    ) -> Report {
        self.pass.in_files =
            values.is_in_file() || distances.as_ref().is_some_and(Given::is_in_file);
        let value = CheckedQuantity {
            quantity: Quantity::Value,
            entries: values,
            children: values,
        };
        let marks = if distances.is_some() {
            Marks::Conversions
        } else {
            Marks::Founded
        };
        let mut agrees = self.agrees(&[value], marks);
        if let Some(given) = distances {
            let checked = CheckedDistances {
                values,
                distances: given,
            };
            if checked.complete(&self.pass) {
                agrees &= checked.check(&self.pass);
            } else {
                *distances = None;
                if agrees {
                    // It leaves the marks of all entries as foundation needs them.
                    value.check(&self.pass, 0..=values.seeds(), Marks::Founded);
                }
            }
        }
        if !agrees {
            let numbers = |board: &Board| BoardNumbers {
                value: values.of_board(board).get(),
                distance: distances
                    .as_ref()
                    .map(|distances| distances.of_board(board).load(Ordering::Relaxed)),
                bounds: None,
            };
            return self.disagreements(&[Aspect::Value, Aspect::Distance], &numbers);
        }
        if distances.is_some() {
            return Report::default();
        }
        self.found(&[value])
    }

    /// Completes, checks and founds lower and upper bounds.
    pub fn bounds(&mut self, lower: &Given<Marked>, upper: &Given<Marked>) -> Report {
        self.pass.in_files = lower.is_in_file() || upper.is_in_file();
        let checked = |quantity, entries, children| CheckedQuantity {
            quantity,
            entries,
            children,
        };
        let both = [
            checked(Quantity::Lower, lower, upper),
            checked(Quantity::Upper, upper, lower),
        ];
        if !self.agrees(&both, Marks::Founded) {
            let numbers = |board: &Board| BoardNumbers {
                bounds: Some((lower.of_board(board).get(), upper.of_board(board).get())),
                ..BoardNumbers::default()
            };
            return self.disagreements(&[Aspect::Lower, Aspect::Upper], &numbers);
        }
        self.found(&both)
    }

    /// Completes quantities that depend on one another; whether each given entry is the value
    /// of its board's best move.
    fn agrees(&self, group: &[CheckedQuantity<'_>], marks: Marks) -> bool {
        let index = self.pass.index;
        let mut agrees = true;
        for quantity in group {
            self.pass
                .observer
                .begins(index.seeds(), Phase::Agreement, index.len());
            agrees &= quantity.check_conversions(&self.pass, self.lower);
        }
        for quantity in group {
            quantity.complete(&self.pass, marks);
        }
        for quantity in group {
            let given = 0..quantity.entries.given_sections();
            agrees &= quantity.check(&self.pass, given, marks);
        }
        agrees
    }

    /// Founds entries that agree with their moves. In the store family no board repeats, and
    /// there is nothing to found.
    fn found(&self, group: &[CheckedQuantity<'_>]) -> Report {
        let Pass {
            rules,
            index,
            observer,
            ..
        } = self.pass;
        if rules.oware().is_none() {
            return Report::default();
        }
        let numbers = group.len() as u64 * index.len();
        observer.begins(index.seeds(), Phase::Foundation, numbers);
        founded::found(&self.pass, group, self.most)
    }

    /// The boards whose numbers are not what their moves make them, by the plain rules.
    /// Passes only tell whether there are any.
    fn disagreements(
        &self,
        aspects: &[Aspect],
        numbers: &(impl Fn(&Board) -> BoardNumbers + Sync),
    ) -> Report {
        let Pass { rules, index, .. } = self.pass;
        let numbers = |board: &Board| {
            Ok::<_, Infallible>(if board.seeds() == index.seeds() {
                numbers(board)
            } else {
                layer_numbers(self.lower, board)
            })
        };
        let Ok(report) = disagreements(rules, &numbers, aspects, index, self.most);
        assert!(report.boards > 0, "the passes and the plain rules disagree");
        report
    }
}
