//! The certificate: a proof, board by board, that a solved layer is right.
//!
//! It asks the plain one-board rules and shares no code with the fast solver.
//! That every entry equals the best of its moves is not enough in a game with
//! loops: a set of wrong entries can hold itself up. What is missing is
//! *progress*: whoever is to gain must be able to get nearer to a capture, and
//! whoever is to lose must not be able to keep away from it. Distances say how
//! near; where there are none, boards are settled one after another, each only
//! by boards that were settled before it, and a board that cannot be settled
//! is unfounded. `docs/proof.md` has the argument, and what it takes for granted.
//!
//! - [`Certificate`]: a layer in memory, to be checked whole or by random boards.
//! - [`sample`]: random boards of numbers from elsewhere ([`Numbers`]).
//! - [`Report`]: how many boards fail, and the first [`Failure`]s.

mod agree;
mod failure;
mod settle;

use rayon::prelude::*;

use super::observer::{Observer, Phase};
use super::plane::Plane;
use super::solved::{Quantity, Worths};
use crate::index::LayerIndex;
use crate::rules::Ruleset;
use agree::{InMemory, failures};
pub use agree::{Numbers, Stored};
use failure::Tally;
pub use failure::{Aspect, Failure, Flaw, Reason, Report};
use settle::Settling;

/// A layer to be checked, with all layers below it.
pub struct Certificate<'a, L> {
    /// The ruleset.
    pub rules: Ruleset,
    /// All layers from 0 seeds on; the last one is checked.
    pub layers: &'a [L],
    /// The distances of the layer, if there are any.
    pub distance: Option<&'a Plane<u8>>,
    /// How many failures to name at most.
    pub most: usize,
}

/// Boards that a thread checks at a time.
const STRETCH: u64 = 1 << 12;

impl<L: Worths> Certificate<'_, L> {
    /// Checks every board of the layer. A report of no boards means that the
    /// layer is proven, given that the layers below it are.
    ///
    /// Boards are settled only if all agree with their moves: otherwise there is
    /// something to tell already, and loops would be looked for among numbers
    /// that are wrong in a simpler way.
    pub fn check(&self, observer: &dyn Observer) -> Report {
        let report = self.agreement(observer);
        if report.boards > 0 {
            return report;
        }
        for group in self.to_settle() {
            let index = self.index();
            let numbers = group.len() as u64 * index.len();
            observer.begins(index.seeds(), Phase::Settling, numbers);
            let settling = Settling::new(self.rules, self.numbers(), index, group);
            let report = settling.run(self.most, observer);
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
        observer.begins(index.seeds(), Phase::Certificate, index.len());
        let numbers = self.numbers();
        let stretches = (0..index.len().div_ceil(STRETCH)).into_par_iter();
        let tallies = stretches.map(|stretch| {
            let boards = index.boards_from(stretch * STRETCH).take(STRETCH as usize);
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
        // In the order of the stretches, whichever is done first.
        let tally = tallies.reduce(Tally::default, |a, b| a.and(b, self.most));
        tally.report(self.most)
    }

    /// The numbers that agreement with the moves does not prove, in groups that
    /// depend on one another.
    fn to_settle(&self) -> impl Iterator<Item = &'static [Quantity]> {
        let value = self.distance.is_none();
        let bounds = self.layer().has_bounds();
        let value = value.then_some(&[Quantity::Value][..]);
        let bounds = bounds.then_some(&[Quantity::Lower, Quantity::Upper][..]);
        value.into_iter().chain(bounds)
    }

    fn numbers(&self) -> InMemory<'_, L> {
        InMemory {
            layers: self.layers,
            distance: self.distance,
        }
    }

    fn layer(&self) -> &L {
        self.layers.last().expect("a layer to check")
    }

    fn index(&self) -> &LayerIndex {
        self.layer().index()
    }
}

/// Which random boards: the same ones for the same seed.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// How many.
    pub count: u64,
    /// Where the random numbers start.
    pub seed: u64,
}

/// Checks random boards of a layer: whether their numbers are what their moves
/// make them. That is no proof, not even of those boards: it says nothing of the
/// boards that their moves lead to, and without distances nothing of loops.
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
    observer.begins(index.seeds(), Phase::Certificate, random.count);
    let place = |i: u64| {
        let number = u128::from(mix(random.seed.wrapping_add(i)));
        ((number * u128::from(index.len())) >> 64) as u64
    };
    let boards = (0..random.count).into_par_iter().map(|i| {
        let place = place(i);
        let failures = failures(rules, numbers, &index.board(place))?;
        observer.advance(1);
        Ok((!failures.is_empty()).then_some((place, failures)))
    });
    let failing = boards.filter_map(Result::transpose);
    let mut failing = failing.collect::<Result<Vec<_>, N::Error>>()?;
    failing.sort_unstable_by_key(|&(place, _)| place);
    failing.dedup_by_key(|&mut (place, _)| place);
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
