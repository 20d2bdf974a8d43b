//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! It asks the plain one-board rules and shares no code with the fast solver. That
//! every entry equals the best of its moves is not enough in a game with loops: a set
//! of wrong entries can support itself. What is missing is *progress*: a player who
//! gains must be able to come nearer to a conversion, and a player who loses must not
//! be able to avoid it for ever. Distances say how near. Where there are none, boards
//! are *founded* one after another, each only on boards that were founded before it,
//! and a board that cannot be founded rests on a loop alone. `docs/proof.md` has the
//! argument, and what it takes for granted.
//!
//! - [`Certificate`]: a layer in memory, checked whole or by random boards.
//! - [`sample`]: random boards of numbers from elsewhere ([`Numbers`]).
//! - [`Report`]: how many boards fail, and the first [`Failure`]s.

mod agreement;
mod failure;
mod founded;

use rayon::prelude::*;

use super::layer::Layer;
use super::observer::{Observer, Phase};
use super::storage::LayerArray;
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::rules::Ruleset;
pub use agreement::{BoardNumbers, Numbers};
use agreement::{InMemory, failures};
use failure::Tally;
pub use failure::{Aspect, Failure, Flaw, Reason, Report};
use founded::Foundation;

/// A layer to check, with all layers below it. All of it must be in memory.
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

/// Boards that a thread checks at a time.
const BATCH: u64 = 1 << 12;

impl Certificate<'_> {
    /// Checks every board of the layer. A report of no boards means that the layer is
    /// proven, given that the layers below it are.
    ///
    /// Boards are founded only if all agree with their moves: otherwise there is
    /// something to report already, and loops would be searched among numbers that
    /// are wrong in a simpler way.
    pub fn check(&self, observer: &dyn Observer) -> Report {
        let report = self.agreement(observer);
        if report.boards > 0 {
            return report;
        }
        for group in self.to_found() {
            let index = self.index();
            let numbers = group.len() as u64 * index.len();
            observer.begins(index.seeds(), Phase::Foundation, numbers);
            let foundation = Foundation::new(self.rules, self.numbers(), index, group);
            let report = foundation.run(self.most, observer);
            if report.boards > 0 {
                return report;
            }
        }
        Report::default()
    }

    /// Checks `count` random boards; see [`sample`].
    pub fn sample(&self, count: u64, seed: u64, observer: &dyn Observer) -> Report {
        let random = Random { count, seed };
        let numbers = self.numbers();
        match sample(
            self.rules,
            &numbers,
            self.index(),
            random,
            self.most,
            observer,
        ) {
            Ok(report) => report,
            Err(never) => match never {},
        }
    }

    /// Whether each board's numbers are what its moves make them.
    fn agreement(&self, observer: &dyn Observer) -> Report {
        let index = self.index();
        observer.begins(index.seeds(), Phase::Agreement, index.len());
        let numbers = self.numbers();
        let batches = (0..index.len().div_ceil(BATCH)).into_par_iter();
        let tallies = batches.map(|batch| {
            let boards = index.boards_from(batch * BATCH).take(BATCH as usize);
            let mut tally = Tally::default();
            let mut done = 0;
            for board in boards {
                match failures(self.rules, &numbers, &board) {
                    Ok(failures) => tally.add(&failures, self.most),
                    Err(never) => match never {},
                }
                done += 1;
            }
            observer.advance(done);
            tally
        });
        // In the order of the batches, whichever is done first.
        let tally = tallies.reduce(Tally::default, |a, b| a.and(b, self.most));
        tally.report(self.most)
    }

    /// The numbers that agreement with the moves does not prove, in groups that
    /// depend on one another.
    fn to_found(&self) -> impl Iterator<Item = &'static [Quantity]> {
        let value = self.distance.is_none();
        let bounds = self.layer().bounds().is_some();
        let value = value.then_some(&[Quantity::Value][..]);
        let bounds = bounds.then_some(&[Quantity::Lower, Quantity::Upper][..]);
        value.into_iter().chain(bounds)
    }

    fn numbers(&self) -> InMemory<'_> {
        InMemory {
            layers: self.layers,
            distance: self.distance,
        }
    }

    fn layer(&self) -> &Layer {
        self.layers.last().expect("a layer to check")
    }

    fn index(&self) -> &LayerIndex {
        self.layer().index()
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
        let failures = failures(rules, numbers, &index.board(i))?;
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
