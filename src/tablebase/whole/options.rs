//! What to build, and how a caller follows it.

use std::time::Duration;

use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::solve::{Observer, Stoppable};
use crate::table::{TableId, WriteOptions};

/// What to build, and how.
///
/// ```
/// use krou::table::Codec;
/// use krou::tablebase::BuildOptions;
///
/// // Values and distances up to 12 seeds, in less than 1 GiB of memory.
/// let options = BuildOptions::new(12)
///     .with_distance(true)
///     .with_write(Codec::Packed)
///     .with_memory(1 << 30);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
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
    /// are in mapped files in the folder of tables.
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

    /// Sets [`BuildOptions::skip`].
    #[must_use]
    pub fn with_skip(mut self, layer: impl Into<Option<u8>>) -> BuildOptions {
        self.skip = layer.into();
        self
    }

    /// The layers to build.
    #[doc(hidden)]
    pub fn layers(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..=self.seeds).filter(move |&seeds| Some(seeds) != self.skip)
    }

    /// Sets [`BuildOptions::distance`].
    #[must_use]
    pub fn with_distance(mut self, distance: bool) -> BuildOptions {
        self.distance = distance;
        self
    }

    /// Sets [`BuildOptions::write`].
    #[must_use]
    pub fn with_write(mut self, write: impl Into<WriteOptions>) -> BuildOptions {
        self.write = write.into();
        self
    }

    /// Sets [`BuildOptions::memory`].
    #[must_use]
    pub fn with_memory(mut self, bytes: impl Into<Option<u64>>) -> BuildOptions {
        self.memory = bytes.into();
        self
    }

    /// Sets [`BuildOptions::checkpoint`].
    #[must_use]
    pub fn with_checkpoint(mut self, interval: impl Into<Option<Duration>>) -> BuildOptions {
        self.checkpoint = interval.into();
        self
    }

    /// An estimate of how often a build visits each board of a layer: what
    /// [`Observer::advance`] counts.
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub fn steps(&self, rules: Ruleset) -> Vec<u64> {
        let visits = self.visits(rules);
        let steps = |seeds| match Some(seeds) == self.skip {
            true => 0,
            false => visits * LayerIndex::new(rules, seeds).len(),
        };
        (0..=self.seeds).map(steps).collect()
    }
}

/// Follows a build.
pub trait BuildObserver: Observer {
    /// A layer is already in the folder, and is read or skipped.
    fn present(&self, seeds: u8) {
        let _ = seeds;
    }

    /// The file system has no locks: nobody keeps another build out of the folder.
    fn without_lock(&self) {}

    /// A layer has distances that are too long for a table, and is built without them.
    fn without_distances(&self, seeds: u8) {
        let _ = seeds;
    }

    /// A table of `entries` entries is being packed; `advance` counts them.
    fn packs(&self, id: TableId, entries: u64) {
        let _ = (id, entries);
    }

    /// A table is complete under its own name.
    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        let _ = (id, entries, bytes);
    }
}

impl BuildObserver for crate::solve::Silent {}

impl<O: BuildObserver + ?Sized> BuildObserver for Stoppable<'_, O> {
    fn present(&self, seeds: u8) {
        self.observer().present(seeds);
    }

    fn without_lock(&self) {
        self.observer().without_lock();
    }

    fn without_distances(&self, seeds: u8) {
        self.observer().without_distances(seeds);
    }

    fn packs(&self, id: TableId, entries: u64) {
        self.observer().packs(id, entries);
    }

    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        self.observer().built(id, entries, bytes);
    }
}
