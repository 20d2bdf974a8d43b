//! Repacking: a folder of tables from one codec to another.
//!
//! A table that leaves out what the moves say can only be read together with the layers
//! below it (`docs/internals/codec.md`). So each layer is loaded whole, and written anew as a build
//! writes it: to the same bytes.

use std::path::Path;

use super::build::{check_folder, lock, survey};
use super::error::BuildError;
use super::write::write_tables;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::solve::{Observer, Phase};
use crate::table::folder::Partial;
use crate::table::{Codec, Kind, Table, TableId, WriteOptions};
use crate::tablebase::layers::LayerTables;
use crate::tablebase::result::MissingTable;
use crate::tablebase::tables::Tablebase;

/// How to repack.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepackOptions {
    /// How tables are packed.
    pub write: WriteOptions,
    /// The most bytes of memory to use, if limited. Layers that do not fit
    /// are in spill files in the folder of tables.
    pub memory: Option<u64>,
}

/// The result of repacking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Repacked {
    /// Tables that were repacked.
    pub tables: u64,
    /// Tables that already had the codec.
    pub kept: u64,
    /// Bytes of all tables before.
    pub bytes_before: u64,
    /// Bytes of all tables afterwards.
    pub bytes: u64,
}

/// Repacks the tables of a folder that have another codec than the wanted one. Writes
/// nothing if there are none.
///
/// With [`WriteOptions::check`], each table is read back and compared with its source
/// before it replaces the old one. An interrupted run leaves every table complete, and the
/// next run continues.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::Silent;
/// use krou::table::{Codec, WriteOptions};
/// use krou::tablebase::{BuildOptions, Tablebase, build};
/// use krou::tablebase::{RepackOptions, repack};
///
/// let folder = tempfile::tempdir()?;
/// let (rules, folder) = (Ruleset::AWARI, folder.path());
/// let options = BuildOptions::new(4);
/// build(rules, folder, &options, &Silent)?;
/// let options = RepackOptions {
///     write: WriteOptions { check: true, ..Codec::Raw.into() },
///     ..RepackOptions::default()
/// };
/// let done = repack(rules, folder, &options, &Silent)?;
/// assert_eq!((done.tables, done.kept), (5, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are no tables, a layer is missing below one that is to be repacked, or there is
/// not enough memory: before any work. If a table is damaged; and as
/// [`build`](super::build()).
pub fn repack(
    rules: Ruleset,
    folder: impl AsRef<Path>,
    options: &RepackOptions,
    observer: &dyn Observer,
) -> Result<Repacked, BuildError> {
    let folder = folder.as_ref();
    let codec = options.write.codec;
    let there = survey(rules, folder, MAX_SEEDS, Kind::ALL)?;
    if there.all().next().is_none() {
        let (seeds, kind) = (0, Kind::Value);
        return Err(MissingTable { rules, seeds, kind }.into());
    }
    let Some(last) = last_other(&there, codec) else {
        return Ok(Repacked::none_of(&there));
    };
    // A layer that no other one needs may have been left out.
    for seeds in (0..=last).rev() {
        if others(there.tables(seeds), codec).next().is_some() {
            there.check_loadable(seeds, None)?;
        }
    }
    there.check_loadable(last, options.memory)?;
    let lock = lock(folder, observer)?;
    remove_unfinished(rules, folder);
    // Another run may just have finished.
    let mut there = survey(rules, folder, MAX_SEEDS, Kind::ALL)?;
    if let Some(bytes) = options.memory {
        there = there.with_memory(bytes, folder);
    }
    let mut done = Repacked::none_of(&there);
    let Some(last) = last_other(&there, codec) else {
        return Ok(done);
    };
    let mut loader = there.loader();
    for seeds in 0..=last {
        if there.tables(seeds).all().next().is_none() {
            continue;
        }
        observer.begins(seeds, Phase::Checksums, there.index(seeds).len());
        loader.load_observed(seeds, observer)?;
        let others: Vec<&Table> = others(there.tables(seeds), codec).collect();
        if others.is_empty() {
            continue;
        }
        let kinds: Vec<Kind> = others.iter().map(|table| table.id().kind).collect();
        let distance = match kinds.contains(&Kind::Distance) {
            true => loader.distances(seeds)?,
            false => None,
        };
        let written = write_tables(
            loader.solver_mut(),
            seeds,
            &kinds,
            distance.as_ref(),
            folder,
            &options.write,
            observer,
        )?;
        check_folder(folder, &lock)?;
        let before: u64 = others.iter().map(|table| table.stored_bytes()).sum();
        done.bytes = done.bytes - before + written;
        done.tables += kinds.len() as u64;
        done.kept -= kinds.len() as u64;
    }
    Ok(done)
}

impl Repacked {
    /// The result if nothing is to be done.
    fn none_of(there: &Tablebase) -> Repacked {
        let bytes = there.all().map(Table::stored_bytes).sum();
        Repacked {
            tables: 0,
            kept: there.all().count() as u64,
            bytes_before: bytes,
            bytes,
        }
    }
}

/// The tables of a layer that have another codec.
fn others(layer: &LayerTables, codec: Codec) -> impl Iterator<Item = &Table> {
    layer.all().filter(move |table| table.codec() != codec)
}

/// The highest layer that has a table with another codec.
fn last_other(tables: &Tablebase, codec: Codec) -> Option<u8> {
    let has_other = |&seeds: &u8| others(tables.tables(seeds), codec).next().is_some();
    (0..=MAX_SEEDS).rev().find(has_other)
}

/// Removes unfinished tables that killed runs have left, also those that this run does not
/// write.
fn remove_unfinished(rules: Ruleset, folder: &Path) {
    let all = (0..=MAX_SEEDS).flat_map(|seeds| {
        Kind::ALL
            .iter()
            .map(move |&kind| TableId { rules, seeds, kind })
    });
    for path in all.map(|id| folder.join(id.file_name() + ".partial")) {
        if path.is_file() {
            // Taking it over and dropping it removes it. If another writer is at work on it, it
            // stays.
            let _ = Partial::create(path);
        }
    }
}

impl Tablebase {
    /// How many boards [`repack`] reports to its observer for each layer of a folder with
    /// these tables, from 0 seeds on: those read, then those of each table that is packed,
    /// and checked if the options say so.
    pub fn repack_steps(&self, options: &WriteOptions) -> Vec<u64> {
        let steps = |seeds| {
            let passes = if options.check { 2 } else { 1 };
            let tables = others(self.tables(seeds), options.codec).count() as u64;
            (1 + passes * tables) * self.index(seeds).len()
        };
        let last = last_other(self, options.codec);
        last.map_or_else(Vec::new, |last| (0..=last).map(steps).collect())
    }
}
