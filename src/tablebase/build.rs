//! Building a folder of tables: layer after layer, each written whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::folder::{LayerTables, open_if_there};
use super::memory::load_layer;
use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::solve::{DistanceTooLong, Layer, Observer, Plane, Score, Solver};
use crate::table::{Entries, Fault, FolderLock, Kind, TableError, TableId, WriteOptions, write};

/// What to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// All layers from 0 to so many seeds, at most
    /// [`MAX_SEEDS`](crate::rules::MAX_SEEDS).
    pub seeds: u8,
    /// Whether to build distances as well as values.
    pub distance: bool,
    /// How tables are packed.
    pub write: WriteOptions,
    /// The most bytes of memory to use, if there is a limit.
    pub memory: Option<u64>,
}

/// Why a build stopped. Layers that were finished stay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The folder cannot be made or written.
    #[error("{} cannot be used as a folder of tables ({cause}): name another one", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Another build is at work in the folder.
    #[error("another build is at work in {}: wait for it, or name another folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A layer does not fit into memory. Found out before anything is solved.
    #[error(
        "the layer with {seeds} seeds needs {} MiB of memory, but only {} MiB may be used: \
         build fewer seeds, or allow more memory",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Memory {
        /// The layer.
        seeds: u8,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// A table cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Distances do not fit their table.
    #[error(transparent)]
    Distance(#[from] DistanceTooLong),
}

/// Follows a build.
pub trait BuildObserver: Observer {
    /// A layer is already in the folder, and is read or passed over.
    fn present(&self, seeds: u8) {
        let _ = seeds;
    }

    /// A table of `entries` entries is being packed; `advance` counts them.
    fn packs(&self, id: TableId, entries: u64) {
        let _ = (id, entries);
    }

    /// A table is in its place.
    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        let _ = (id, entries, bytes);
    }
}

impl BuildObserver for crate::solve::Silent {}

/// Builds the tables that a folder lacks: values, bounds where the ruleset has
/// them, and distances if asked for. Makes the folder if it is not there.
///
/// A layer's value table is put in its place last, after everything else of
/// the layer is there and synced: a build that is stopped at any moment leaves
/// only whole layers, and the next one goes on from there.
///
/// # Errors
/// See [`BuildError`]; finished layers stay in the folder.
pub fn build(
    rules: Ruleset,
    folder: &Path,
    options: &BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let unusable = |cause| BuildError::Folder {
        folder: folder.to_path_buf(),
        cause,
    };
    let mut wanted = vec![Kind::Value];
    wanted.extend(rules.has_bounds().then_some(Kind::Bounds));
    wanted.extend(options.distance.then_some(Kind::Distance));
    let lacks = |tables: &LayerTables| wanted.iter().any(|&kind| tables.of(kind).is_none());

    fs::create_dir_all(folder).map_err(unusable)?;
    if !survey(rules, folder, options.seeds)?.iter().any(lacks) {
        (0..=options.seeds).for_each(|seeds| observer.present(seeds));
        return Ok(());
    }
    let _lock = lock(folder)?;
    // Another build may just have finished.
    let there = survey(rules, folder, options.seeds)?;
    // Layers above the last one that lacks something need not even be read.
    let last = there.iter().rposition(lacks);
    for (seeds, _) in (0..).zip(&there).filter(|(_, tables)| lacks(tables)) {
        check_memory(rules, seeds, options)?;
    }

    let mut solver = Solver::new(rules);
    for (seeds, tables) in (0..=options.seeds).zip(&there) {
        if last.is_none_or(|last| usize::from(seeds) > last) {
            observer.present(seeds);
            continue;
        }
        match load_layer(rules, seeds, tables)? {
            Some(layer) => {
                observer.present(seeds);
                solver.adopt(layer);
            }
            None => {
                solver.solve_next(observer);
            }
        }
        if !lacks(tables) {
            continue;
        }
        let distance = match options.distance && tables.distance.is_none() {
            true => Some(solver.distances(seeds, observer)?),
            false => None,
        };
        let layer = &solver.layers()[usize::from(seeds)];
        write_layer(
            rules,
            folder,
            layer,
            distance.as_ref(),
            tables,
            options,
            observer,
        )?;
    }
    Ok(())
}

/// Writes what a layer lacks: everything is written and synced before the first
/// table is put in its place, and the values come last.
fn write_layer(
    rules: Ruleset,
    folder: &Path,
    layer: &Layer,
    distance: Option<&Plane<u8>>,
    there: &LayerTables,
    options: &BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let index = layer.value.index();
    let mut pending = Vec::new();
    let mut pack = |kind, planes: &[&dyn Entries]| -> Result<(), BuildError> {
        if there.of(kind).is_some() {
            return Ok(());
        }
        let seeds = index.seeds();
        let id = TableId { rules, seeds, kind };
        observer.packs(id, index.len());
        let table = write(folder, id, planes, &options.write, &|entries| {
            observer.advance(entries);
        })?;
        pending.push((id, table));
        Ok(())
    };
    if let Some(distance) = distance {
        pack(Kind::Distance, &[distance])?;
    }
    if let Some(bounds) = &layer.bounds {
        pack(Kind::Bounds, &[&bounds.lower, &bounds.upper])?;
    }
    pack(Kind::Value, &[&layer.value])?;
    for (id, table) in pending {
        let bytes = table.len_bytes();
        table.publish()?;
        observer.built(id, index.len(), bytes);
    }
    Ok(())
}

/// The tables that are there already.
fn survey(rules: Ruleset, folder: &Path, seeds: u8) -> Result<Vec<LayerTables>, TableError> {
    let layer = |seeds| {
        let mut tables = LayerTables::default();
        tables.fill(rules, seeds, |id| open_if_there(folder, id))?;
        Ok(tables)
    };
    (0..=seeds).map(layer).collect()
}

fn lock(folder: &Path) -> Result<FolderLock, BuildError> {
    FolderLock::new(folder).map_err(|error| match error.fault {
        Fault::Busy => BuildError::Busy {
            folder: folder.to_path_buf(),
        },
        _ => error.into(),
    })
}

fn check_memory(rules: Ruleset, seeds: u8, options: &BuildOptions) -> Result<(), BuildError> {
    let needed = memory_needed(rules, seeds, options.distance);
    match options.memory {
        Some(allowed) if needed > allowed => Err(BuildError::Memory {
            seeds,
            needed,
            allowed,
        }),
        _ => Ok(()),
    }
}

/// Bytes of memory, at the peak, to solve the layer with `seeds` seeds while
/// those below it are held.
pub fn memory_needed(rules: Ruleset, seeds: u8, distance: bool) -> u64 {
    /// The program itself, the threads' buffers, blocks being packed.
    const FIXED: u64 = 64 << 20;
    let index = LayerIndex::new(rules, seeds);
    let largest_block = (0..seeds)
        .map(|b| index.block_start(b + 1) - index.block_start(b))
        .max();
    let largest_block = largest_block.unwrap_or(index.len());
    let planes = if rules.has_bounds() { 3 } else { 1 };
    let lower: u64 = (0..seeds).map(|n| LayerIndex::new(rules, n).len()).sum();
    // Values: the plane, the best captures, a block beside the old one, and
    // which boards change when few do.
    let values = 2 * index.len() + largest_block + index.len() / 4;
    // Bounds: the values, two planes, and the best captures for each.
    let bounds = if rules.has_bounds() {
        5 * index.len() + index.len() / 2
    } else {
        0
    };
    // Distances: what is solved, the best captures, keys of two bytes, and the
    // distances themselves.
    let distances = if distance {
        (planes + 4) * index.len() + 2 * largest_block + index.len() / 2
    } else {
        0
    };
    FIXED + plan_bytes(seeds) + planes * lower + values.max(bounds).max(distances)
}

/// Bytes of the compiled plan, at most: a row's moves take 52 bytes and as much
/// again backwards, its place in lists 8, and its runs in all maps about 250.
fn plan_bytes(seeds: u8) -> u64 {
    let rows: u64 = (0..=seeds)
        .map(|k| u64::from(crate::index::row::row_count(k)))
        .sum();
    400 * rows
}

/// Values and bounds are stored as they are counted, in two's complement.
impl Entries for Plane<Score> {
    fn fill(&self, start: u64, out: &mut [u8]) {
        self.copy_out(start, out, |score| score.value().cast_unsigned());
    }
}

impl Entries for Plane<u8> {
    fn fill(&self, start: u64, out: &mut [u8]) {
        self.copy_out(start, out, |distance| distance);
    }
}
