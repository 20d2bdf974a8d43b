//! The solver: layer after layer, from few seeds to many.

use thiserror::Error;

use super::entry::{Entry, Key, Score};
use super::fixed::{Fixed, FixedEntries};
use super::leave::{Leaving, leaving};
use super::observer::{Observer, Phase};
use super::plan::Plan;
use super::plane::Plane;
use super::sweep::Sweeper;
use crate::index::LayerIndex;
use crate::rules::{MAX_SEEDS, Ruleset};

/// What the boards of one layer are worth.
pub struct Layer {
    /// The value of each board, endless play counting 0.
    pub value: Plane<Score>,
    /// The bounds of each board, where the ruleset has them.
    pub bounds: Option<Bounds>,
}

/// What boards are worth when endless play is settled by side.
pub struct Bounds {
    /// The value when endless play counts as the worst for the mover.
    pub lower: Plane<Score>,
    /// The value when endless play counts as the best for the mover.
    pub upper: Plane<Score>,
}

/// A layer has a board that needs more plies to its next capture than can be
/// told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a board with {seeds} seeds is more than {} plies from its next capture, \
     more than a distance table can hold: its distances cannot be kept",
    Solver::LONGEST_DISTANCE
)]
pub struct DistanceTooLong {
    /// The layer.
    pub seeds: u8,
}

/// Solves the layers of a ruleset in turn, each from those below, which it
/// keeps in memory: one byte a board for values, two more where the ruleset
/// has bounds.
///
/// Work is spread over the threads of the rayon pool it is called in; the
/// results do not depend on their number.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::{Silent, Solver};
///
/// let mut solver = Solver::new(Ruleset::AWARI);
/// for _ in 0..=4 {
///     solver.solve_next(&Silent);
/// }
/// let four = &solver.layers()[4];
/// let wins = four.value.iter().filter(|score| score.value() > 0).count();
/// assert_eq!(wins, 580); // Lincke 2002, appendix B: 165 by two, 415 by four
/// ```
pub struct Solver {
    plan: Plan,
    layers: Vec<Layer>,
}

impl Solver {
    /// The longest distance that is told, in plies.
    pub const LONGEST_DISTANCE: u16 = u8::MAX as u16;

    /// A solver that has solved no layer yet.
    pub fn new(rules: Ruleset) -> Solver {
        Solver {
            plan: Plan::new(rules),
            layers: Vec::new(),
        }
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.plan.rules
    }

    /// The layers solved so far, from 0 seeds on.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The next layer to solve: the number of its seeds.
    pub fn next_seeds(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Takes the next layer from elsewhere instead of solving it.
    ///
    /// # Panics
    /// If it is not the next layer of the ruleset, or lacks its bounds.
    pub fn adopt(&mut self, layer: Layer) {
        assert_eq!(*layer.value.index(), self.next_index());
        assert_eq!(layer.bounds.is_some(), self.rules().has_bounds());
        self.layers.push(layer);
    }

    /// Solves the next layer.
    ///
    /// # Panics
    /// If there is none: the last one has [`MAX_SEEDS`] seeds.
    pub fn solve_next(&mut self, observer: &dyn Observer) -> &Layer {
        let index = self.next_index();
        self.plan.reach(index.seeds());
        let value = self.solve_values(&index, observer);
        let bounds = self
            .rules()
            .has_bounds()
            .then(|| self.solve_bounds(&index, observer));
        self.layers.push(Layer { value, bounds });
        self.layers.last().expect("just pushed")
    }

    fn next_index(&self) -> LayerIndex {
        assert!(self.next_seeds() <= MAX_SEEDS, "all layers are solved");
        LayerIndex::new(self.rules(), self.next_seeds())
    }

    fn solve_values(&self, index: &LayerIndex, observer: &dyn Observer) -> Plane<Score> {
        let best = self.leaving(index, observer, |layer| &layer.value).best;
        observer.begins(index.seeds(), Phase::Values, index.len());
        // From 0, what endless play is worth, every number moves only towards
        // its true value: `docs/solver.md`.
        let start = Plane::new(index.clone(), Score::new(0));
        let fixed = no_fixed_entries(index);
        self.sweeper(index, observer).settle(start, &best, &fixed)
    }

    fn solve_bounds(&self, index: &LayerIndex, observer: &dyn Observer) -> Bounds {
        // A lower bound is reached through the child's upper bound.
        let best = [upper_of, lower_of].map(|child| self.leaving(index, observer, child).best);
        observer.begins(index.seeds(), Phase::Bounds, 2 * index.len());
        let n = index.seeds().cast_signed();
        let start = [-n, n].map(|worth| Plane::new(index.clone(), Score::new(worth)));
        let sweeper = self.sweeper(index, observer);
        let [lower, upper] = sweeper.settle_pair(start, [&best[0], &best[1]]);
        Bounds { lower, upper }
    }

    /// The distance of every board of a solved layer: plies to the next capture
    /// or the end when both sides keep the value, the winner hurries and the
    /// loser delays. 0 where the game is over already or the value is 0.
    ///
    /// # Errors
    /// If one is longer than [`Solver::LONGEST_DISTANCE`].
    ///
    /// # Panics
    /// If the layer is not solved.
    pub fn distances(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
    ) -> Result<Plane<u8>, DistanceTooLong> {
        self.plan.reach(seeds);
        let value = &self.layers[usize::from(seeds)].value;
        let index = value.index();
        let Leaving { mut best, overs } = self.leaving(index, observer, |layer| &layer.value);
        observer.begins(seeds, Phase::Distances, index.len());
        // What is over has distance 0: no move of one ply leads there.
        let fixed = (0..)
            .zip(&overs)
            .map(|(block, overs)| {
                let lines = self.plan.columns(block);
                overs
                    .iter()
                    .map(|over| {
                        let line = lines.binary_search(&over.column).expect("a line");
                        let width = index.block_width(block);
                        best.block_mut(block)[line * width + over.row as usize] = Score::NONE;
                        Fixed {
                            row: over.row,
                            column: over.column,
                            entry: Key::new(over.entry.value(), 0),
                        }
                    })
                    .collect()
            })
            .collect();
        let start = value.map(|score| Key::new(score.value(), Key::UNKNOWN));
        let keys = self.sweeper(index, observer).settle(start, &best, &fixed);
        if keys
            .iter()
            .any(|key| key.distance() > Solver::LONGEST_DISTANCE)
        {
            return Err(DistanceTooLong { seeds });
        }
        Ok(keys.map(|key| key.distance() as u8))
    }

    /// The capture pass, with what the children in lower layers are worth.
    fn leaving(
        &self,
        index: &LayerIndex,
        observer: &dyn Observer,
        child: impl Fn(&Layer) -> &Plane<Score>,
    ) -> Leaving {
        observer.begins(index.seeds(), Phase::Captures, index.len());
        let lower: Vec<_> = self.layers[..usize::from(index.seeds())]
            .iter()
            .map(child)
            .collect();
        leaving(&self.plan, index, &lower, observer)
    }

    fn sweeper<'a>(&'a self, index: &'a LayerIndex, observer: &'a dyn Observer) -> Sweeper<'a> {
        Sweeper {
            plan: &self.plan,
            index,
            observer,
        }
    }
}

fn lower_of(layer: &Layer) -> &Plane<Score> {
    &layer.bounds.as_ref().expect("a layer with bounds").lower
}

fn upper_of(layer: &Layer) -> &Plane<Score> {
    &layer.bounds.as_ref().expect("a layer with bounds").upper
}

fn no_fixed_entries<E: Entry>(index: &LayerIndex) -> FixedEntries<E> {
    (0..=index.seeds()).map(|_| Vec::new()).collect()
}
