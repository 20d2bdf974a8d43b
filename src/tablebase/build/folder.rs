//! Building a folder of tables: layer after layer, each written whole.

use std::path::Path;
use std::sync::Arc;

use super::layer::{Missing, pack_tables};
use super::options::{BuildError, BuildObserver, BuildOptions};
use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::solve::checkpoint::remove_checkpoint;
use crate::solve::{Alone, LayerArray, Ranks, Solver, memory_needed};
use crate::table::{
    EntrySource, Fault, FolderLock, Kind, Packers, PendingTable, Table, TableError, TableId,
    WriteOptions, create_folder_synced, write_together,
};
use crate::tablebase::adapters::import;
use crate::tablebase::layers::{LayerTables, kinds_of, open_if_present};

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
    let alone: Arc<dyn Ranks> = Arc::new(Alone);
    build_on(&alone, rules, folder, options, observer)
}

/// Builds tables as [`build()`] does, as one of several ranks that solve each layer together.
/// All call this with the same ruleset, folder and options, except for
/// [`BuildOptions::memory`], which is each rank's own. The first rank writes the tables;
/// they are those that `build` writes.
///
/// # Errors
/// See [`BuildError`]. The other ranks do not hear of an error: where they are processes,
/// the caller ends the job, and where they are threads, they panic.
pub fn build_on(
    ranks: &Arc<dyn Ranks>,
    rules: Ruleset,
    folder: impl AsRef<Path>,
    options: &BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let folder = folder.as_ref();
    let wanted = kinds_of(rules, options.distance);
    let lacks = |tables: &LayerTables| wanted.iter().any(|&kind| tables.of(kind).is_none());

    let _lock = match ranks.is_first() {
        true => prepare(rules, folder, options, &wanted)?,
        false => None,
    };
    ranks.wait_for_all();
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
    let mut solver = solver
        .with_checkpoints(folder, options.checkpoint)
        .on(ranks.clone());
    for (seeds, tables) in (0..=options.seeds).zip(&there) {
        if last.is_none_or(|last| usize::from(seeds) > last) {
            observer.present(seeds);
            continue;
        }
        match tables.value.is_some() && import::<BuildError>(&mut solver, tables, |_| ())? {
            true => observer.present(seeds),
            false => solver.solve_next(observer)?,
        }
        let missing = Missing::new(&mut solver, tables, &wanted, observer)?;
        if missing.kinds.is_empty() {
            continue;
        }
        let distance = missing.distance.as_ref();
        write_tables(
            &mut solver,
            seeds,
            &missing.kinds,
            distance,
            folder,
            &options.write,
            observer,
        )?;
        if ranks.is_first() {
            for &kind in &wanted {
                remove_checkpoint(folder, TableId { rules, seeds, kind });
            }
        }
        ranks.wait_for_all();
    }
    Ok(())
}

/// Creates the folder if it does not exist, and removes what killed builds have left. If
/// tables are missing, keeps other builds out until the lock is dropped.
fn prepare(
    rules: Ruleset,
    folder: &Path,
    options: &BuildOptions,
    wanted: &[Kind],
) -> Result<Option<FolderLock>, BuildError> {
    let unusable = |cause| BuildError::Folder {
        folder: folder.to_path_buf(),
        cause,
    };
    if !folder.exists() {
        // A build that cannot be finished creates nothing.
        check_memory(rules, options.seeds, options)?;
    }
    create_folder_synced(folder).map_err(unusable)?;
    let there = survey(rules, folder, options.seeds, wanted)?;
    remove_stale(folder, &there);
    let lacks = |tables: &LayerTables| wanted.iter().any(|&kind| tables.of(kind).is_none());
    if !there.iter().any(lacks) {
        return Ok(None);
    }
    Ok(Some(lock(folder)?))
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
/// If a table cannot be written, or a file for memory is needed and cannot be made.
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
    let boards = LayerIndex::new(solver.rules(), seeds).len();
    let ranks = solver.ranks().clone();
    let mut pending = Vec::new();
    let pack = |id, planes: &[&dyn EntrySource]| -> Result<(), BuildError> {
        observer.packs(id, boards);
        let on_entries = |entries| observer.advance(entries);
        let packers = RankPackers(&*ranks);
        let table = write_together(folder, id, planes, options, &on_entries, &packers)?;
        pending.extend(table.map(|table| (id, table)));
        Ok(())
    };
    pack_tables(solver, seeds, kinds, distance, options.codec, pack)?;
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

/// The ranks of a build as those that pack its tables.
struct RankPackers<'a>(&'a dyn Ranks);

impl Packers for RankPackers<'_> {
    fn number(&self) -> usize {
        self.0.rank()
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn to_first(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.0.to_first(bytes)
    }
}

/// The tables that exist already.
pub(in crate::tablebase) fn survey(
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
pub(in crate::tablebase) fn lock(folder: &Path) -> Result<FolderLock, BuildError> {
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
