//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! It works out moves row by row (`sowing`), asks the plain rules where the whole board
//! counts, and shares no code with the fast solver. That every entry equals the best of
//! its moves is not enough in a game with loops: a set of wrong entries can support
//! itself. What is missing is *progress*: a player who gains must be able to come nearer
//! to a conversion, and a player who loses must not be able to avoid it for ever.
//! Distances say how near. Where there are none, boards are *founded* one after another,
//! each only on boards that were founded before it, and a board that cannot be founded
//! rests on a loop alone. `docs/proof.md` has the argument, and what it takes for granted.
//!
//! - [`Certificate`]: a layer in memory, checked whole or by random boards.
//! - [`sample`]: random boards of numbers from elsewhere ([`Numbers`]).
//! - [`Report`]: how many boards fail, and the first [`Failure`]s.

mod agreement;
mod check;
mod conversions;
mod distances;
mod entries;
mod failure;
mod founded;
mod lines;
mod pass;
mod quiet;
mod rows;
mod sowing;
#[cfg(test)]
mod tests;
mod waiting;

use rayon::prelude::*;

use super::layer::Layer;
use super::observer::{Observer, Phase};
use super::storage::{LayerArray, SpillError};
use crate::index::LayerIndex;
use crate::rules::{Board, Ruleset};
use agreement::{ASPECTS, failures};
pub use agreement::{BoardNumbers, Numbers};
pub(crate) use check::{Given, GivenDistances, LayerBudget, LayerCheck, check_bytes};
pub(crate) use distances::Distances;
pub(crate) use entries::Entries;
use failure::Tally;
pub use failure::{Aspect, Failure, Flaw, Reason, Report};

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
    /// If a layer was spilled and cannot be read.
    pub fn check(&self, observer: &dyn Observer) -> Report {
        self.try_check(observer).expect("layers can be read")
    }

    fn try_check(&self, observer: &dyn Observer) -> Result<Report, SpillError> {
        let (layer, lower) = self.layers.split_last().expect("a layer to check");
        let check = LayerCheck::new(self.rules, lower, layer.index(), self.most, observer);
        let given = |array| Ok::<_, SpillError>(Given::all(Entries::of(array)?));
        let distances = self.distance.map(|array| {
            let index = layer.index();
            let read = Distances::read(index, index.seeds() + 1, |start, out| {
                array.read(start, out)
            });
            read.map(GivenDistances::all)
        });
        let values = check.values(given(layer.value())?, distances.transpose()?)?;
        match layer.bounds() {
            Some(bounds) if values.report.boards == 0 => {
                let both = [given(&bounds.lower)?, given(&bounds.upper)?];
                Ok(check.bounds(both)?.report)
            }
            _ => Ok(values.report),
        }
    }

    /// Checks `count` random boards; see [`sample`].
    ///
    /// # Panics
    /// If a layer was spilled and cannot be read.
    pub fn sample(&self, count: u64, seed: u64, observer: &dyn Observer) -> Report {
        let random = Random { count, seed };
        let index = self.layers.last().expect("a layer to check").index();
        let numbers = InLayers {
            layers: self.layers,
            distance: self.distance,
        };
        let report = sample(self.rules, &numbers, index, random, self.most, observer);
        report.expect("layers can be read")
    }
}

/// Solved layers, with the distances of the last one.
struct InLayers<'a> {
    layers: &'a [Layer],
    distance: Option<&'a LayerArray<u8>>,
}

impl Numbers for InLayers<'_> {
    type Error = SpillError;

    fn of(&self, board: &Board) -> Result<BoardNumbers, SpillError> {
        let layer = &self.layers[usize::from(board.seeds())];
        let is_last = usize::from(board.seeds()) + 1 == self.layers.len();
        let index = layer.index().index(board);
        let index = index.expect("moves lead to indexed boards");
        let bounds = match layer.bounds() {
            Some(bounds) => Some((
                bounds.lower.get(index)?.get(),
                bounds.upper.get(index)?.get(),
            )),
            None => None,
        };
        let distance = self.distance.filter(|_| is_last);
        Ok(BoardNumbers {
            value: layer.value().get(index)?.get(),
            bounds,
            distance: distance.map(|array| array.get(index)).transpose()?,
        })
    }
}

/// Which random boards: the same ones for the same seed, others for another.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// How many.
    pub count: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Checks random boards of a layer: whether their numbers are what their moves make
/// them. That proves nothing, not even about those boards: it says nothing about the
/// boards that their moves lead to, and without distances nothing about loops.
///
/// # Errors
/// If a number cannot be read.
pub fn sample<N: Numbers>(
    rules: Ruleset,
    numbers: &N,
    index: &LayerIndex,
    random: Random,
    most: usize,
    observer: &dyn Observer,
) -> Result<Report, N::Error> {
    observer.begins(index.seeds(), Phase::Agreement, random.count);
    // The seed is mixed by itself first, so that neighbouring seeds share no boards.
    let start = mix(random.seed);
    let random_index = |i: u64| {
        let number = u128::from(mix(start.wrapping_add(i)));
        ((number * u128::from(index.len())) >> 64) as u64
    };
    let boards = (0..random.count).into_par_iter().map(|i| {
        let i = random_index(i);
        let failures = failures(rules, numbers, &ASPECTS, &index.board(i))?;
        observer.advance(1);
        Ok((!failures.is_empty()).then_some((i, failures)))
    });
    let failing = boards.filter_map(Result::transpose);
    let mut failing = failing.collect::<Result<Vec<_>, N::Error>>()?;
    failing.sort_unstable_by_key(|&(i, _)| i);
    failing.dedup_by_key(|&mut (i, _)| i);
    let mut tally = Tally::default();
    for (_, failures) in &failing {
        tally.add(failures, most);
    }
    Ok(tally.report(most))
}

/// `SplitMix64` (Steele, Lea and Flood 2014): well-mixed numbers from a counter.
fn mix(counter: u64) -> u64 {
    let z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
