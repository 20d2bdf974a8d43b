//! What to build, and how.

use std::time::Duration;

use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::table::WriteOptions;

/// What to build, and how.
///
/// ```
/// use krou::table::Codec;
/// use krou::tablebase::BuildOptions;
///
/// // Values and distances up to 12 seeds, in less than 1 GiB of memory.
/// let options = BuildOptions {
///     distance: true,
///     write: Codec::Packed.into(),
///     memory: Some(1 << 30),
///     ..BuildOptions::new(12)
/// };
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildOptions {
    /// The highest layer, at most [`MAX_SEEDS`](crate::rules::MAX_SEEDS). All layers
    /// below it are built too.
    pub seeds: u8,
    /// A layer to leave out. No layer above it that is built may need it: in the oware
    /// family that is the one below the highest, since no capture takes a single seed.
    pub skip: Option<u8>,
    /// Whether to build distances as well as values.
    pub distance: bool,
    /// How tables are packed.
    pub write: WriteOptions,
    /// The most bytes of memory to use, if limited. Arrays that do not fit
    /// are in spill files in the folder of tables.
    pub memory: Option<u64>,
    /// The time between checkpoints: the layer being solved is saved at most that
    /// often, so that an interrupted build need not solve it from the beginning. A
    /// checkpoint that exists is always resumed from.
    pub checkpoint: Option<Duration>,
}

impl BuildOptions {
    /// All layers from 0 to `seeds`: values in small tables, without limits.
    pub fn new(seeds: u8) -> BuildOptions {
        BuildOptions {
            seeds,
            ..BuildOptions::default()
        }
    }

    /// The layers to build.
    pub fn layers(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..=self.seeds).filter(move |&seeds| Some(seeds) != self.skip)
    }

    /// An estimate of how often a build visits each board of a layer: what
    /// [`Observer::advance`](crate::solve::Observer::advance) counts.
    pub fn visits(&self, rules: Ruleset) -> u64 {
        /// How many sweeps a phase usually takes.
        const SWEEPS: u64 = 20;
        // Conversions, sweeps and packing.
        let mut visits = 2 + SWEEPS;
        if rules.has_bounds() {
            visits += 3 + 2 * SWEEPS;
        }
        if self.distance {
            visits += 2 + SWEEPS;
        }
        visits
    }

    /// An estimate of the visits of all boards of each layer, from 0 seeds on: the steps
    /// of a [`Meter`](crate::solve::Meter).
    pub fn steps(&self, rules: Ruleset) -> Vec<u64> {
        let visits = self.visits(rules);
        let steps = |seeds| match Some(seeds) == self.skip {
            true => 0,
            false => visits * LayerIndex::new(rules, seeds).len(),
        };
        (0..=self.seeds).map(steps).collect()
    }
}
