//! Building tables layer after layer: each is imported if it is there, else solved, and
//! written.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::{BuildError, NotEnoughMemory};
use super::loader::import_next;
use super::options::BuildOptions;
use super::write::write_tables;
use crate::rules::Ruleset;
use crate::solve::checkpoint::remove_checkpoint;
use crate::solve::{Alone, LayerArray, Observer, Ranks, Silent, SolveError, Solver, memory_needed};
use crate::table::folder::{FolderLock, create_folder_synced};
use crate::table::{Fault, Kind, Table, TableError, TableId};
use crate::tablebase::layers::{LayerTables, empty_layers, open_if_present};
use crate::tablebase::tables::Tablebase;

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
    observer: &dyn Observer,
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
    observer: &dyn Observer,
) -> Result<(), BuildError> {
    let folder = folder.as_ref();
    check_skipped(rules, options)?;
    let wanted = Kind::of(rules, options.distance);
    let lock = match ranks.is_first() {
        true => prepare(rules, folder, options, &wanted, observer)?,
        false => None,
    };
    ranks.wait_for_all();
    let there = survey(rules, folder, options.seeds, &wanted)?;
    // Layers above the last incomplete one need not be read.
    let last = last_incomplete(&there, options, &wanted);
    // The highest one needs the most memory.
    if let Some(last) = last {
        check_memory(rules, last, options)?;
    }
    let mut solver = solver(rules, folder, options).on(ranks.clone());
    for seeds in 0..=options.seeds {
        if last.is_none_or(|last| seeds > last) {
            observer.present(seeds);
            continue;
        }
        if options.skip == Some(seeds) {
            solver.skip()?;
            continue;
        }
        let tables = there.tables(seeds);
        solve_or_read(&mut solver, tables, observer)?;
        let lacking = Lacking::new(&mut solver, tables, &wanted, observer)?;
        if lacking.kinds.is_empty() {
            continue;
        }
        write_tables(
            &mut solver,
            seeds,
            &lacking.kinds,
            lacking.distance.as_ref(),
            folder,
            &options.write,
            observer,
        )?;
        if let Some(lock) = &lock {
            check_folder(folder, lock)?;
        }
        if ranks.is_first() {
            for &kind in &wanted {
                remove_checkpoint(folder, TableId { rules, seeds, kind });
            }
        }
        ranks.wait_for_all();
    }
    Ok(())
}

/// A solver with the memory and the checkpoints of a build.
fn solver(rules: Ruleset, folder: &Path, options: &BuildOptions) -> Solver {
    let solver = match options.memory {
        Some(bytes) => Solver::within(rules, bytes, folder),
        None => Solver::new(rules),
    };
    solver.with_checkpoints(folder, options.checkpoint)
}

/// The solver's next layer: read from its tables if they are complete, else solved.
pub(super) fn solve_or_read(
    solver: &mut Solver,
    tables: &LayerTables,
    observer: &dyn Observer,
) -> Result<(), BuildError> {
    if !tables.is_complete(solver.rules()) {
        return Ok(solver.solve_next(observer)?);
    }
    let seeds = solver.next_seeds();
    import_next(solver, tables, &Silent)?;
    observer.present(seeds);
    Ok(())
}

/// Creates the folder if it does not exist, and removes what killed builds have left. If
/// tables are missing, keeps other builds out until the lock is dropped.
fn prepare(
    rules: Ruleset,
    folder: &Path,
    options: &BuildOptions,
    wanted: &[Kind],
    observer: &dyn Observer,
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
    for seeds in there.layers().iter() {
        // The layer is finished, because its values are there.
        for table in there.tables(seeds).all() {
            remove_checkpoint(folder, table.id());
        }
    }
    if last_incomplete(&there, options, wanted).is_none() {
        return Ok(None);
    }
    Ok(Some(lock(folder, observer)?))
}

/// Checks that no layer to be built has moves to the one that is left out.
fn check_skipped(rules: Ruleset, options: &BuildOptions) -> Result<(), BuildError> {
    let Some(skipped) = options.skip else {
        return Ok(());
    };
    let leads_there = |&above: &u8| above > skipped && rules.layers_reached(above) > skipped;
    match options.layers().find(leads_there) {
        Some(above) => Err(BuildError::Needed { skipped, above }),
        None => Ok(()),
    }
}

/// The highest layer to be built that lacks one of these tables.
fn last_incomplete(tables: &Tablebase, options: &BuildOptions, wanted: &[Kind]) -> Option<u8> {
    let lacks = |&seeds: &u8| !lacking(tables.tables(seeds), wanted).is_empty();
    options.layers().rev().find(lacks)
}

/// The kinds that a layer lacks of those wanted.
fn lacking(tables: &LayerTables, wanted: &[Kind]) -> Vec<Kind> {
    let lacks = |kind: &Kind| tables.of(*kind).is_none();
    wanted.iter().copied().filter(lacks).collect()
}

/// Checks that the layers up to one can be solved.
fn check_memory(rules: Ruleset, seeds: u8, options: &BuildOptions) -> Result<(), NotEnoughMemory> {
    let kinds = Kind::of(rules, options.distance);
    NotEnoughMemory::check(seeds, options.memory, |seeds| {
        memory_needed(rules, seeds, &kinds)
    })
}

/// The tables that a layer lacks.
pub(super) struct Lacking {
    /// Their kinds.
    pub kinds: Vec<Kind>,
    /// The distances, if they are among them and fit into a table.
    pub distance: Option<LayerArray<u8>>,
}

impl Lacking {
    /// Finds out which of the wanted tables a solver's last layer lacks.
    pub fn new(
        solver: &mut Solver,
        tables: &LayerTables,
        wanted: &[Kind],
        observer: &dyn Observer,
    ) -> Result<Lacking, BuildError> {
        let seeds = solver.next_seeds() - 1;
        let kinds = lacking(tables, wanted);
        let mut distance = None;
        if kinds.contains(&Kind::Distance) {
            match solver.distances(seeds, observer) {
                Ok(distances) => distance = Some(distances),
                // Neither the values nor higher layers need them.
                Err(SolveError::DistanceTooLong { .. }) => observer.without_distances(seeds),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Lacking { kinds, distance })
    }
}

/// The tables of some kinds that a folder has, up to a layer.
pub(super) fn survey(
    rules: Ruleset,
    folder: &Path,
    seeds: u8,
    kinds: &[Kind],
) -> Result<Tablebase, TableError> {
    let mut layers = empty_layers();
    for (seeds, tables) in (0..=seeds).zip(&mut layers) {
        tables.fill(rules, seeds, kinds, |id| {
            match open_if_present(folder, id, &|path| Table::open(path)) {
                // The build replaces it.
                Err(error) if error.is_old() => Ok(None),
                found => found,
            }
        })?;
    }
    Ok(Tablebase::new(rules, layers))
}

/// Keeps other builds and repackings out of a folder.
pub(super) fn lock(folder: &Path, observer: &dyn Observer) -> Result<FolderLock, BuildError> {
    let lock = FolderLock::new(folder).map_err(|error| match error.fault() {
        Fault::Busy => BuildError::Busy {
            folder: folder.to_path_buf(),
        },
        _ => error.into(),
    })?;
    if !lock.is_locked() {
        observer.without_lock();
    }
    Ok(lock)
}

/// Checks that tables were written to the folder that was locked.
pub(super) fn check_folder(folder: &Path, lock: &FolderLock) -> Result<(), BuildError> {
    let unusable = |cause| BuildError::Folder {
        folder: folder.to_path_buf(),
        cause,
    };
    if lock.is_there().map_err(unusable)? {
        return Ok(());
    }
    Err(unusable(io::Error::other(
        "it was moved, removed or replaced during the work",
    )))
}
