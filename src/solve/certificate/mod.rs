//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! That every entry equals the best of its moves is not enough in a game with loops: a set
//! of wrong entries can support itself. What is missing is *progress*: a player who gains
//! must be able to come nearer to a conversion, and a player who loses must not be able to
//! avoid it for ever. Distances say how near. Where there are none, boards are *founded* one
//! after another, each only on boards that were founded before it, and a board that cannot
//! be founded rests on a loop alone. Where endless play counts by row, a loop can be what gives
//! an entry, so boards are also founded together, if the play can stay on them and they are good
//! enough. `docs/internals/proof.md` has the argument, and what it takes for granted.
//!
//! ```text
//! LayerCheck::values, LayerCheck::bounds
//!     compare each entry with the best conversion          quantities
//!     complete the entries that a table leaves out, and
//!         compare each entry with the best quiet move      quantities
//!     compare each distance with those of the moves        distances
//!     found each entry, unless distances prove it          founded, board_set
//!         by what endless play is worth                    endless
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
mod board_set;
mod distances;
mod endless;
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
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::Memory;
use super::observer::{Observer, Phase, Silent, Stopped};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Quantity, Ruleset};
use agreement::disagreements;
pub(crate) use agreement::{BoardNumbers, Random, sample};
use distances::CheckedDistances;
use endless::{EndlessWorth, SecuredBy};
pub use failure::{Aspect, Failure, Flaw, Reason, Report};
pub(crate) use given::{Given, Marked};
use pass::{MAX_LINES, Pass, lines_in_files};
use quantities::CheckedQuantity;
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
    /// proven, given that the layers below it are. It takes copies of the layer in memory.
    ///
    /// Boards are founded only if all agree with their moves: otherwise there is
    /// something to report already, and loops would be searched among numbers that
    /// are wrong in a simpler way. For the same reason bounds are checked only if all
    /// values are right.
    ///
    /// # Panics
    /// If there is no layer to check.
    pub fn check(&self) -> Report {
        let (layer, lower) = self.layers.split_last().expect("a layer to check");
        let mut check = LayerCheck::new(self.rules, lower, layer.index(), self.most, &Silent);
        let mut distances = self.distance.map(Given::of_distances);
        let values = Given::of(layer.value());
        let report = check.values(&values, &mut distances, &mut Memory::unlimited());
        let report = report.expect("nobody stops it, and memory without a limit needs no file");
        match layer.bounds() {
            Some(bounds) if report.boards == 0 => {
                let report = check.bounds(&Given::of(&bounds.lower), &Given::of(&bounds.upper));
                report.expect("nobody stops it")
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
    pub fn sample(&self, count: u64, seed: u64) -> Report {
        let index = self.layers.last().expect("a layer to check").index();
        let numbers = |board: &Board| {
            let mut numbers = layer_numbers(self.layers, board);
            if let (Some(array), true) = (self.distance, board.seeds() == index.seeds()) {
                numbers.distance = array.of(board);
            }
            Ok::<_, Stopped>(numbers)
        };
        let random = Random { count, seed };
        let report = sample(self.rules, &numbers, index, random, self.most, &Silent);
        report.expect("nobody stops it")
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

/// Bytes of the arrays of a layer that is checked: its values, with a copy where endless play
/// counts by row, and its distances; or both bounds.
pub(crate) fn given_bytes(rules: Ruleset, index: &LayerIndex, has_distances: bool) -> u64 {
    let values = 1 + u64::from(rules.counts_loops()) + u64::from(has_distances);
    let bounds = if rules.has_bounds() { 2 } else { 0 };
    values.max(bounds) * index.len()
}

/// Bytes that it takes to check a layer beside arrays.
pub(crate) fn check_bytes(rules: Ruleset, index: &LayerIndex) -> u64 {
    // A bit for each number that waits to be founded, and one for each that is to be founded
    // together with others.
    let bits = match (rules.counts_loops(), rules.has_bounds()) {
        (true, _) => 4,
        (false, true) => 2,
        (false, false) => 1,
    };
    let waiting = bits * index.len() / 8;
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

    /// Completes and checks values and distances. Values are founded unless distances prove
    /// them; distances that are too long for a table become `None`. Where endless play counts by
    /// row it takes a copy of the values, in this memory.
    ///
    /// # Errors
    /// If a file for the copy is needed and cannot be made.
    pub fn values(
        &mut self,
        values: &Given<Marked>,
        distances: &mut Option<Given<AtomicU8>>,
        memory: &mut Memory,
    ) -> Result<Report, SolveError> {
        self.pass.in_files =
            values.is_in_file() || distances.as_ref().is_some_and(Given::is_in_file);
        let value = CheckedQuantity {
            quantity: Quantity::Value,
            entries: values,
            children: values,
            endless: EndlessWorth::Always(0),
        };
        let mut agrees = self.agrees(&[value])?;
        if let Some(given) = distances {
            let checked = CheckedDistances {
                values,
                distances: given,
            };
            if checked.complete(&self.pass)? {
                agrees &= checked.check(&self.pass)?;
            } else {
                *distances = None;
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
            return Ok(self.disagreements(&[Aspect::Value, Aspect::Distance], &numbers));
        }
        if self.pass.rules.counts_loops() {
            return self.found_by_row(value, memory);
        }
        Ok(match distances {
            Some(_) => Report::default(),
            None => self.found(&[value])?,
        })
    }

    /// Founds values where endless play counts by row: for each board its value for the mover
    /// and, in a copy, that for the other player.
    fn found_by_row(
        &mut self,
        value: CheckedQuantity<'_>,
        memory: &mut Memory,
    ) -> Result<Report, SolveError> {
        let copy = value.entries.copy(memory)?;
        self.pass.in_files |= copy.is_in_file();
        let secured_by = |secured_by, entries, children| CheckedQuantity {
            entries,
            children,
            endless: EndlessWorth::ByRow {
                secured_by,
                middle: 0,
            },
            ..value
        };
        Ok(self.found(&[
            secured_by(SecuredBy::Mover, value.entries, &copy),
            secured_by(SecuredBy::Opponent, &copy, value.entries),
        ])?)
    }

    /// Completes, checks and founds lower and upper bounds.
    ///
    /// # Errors
    /// If the observer stops it.
    pub fn bounds(
        &mut self,
        lower: &Given<Marked>,
        upper: &Given<Marked>,
    ) -> Result<Report, Stopped> {
        self.pass.in_files = lower.is_in_file() || upper.is_in_file();
        let checked = |quantity, entries, children, endless| CheckedQuantity {
            quantity,
            entries,
            children,
            endless,
        };
        let with = |[of_lower, of_upper]: [EndlessWorth; 2]| {
            [
                checked(Quantity::Lower, lower, upper, of_lower),
                checked(Quantity::Upper, upper, lower, of_upper),
            ]
        };
        let n = self.pass.index.seeds().cast_signed();
        // Each player in turn has to secure what the bounds say.
        let by_row = |secured_by, middle| EndlessWorth::ByRow { secured_by, middle };
        let of_lower = [SecuredBy::Mover, SecuredBy::Opponent].map(|player| by_row(player, -n));
        let of_upper = [SecuredBy::Opponent, SecuredBy::Mover].map(|player| by_row(player, n));
        let worst = [-n, n].map(EndlessWorth::Always);
        let counts_loops = self.pass.rules.counts_loops();
        let both = with(if counts_loops { of_lower } else { worst });
        if !self.agrees(&both)? {
            let numbers = |board: &Board| BoardNumbers {
                bounds: Some((lower.of_board(board).get(), upper.of_board(board).get())),
                ..BoardNumbers::default()
            };
            return Ok(self.disagreements(&[Aspect::Lower, Aspect::Upper], &numbers));
        }
        let report = self.found(&both)?;
        if report.boards > 0 || !counts_loops {
            return Ok(report);
        }
        let both = with(of_upper);
        // The marks of conversions were overwritten. Every move that keeps a lower bound has to
        // be founded now, so there they do not matter.
        self.check_conversions(&both[1])?;
        self.found(&both)
    }

    /// Completes quantities that depend on one another; whether each given entry is the value
    /// of its board's best move.
    fn agrees(&self, group: &[CheckedQuantity<'_>]) -> Result<bool, Stopped> {
        let mut agrees = true;
        for quantity in group {
            agrees &= self.check_conversions(quantity)?;
        }
        for quantity in group {
            quantity.complete(&self.pass)?;
        }
        for quantity in group {
            let given = 0..quantity.entries.given_sections();
            agrees &= quantity.check(&self.pass, given)?;
        }
        Ok(agrees)
    }

    /// Marks the entries that a conversion attains; whether no conversion is worth more.
    fn check_conversions(&self, quantity: &CheckedQuantity<'_>) -> Result<bool, Stopped> {
        let Pass {
            index, observer, ..
        } = self.pass;
        observer.begins(index.seeds(), Phase::Agreement, index.len());
        quantity.check_conversions(&self.pass, self.lower)
    }

    /// Founds entries that agree with their moves. In the store family no board repeats, and
    /// there is nothing to found.
    fn found(&self, group: &[CheckedQuantity<'_>]) -> Result<Report, Stopped> {
        let Pass {
            rules,
            index,
            observer,
            ..
        } = self.pass;
        if rules.oware().is_none() {
            return Ok(Report::default());
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
