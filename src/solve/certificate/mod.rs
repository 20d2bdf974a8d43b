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
//!     found each entry, unless distances prove it          founded, tasks, kept
//!         by what endless play is worth                    endless
//!     if some entry fails, find the boards that do         agreement, failure
//! ```
//!
//! All passes walk over the layer in the same way, in memory or beyond (`walk`, `needs`), and
//! scan it in chunks (`pass`, `scan`). They work out moves row by row (`sowing`), over one number of each
//! board (`given`).
//!
//! # Code shared with the solver
//!
//! It shares the plain rules (`src/rules/`) with their sowing loop, which decide wherever the
//! whole board counts; the index (`src/index/`); the arrays that hold layers
//! ([`LayerArray`]), with the pool and the steps in which pieces of them are in memory, and the
//! list of pieces that conversions of the store family lead to; and the observer. It shares
//! nothing of the solver's work: not the
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
mod kept;
mod needs;
mod pass;
mod quantities;
mod scan;
mod sowing;
mod tasks;
#[cfg(test)]
mod tests;
mod walk;

use super::array::LayerArray;
use super::entry::Value;
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::Memory;
use super::observer::{Observer, Phase, Silent};
use super::spill::SpillError;
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Quantity, Ruleset};
use agreement::disagreements;
pub(crate) use agreement::{BoardNumbers, Random, sample};
use distances::CheckedDistances;
use endless::{EndlessWorth, SecuredBy};
pub use failure::{Aspect, Failure, Flaw, Reason, Report};
pub(crate) use given::Given;
use pass::{MAX_LINES, Pass};
use quantities::CheckedQuantity;
use sowing::{Crossing, RowTable};

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
    /// If there is no layer to check, or a lower one is in a file that cannot be read.
    pub fn check(&self) -> Report {
        let (layer, lower) = self.layers.split_last().expect("a layer to check");
        let mut check = LayerCheck::new(self.rules, lower, layer.index(), self.most, &Silent, 0);
        let mut distances = self.distance.map(Given::of_distances);
        let mut values = Given::of(layer.value());
        let memory = &mut Memory::unlimited();
        let report = check.values(&mut values, &mut distances, memory);
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        match layer.bounds() {
            Some(bounds) if report.boards == 0 => {
                let [lower, upper] = [&bounds.lower, &bounds.upper].map(Given::of);
                let report = check.bounds(&mut { lower }, &mut { upper }, memory);
                report.unwrap_or_else(|error| panic!("{error}"))
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
            let mut numbers = layer_numbers(self.layers, board)?;
            if let (Some(array), true) = (self.distance, board.seeds() == index.seeds()) {
                numbers.distance = array.reader().of(board)?;
            }
            Ok::<_, SolveError>(numbers)
        };
        let random = Random { count, seed };
        let report = sample(self.rules, &numbers, index, random, self.most, &Silent);
        report.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The value and the bounds of a board that a move leads to.
fn layer_numbers(layers: &[Layer], board: &Board) -> Result<BoardNumbers, SpillError> {
    let layer = &layers[usize::from(board.seeds())];
    let index = layer.index().index(board);
    let index = index.expect("moves lead to indexed boards");
    let entry = |array: &LayerArray<Value>| array.reader().at(index).map(Value::get);
    let both = |bounds: &LayerBounds| Ok((entry(&bounds.lower)?, entry(&bounds.upper)?));
    Ok(BoardNumbers {
        value: entry(layer.value())?,
        bounds: layer.bounds().map(both).transpose()?,
        distance: None,
    })
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
    // For each crossing, the ranks and captures of lines: of those of a section beyond memory, or
    // of a chunk for each thread.
    let crossings = Crossing::all(rules, index.seeds());
    let crossed = |section: u8| {
        let of_mover = index.seeds() - section;
        let met = crossings
            .iter()
            .filter(|crossing| crossing.seeds() <= of_mover);
        (met.count() * index.section_lines(section)) as u64
    };
    let of_section = (0..=index.seeds()).map(crossed).max().unwrap_or(0);
    let threads = rayon::current_num_threads() as u64;
    let of_threads = (crossings.len() * MAX_LINES) as u64 * threads;
    let meetings = 16 * of_section.max(of_threads) + (threads << 17);
    let rows: u64 = (0..=index.seeds())
        .map(|n| u64::from(row::row_count(n)))
        .sum();
    waiting + RowTable::ROW_BYTES * rows + meetings
}

/// The check of one layer against those below it.
pub(crate) struct LayerCheck<'a> {
    pass: Pass<'a>,
    lower: &'a [Layer],
    most: usize,
    spare: u64,
}

impl<'a> LayerCheck<'a> {
    /// A check against the layers below, with at most `most` failures to report. Beyond memory it
    /// may take `spare` bytes besides what its arrays leave.
    pub fn new(
        rules: Ruleset,
        lower: &'a [Layer],
        index: &'a LayerIndex,
        most: usize,
        observer: &'a dyn Observer,
        spare: u64,
    ) -> LayerCheck<'a> {
        let rows = RowTable::new(rules, index.seeds());
        LayerCheck {
            pass: Pass {
                rules,
                index,
                rows,
                observer,
                pool_bytes: 0,
            },
            lower,
            most,
            spare,
        }
    }

    /// Completes and checks values and distances. Values are founded unless distances prove
    /// them; distances that are too long for a table become `None`. Where endless play counts by
    /// row it takes a copy of the values, in this memory.
    ///
    /// # Errors
    /// If a file is needed and cannot be made or used, or the observer stops it.
    pub fn values(
        &mut self,
        values: &mut Given,
        distances: &mut Option<Given>,
        memory: &mut Memory,
    ) -> Result<Report, SolveError> {
        self.pass.pool_bytes = memory.left().saturating_add(self.spare);
        let value = CheckedQuantity {
            quantity: Quantity::Value,
            entries: 0,
            children: 0,
            endless: EndlessWorth::Always(0),
        };
        let mut agrees = self.agrees(&mut [values], &[value])?;
        if let Some(given) = distances {
            let checked = CheckedDistances {
                values: 0,
                distances: 1,
            };
            let arrays = &mut [&mut *values, given];
            if checked.complete(&self.pass, arrays)? {
                agrees &= checked.check(&self.pass, arrays)?;
            } else {
                *distances = None;
            }
        }
        if !agrees {
            let distance = |board: &Board| {
                let found = distances.as_ref().map(|given| given.distance_of(board));
                found.transpose()
            };
            let numbers = |board: &Board| {
                Ok(BoardNumbers {
                    value: values.quantity_of(board)?.get(),
                    distance: distance(board)?,
                    bounds: None,
                })
            };
            return Ok(self.disagreements(&[Aspect::Value, Aspect::Distance], &numbers)?);
        }
        if self.pass.rules.counts_loops() {
            return self.found_by_row(value, values, memory);
        }
        match distances {
            Some(_) => Ok(Report::default()),
            None => self.found(&mut [values], &[value]),
        }
    }

    /// Founds values where endless play counts by row: for each board its value for the mover
    /// and, in a copy, that for the other player.
    fn found_by_row(
        &mut self,
        value: CheckedQuantity,
        values: &mut Given,
        memory: &mut Memory,
    ) -> Result<Report, SolveError> {
        let mut copy = values.copy(memory)?;
        self.pass.pool_bytes = memory.left().saturating_add(self.spare);
        let secured_by = |secured_by, entries, children| CheckedQuantity {
            entries,
            children,
            endless: EndlessWorth::ByRow {
                secured_by,
                middle: 0,
            },
            ..value
        };
        let group = [
            secured_by(SecuredBy::Mover, 0, 1),
            secured_by(SecuredBy::Opponent, 1, 0),
        ];
        self.found(&mut [values, &mut copy], &group)
    }

    /// Completes, checks and founds lower and upper bounds. `memory` is what they have left.
    ///
    /// # Errors
    /// If a file cannot be used, or the observer stops it.
    pub fn bounds(
        &mut self,
        lower: &mut Given,
        upper: &mut Given,
        memory: &Memory,
    ) -> Result<Report, SolveError> {
        self.pass.pool_bytes = memory.left().saturating_add(self.spare);
        let checked = |quantity, entries, children, endless| CheckedQuantity {
            quantity,
            entries,
            children,
            endless,
        };
        let with = |[of_lower, of_upper]: [EndlessWorth; 2]| {
            [
                checked(Quantity::Lower, 0, 1, of_lower),
                checked(Quantity::Upper, 1, 0, of_upper),
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
        let arrays = &mut [&mut *lower, &mut *upper];
        if !self.agrees(arrays, &both)? {
            let numbers = |board: &Board| {
                let both = (lower.quantity_of(board)?, upper.quantity_of(board)?);
                Ok(BoardNumbers {
                    bounds: Some((both.0.get(), both.1.get())),
                    ..BoardNumbers::default()
                })
            };
            return Ok(self.disagreements(&[Aspect::Lower, Aspect::Upper], &numbers)?);
        }
        let report = self.found(arrays, &both)?;
        if report.boards > 0 || !counts_loops {
            return Ok(report);
        }
        let both = with(of_upper);
        // The marks of conversions were overwritten. Every move that keeps a lower bound has to
        // be founded now, so there they do not matter.
        self.check_conversions(arrays, &both[1])?;
        self.found(arrays, &both)
    }

    /// Completes quantities that depend on one another; whether each given entry is the value
    /// of its board's best move.
    fn agrees(
        &self,
        arrays: &mut [&mut Given],
        group: &[CheckedQuantity],
    ) -> Result<bool, SolveError> {
        let mut agrees = true;
        for quantity in group {
            agrees &= self.check_conversions(arrays, quantity)?;
        }
        for quantity in group {
            quantity.complete(&self.pass, arrays)?;
        }
        for quantity in group {
            agrees &= quantity.check(&self.pass, arrays)?;
        }
        Ok(agrees)
    }

    /// Marks the entries that a conversion attains; whether no conversion is worth more.
    fn check_conversions(
        &self,
        arrays: &mut [&mut Given],
        quantity: &CheckedQuantity,
    ) -> Result<bool, SolveError> {
        let Pass {
            index, observer, ..
        } = self.pass;
        observer.begins(index.seeds(), Phase::Agreement, index.len());
        quantity.check_conversions(&self.pass, arrays, self.lower)
    }

    /// Founds entries that agree with their moves. In the store family no board repeats, and
    /// there is nothing to found.
    fn found(
        &self,
        arrays: &mut [&mut Given],
        group: &[CheckedQuantity],
    ) -> Result<Report, SolveError> {
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
        founded::found(&self.pass, arrays, group, self.most)
    }

    /// The boards whose numbers are not what their moves make them, by the plain rules.
    /// Passes only tell whether there are any.
    fn disagreements(
        &self,
        aspects: &[Aspect],
        numbers: &(impl Fn(&Board) -> Result<BoardNumbers, SpillError> + Sync),
    ) -> Result<Report, SpillError> {
        let Pass { rules, index, .. } = self.pass;
        let numbers = |board: &Board| {
            if board.seeds() == index.seeds() {
                numbers(board)
            } else {
                layer_numbers(self.lower, board)
            }
        };
        let report = disagreements(rules, &numbers, aspects, index, self.most)?;
        assert!(report.boards > 0, "the passes and the plain rules disagree");
        Ok(report)
    }
}
