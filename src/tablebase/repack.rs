//! Repacking: a folder of tables from one codec to another.

use std::path::Path;

use super::build::{BuildError, BuildObserver, lock, survey, write_tables};
use super::content::{adopt, given};
use super::folder::LayerTables;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::solve::Solver;
use crate::table::{Kind, Table, WriteOptions};

/// How to repack.
#[derive(Clone, Copy, Debug)]
pub struct RepackOptions {
    /// How tables are packed.
    pub write: WriteOptions,
    /// The most bytes of memory to use, if there is a limit. What does not fit goes
    /// into scratch files in the folder of tables.
    pub memory: Option<u64>,
}

/// What came of repacking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repacked {
    /// Tables that were packed anew.
    pub tables: u64,
    /// Tables that had the codec already.
    pub kept: u64,
    /// Bytes of all tables before.
    pub bytes_before: u64,
    /// Bytes of all tables now.
    pub bytes: u64,
}

/// Packs the tables of a folder that have another codec than the wanted one anew.
/// Each is read back and compared with what it was made of before it takes the
/// place of the old one; so a run that is stopped leaves every table whole, and
/// the next one goes on.
///
/// # Errors
/// If there are no tables, or a layer is missing below others, or a table is
/// damaged; and as [`build`](super::build()).
pub fn repack(
    rules: Ruleset,
    folder: &Path,
    options: &RepackOptions,
    observer: &dyn BuildObserver,
) -> Result<Repacked, BuildError> {
    let _lock = lock(folder)?;
    let there = survey(rules, folder, MAX_SEEDS, &Kind::ALL)?;
    let all: Vec<&Table> = there.iter().flat_map(LayerTables::all).collect();
    let bytes: u64 = all.iter().map(|table| table.stored_bytes()).sum();
    let mut done = Repacked {
        tables: 0,
        kept: all.len() as u64,
        bytes_before: bytes,
        bytes,
    };
    let is_other = |table: &&Table| table.codec() != options.write.codec;
    let Some(last) = there
        .iter()
        .rposition(|layer| layer.all().any(|table| is_other(&table)))
    else {
        return Ok(done);
    };
    let mut solver = match options.memory {
        Some(bytes) => Solver::within(rules, bytes, folder),
        None => Solver::new(rules),
    };
    for (seeds, tables) in (0..=last as u8).zip(&there) {
        observer.present(seeds);
        if !adopt::<BuildError>(&mut solver, tables)? {
            return Err(BuildError::Missing { rules, seeds });
        }
        let others: Vec<&Table> = tables.all().filter(is_other).collect();
        let kinds: Vec<Kind> = others.iter().map(|table| table.id().kind).collect();
        let distance = match &tables.distance {
            Some(table) if kinds.contains(&Kind::Distance) => {
                let fill =
                    |start, out: &mut [u8]| table.read(0, start, out).map_err(BuildError::from);
                Some(solver.adopt_distances(seeds, given(table), fill)?)
            }
            _ => None,
        };
        let written = write_tables(
            &mut solver,
            seeds,
            &kinds,
            distance.as_ref(),
            folder,
            &options.write,
            observer,
        )?;
        let before: u64 = others.iter().map(|table| table.stored_bytes()).sum();
        done.bytes = done.bytes - before + written;
        done.tables += kinds.len() as u64;
        done.kept -= kinds.len() as u64;
    }
    Ok(done)
}
