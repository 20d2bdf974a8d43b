//! Building a folder of tables: layer after layer, each written whole.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::adapters::{DistanceEntries, ScoreEntries, import};
use super::layers::{LayerTables, kinds_of, open_if_present};
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::rules::Ruleset;
use crate::solve::checkpoint::remove_checkpoint;
use crate::solve::{
    LayerArray, Observer, SolveError, Solver, SpillError, Stoppable, memory_needed,
};
use crate::table::{
    EntrySource, Fault, FolderLock, Kind, PendingTable, Table, TableError, TableId, WriteOptions,
    create_folder_synced, write,
};

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
    /// Whether to build distances as well as values.
    pub distance: bool,
    /// How tables are packed.
    pub write: WriteOptions,
    /// The most bytes of memory to use, if limited. Anything that does not fit is
    /// spilled to files in the folder of tables.
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
        let steps = |seeds| visits * LayerIndex::new(rules, seeds).len();
        (0..=self.seeds).map(steps).collect()
    }
}

/// Why a build stopped. Layers that were finished stay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The folder cannot be created or written.
    #[error("{} cannot be used as a folder of tables ({cause}): name another one", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// Another build or repacking is running in the folder.
    #[error("another krou is at work in {}: wait for it, or name another folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A layer does not fit into memory. Checked before any work.
    #[error(
        "the layer with {seeds} seeds needs {} MiB of memory, but only {} MiB may be used: \
         {}",
        needed.div_ceil(1 << 20), allowed >> 20, fewer(*fits)
    )]
    Memory {
        /// The layer.
        seeds: u8,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
        /// The highest layer that can be built with that much, if there is one.
        fits: Option<u8>,
    },
    /// A table is missing, and the layers above it cannot be repacked without it.
    #[error(
        "there is no {kind} table for {rules} with {seeds} seeds, which the layers above it need"
    )]
    #[non_exhaustive]
    Missing {
        /// The ruleset.
        rules: Ruleset,
        /// The layer.
        seeds: u8,
        /// The kind of table.
        kind: Kind,
    },
    /// A table cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A layer cannot be solved: a spill file or a checkpoint cannot be used.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl From<SpillError> for BuildError {
    fn from(error: SpillError) -> BuildError {
        SolveError::from(error).into()
    }
}

/// What to do if a layer does not fit.
fn fewer(fits: Option<u8>) -> String {
    match fits {
        Some(fits) => format!("build at most {fits} seeds, or allow more memory"),
        None => "allow more memory".to_owned(),
    }
}

/// Follows a build.
pub trait BuildObserver: Observer {
    /// A layer is already in the folder, and is read or skipped.
    fn present(&self, seeds: u8) {
        let _ = seeds;
    }

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

/// Builds the tables that a folder lacks: values, bounds where the ruleset has them, and
/// distances if wanted. Creates the folder if it does not exist, unless the layers do not
/// fit into memory.
///
/// A layer's value table appears last, after all other tables of the layer are complete
/// and synced: a build that is interrupted at any moment leaves only whole layers, and the
/// next one resumes from there.
///
/// # Errors
/// See [`BuildError`]; finished layers stay in the folder.
pub fn build(
    rules: Ruleset,
    folder: impl AsRef<Path>,
    options: &BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let folder = folder.as_ref();
    let unusable = |cause| BuildError::Folder {
        folder: folder.to_path_buf(),
        cause,
    };
    let wanted = kinds_of(rules, options.distance);
    let lacks = |tables: &LayerTables| wanted.iter().any(|&kind| tables.of(kind).is_none());

    if !folder.exists() {
        // A build that cannot be finished creates nothing.
        check_memory(rules, options.seeds, options)?;
    }
    create_folder_synced(folder).map_err(unusable)?;
    let there = survey(rules, folder, options.seeds, &wanted)?;
    remove_stale(folder, &there);
    if !there.iter().any(lacks) {
        (0..=options.seeds).for_each(|seeds| observer.present(seeds));
        return Ok(());
    }
    let _lock = lock(folder)?;
    // Another build may just have finished.
    let there = survey(rules, folder, options.seeds, &wanted)?;
    // Layers above the last incomplete one need not be read.
    let last = there.iter().rposition(lacks);
    // The highest one needs the most memory.
    if let Some(last) = last {
        check_memory(rules, last as u8, options)?;
    }

    let solver = match options.memory {
        Some(bytes) => Solver::within(rules, bytes, folder),
        None => Solver::new(rules),
    };
    let mut solver = solver.with_checkpoints(folder, options.checkpoint);
    for (seeds, tables) in (0..=options.seeds).zip(&there) {
        if last.is_none_or(|last| usize::from(seeds) > last) {
            observer.present(seeds);
            continue;
        }
        match tables.value.is_some() && import::<BuildError>(&mut solver, tables, |_| ())? {
            true => observer.present(seeds),
            false => solver.solve_next(observer)?,
        }
        if !lacks(tables) {
            continue;
        }
        let distance = match options.distance && tables.distance.is_none() {
            true => match solver.distances(seeds, observer) {
                Ok(distance) => Some(distance),
                // Neither the values nor higher layers need them.
                Err(SolveError::DistanceTooLong { .. }) => {
                    observer.without_distances(seeds);
                    None
                }
                Err(error) => return Err(error.into()),
            },
            false => None,
        };
        let kinds: Vec<Kind> = wanted
            .iter()
            .copied()
            .filter(|&k| tables.of(k).is_none())
            .collect();
        let distance = distance.as_ref();
        write_tables(
            &mut solver,
            seeds,
            &kinds,
            distance,
            folder,
            &options.write,
            observer,
        )?;
        for &kind in &wanted {
            remove_checkpoint(folder, TableId { rules, seeds, kind });
        }
    }
    Ok(())
}

/// Removes the checkpoints of finished layers that a killed build has left. A
/// layer is finished when its values are there.
fn remove_stale(folder: &Path, there: &[LayerTables]) {
    for tables in there.iter().filter(|tables| tables.value.is_some()) {
        let found = Kind::ALL.map(|kind| tables.of(kind));
        for table in found.into_iter().flatten() {
            remove_checkpoint(folder, table.id());
        }
    }
}

/// Writes tables of a layer that a solver has solved or imported, and returns their length
/// in bytes. All are written and synced before the first one appears under its own name,
/// and the values appear last. `kinds` are the tables to write, distances only if given.
///
/// # Errors
/// If a table cannot be written, or spill files are needed and cannot be used.
///
/// # Panics
/// If the solver does not have the layer, or bounds are wanted and the ruleset has none.
pub fn write_tables(
    solver: &mut Solver,
    seeds: u8,
    kinds: &[Kind],
    distance: Option<&LayerArray<u8>>,
    folder: &Path,
    options: &WriteOptions,
    observer: &dyn BuildObserver,
) -> Result<u64, BuildError> {
    let rules = solver.rules();
    let boards = LayerIndex::new(rules, seeds).len();
    let mut pending = Vec::new();
    let mut pack = |kind, planes: &[&dyn EntrySource]| -> Result<(), BuildError> {
        let id = TableId { rules, seeds, kind };
        observer.packs(id, boards);
        let table = write(folder, id, planes, options, &|entries| {
            observer.advance(entries);
        })?;
        pending.push((id, table));
        Ok(())
    };
    // Exact codecs store every entry as it is.
    let best_conversions = |solver: &mut Solver, number, held| match options.codec.is_exact() {
        true => Ok(None),
        false => solver.best_conversions(seeds, number, held).map(Some),
    };
    let held = distance.map_or(0, LayerArray::bytes_in_memory);
    if kinds.contains(&Kind::Bounds) {
        let to_lower = best_conversions(solver, Quantity::Lower, held)?;
        let held = held + to_lower.as_ref().map_or(0, LayerArray::bytes_in_memory);
        let to_upper = best_conversions(solver, Quantity::Upper, held)?;
        let entries = |number, best| ScoreEntries {
            scores: solver.layer(seeds).quantity(number).expect("bounds"),
            best,
        };
        let lower = entries(Quantity::Lower, to_lower.as_ref());
        let upper = entries(Quantity::Upper, to_upper.as_ref());
        pack(Kind::Bounds, &[&lower, &upper])?;
    }
    let best = best_conversions(solver, Quantity::Value, held)?;
    let best = best.as_ref();
    let scores = solver.layer(seeds).value();
    if let Some(distances) = distance.filter(|_| kinds.contains(&Kind::Distance)) {
        let entries = DistanceEntries {
            distances,
            scores,
            best,
        };
        pack(Kind::Distance, &[&entries])?;
    }
    if kinds.contains(&Kind::Value) {
        pack(Kind::Value, &[&ScoreEntries { scores, best }])?;
    }
    publish(pending, boards, observer)
}

/// Renames the tables of a layer in order, and returns their length in bytes.
fn publish(
    pending: Vec<(TableId, PendingTable)>,
    boards: u64,
    observer: &dyn BuildObserver,
) -> Result<u64, BuildError> {
    let mut all = 0;
    for (id, table) in pending {
        let bytes = table.len_bytes();
        table.publish()?;
        observer.built(id, boards, bytes);
        all += bytes;
    }
    Ok(all)
}

/// The tables that exist already.
pub(super) fn survey(
    rules: Ruleset,
    folder: &Path,
    seeds: u8,
    wanted: &[Kind],
) -> Result<Vec<LayerTables>, TableError> {
    let layer = |seeds| {
        let mut tables = LayerTables::default();
        tables.fill(rules, seeds, wanted, |id| {
            open_if_present(folder, id, &|path| Table::open(path))
        })?;
        Ok(tables)
    };
    (0..=seeds).map(layer).collect()
}

/// Keeps other builds and repackings out of a folder.
pub(super) fn lock(folder: &Path) -> Result<FolderLock, BuildError> {
    FolderLock::new(folder).map_err(|error| match error.fault {
        Fault::Busy => BuildError::Busy {
            folder: folder.to_path_buf(),
        },
        _ => error.into(),
    })
}

/// Checks that the highest incomplete layer can be solved.
fn check_memory(rules: Ruleset, seeds: u8, options: &BuildOptions) -> Result<(), BuildError> {
    let kinds = kinds_of(rules, options.distance);
    let needed = |seeds| memory_needed(rules, seeds, &kinds);
    match options.memory {
        Some(allowed) if needed(seeds) > allowed => Err(BuildError::Memory {
            seeds,
            needed: needed(seeds),
            allowed,
            fits: (0..seeds).rev().find(|&fewer| needed(fewer) <= allowed),
        }),
        _ => Ok(()),
    }
}
