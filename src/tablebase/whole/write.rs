//! Writing a layer: the planes of its tables, packed and published.

use std::path::Path;

use super::entries::{DistanceEntries, ScoreEntries};
use super::error::BuildError;
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::solve::{LayerArray, Observer, Solver};
use crate::table::{Codec, EntrySource, Kind, PendingTable, TableId, WriteOptions, write};

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
    observer: &dyn Observer,
) -> Result<u64, BuildError> {
    let boards = LayerIndex::new(solver.rules(), seeds).len();
    let ranks = solver.ranks().clone();
    let mut pending = Vec::new();
    let pack = |id, planes: &[&dyn EntrySource]| -> Result<(), BuildError> {
        observer.packs(id, boards);
        let on_entries = |entries| observer.advance(entries);
        // All ranks have the same entries, and the first one writes them.
        if ranks.is_first() {
            let table = write(folder, id, planes, options, &on_entries)?;
            pending.push((id, table));
        }
        Ok(())
    };
    pack_tables(solver, seeds, kinds, distance, options.codec, pack)?;
    publish(pending, boards, observer)
}

/// Renames the tables of a layer in order, and returns their length in bytes.
fn publish(
    pending: Vec<(TableId, PendingTable)>,
    boards: u64,
    observer: &dyn Observer,
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

/// Calls `pack` with the planes of each table of a layer that a solver has solved or
/// imported, values last. `kinds` are the tables to pack, distances only if given.
///
/// # Errors
/// If packing fails, or a file for memory is needed and cannot be made.
///
/// # Panics
/// If the solver does not have the layer, or bounds are wanted and the ruleset has none.
pub(super) fn pack_tables(
    solver: &mut Solver,
    seeds: u8,
    kinds: &[Kind],
    distance: Option<&LayerArray<u8>>,
    codec: Codec,
    mut pack: impl FnMut(TableId, &[&dyn EntrySource]) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let rules = solver.rules();
    let id = |kind| TableId { rules, seeds, kind };
    // Exact codecs store every entry, free or not.
    let best_conversions = |solver: &mut Solver, number, held| match codec.is_exact() {
        true => Ok(None),
        false => solver.best_conversions(seeds, number, held).map(Some),
    };
    let held = distance.map_or(0, LayerArray::bytes_in_memory);
    if kinds.contains(&Kind::Bounds) {
        let to_lower = best_conversions(solver, Quantity::Lower, held)?;
        let held = held + to_lower.as_ref().map_or(0, LayerArray::bytes_in_memory);
        let to_upper = best_conversions(solver, Quantity::Upper, held)?;
        let entries = |number, best| ScoreEntries {
            scores: (solver.layer(seeds).quantity(number).expect("bounds")).reader(),
            best,
        };
        let lower = entries(Quantity::Lower, to_lower.as_ref().map(LayerArray::reader));
        let upper = entries(Quantity::Upper, to_upper.as_ref().map(LayerArray::reader));
        pack(id(Kind::Bounds), &[&lower, &upper])?;
    }
    let best = best_conversions(solver, Quantity::Value, held)?;
    let best = || best.as_ref().map(LayerArray::reader);
    let scores = || solver.layer(seeds).value().reader();
    if let Some(distances) = distance.filter(|_| kinds.contains(&Kind::Distance)) {
        let entries = DistanceEntries {
            distances: distances.reader(),
            scores: scores(),
            best: best(),
        };
        pack(id(Kind::Distance), &[&entries])?;
    }
    if kinds.contains(&Kind::Value) {
        let entries = ScoreEntries {
            scores: scores(),
            best: best(),
        };
        pack(id(Kind::Value), &[&entries])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::Silent;

    /// What a disk has changed is neither packed nor read for anything else.
    #[test]
    fn a_changed_byte_of_a_spill_file_ends_the_packing() {
        const PAGE: usize = 4096;
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        let solver = Solver::within(Ruleset::AWARI, 0, folder);
        let mut solver = solver.with_checkpoints(folder, Some(Duration::ZERO));
        for _ in 0..=8 {
            solver.solve_next(&Silent).unwrap();
        }
        let mut write = || {
            let options = Codec::Packed.into();
            write_tables(
                &mut solver,
                8,
                &[Kind::Value],
                None,
                folder,
                &options,
                &Silent,
            )
        };
        let table = folder.join("awari-08.value.krou");
        write().unwrap();
        fs::remove_file(&table).unwrap();
        // Beyond memory a checkpoint is the file that the values are in.
        let file = folder.join("awari-08.value.checkpoint");
        let mut bytes = fs::read(&file).unwrap();
        // A page of a piece has a head of 16 bytes, or begins with entries.
        let entries = (PAGE + 16..bytes.len()).step_by(PAGE);
        entries.for_each(|entry| bytes[entry] ^= 1);
        fs::write(&file, bytes).unwrap();
        let error = write().unwrap_err().to_string();
        assert!(error.contains("has lost what was written to it"), "{error}");
        assert!(!table.exists());
        let values = solver.layer(8).value();
        let mut out = vec![0; values.index().len() as usize];
        let read = values.copy_out(0, &mut out, |value| value.get().cast_unsigned());
        let error = read.unwrap_err().to_string();
        assert!(error.contains("has lost what was written to it"), "{error}");
    }
}
