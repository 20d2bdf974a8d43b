//! One layer of a build: which tables it lacks, and what these hold.

use super::options::{BuildError, BuildObserver};
use crate::rules::Quantity;
use crate::solve::{LayerArray, SolveError, Solver};
use crate::spans;
use crate::table::{Codec, EntrySource, Kind, TableId};
use crate::tablebase::adapters::{DistanceEntries, ScoreEntries};
use crate::tablebase::layers::LayerTables;

/// The tables that a layer lacks.
pub(super) struct Missing {
    /// Their kinds.
    pub kinds: Vec<Kind>,
    /// The distances, if they are among them and fit into a table.
    pub distance: Option<LayerArray<u8>>,
}

impl Missing {
    /// What the wanted tables of a solver's last layer lack.
    pub fn new(
        solver: &mut Solver,
        tables: &LayerTables,
        wanted: &[Kind],
        observer: &dyn BuildObserver,
    ) -> Result<Missing, BuildError> {
        let seeds = solver.next_seeds() - 1;
        let lacks = |kind: &Kind| tables.of(*kind).is_none();
        let kinds: Vec<Kind> = wanted.iter().copied().filter(lacks).collect();
        let distance = match kinds.contains(&Kind::Distance) {
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
        Ok(Missing { kinds, distance })
    }
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
    let _phase = spans::phase("packing", seeds);
    let rules = solver.rules();
    let id = |kind| TableId { rules, seeds, kind };
    // Exact codecs store every entry as it is.
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
            scores: solver.layer(seeds).quantity(number).expect("bounds"),
            best,
        };
        let lower = entries(Quantity::Lower, to_lower.as_ref());
        let upper = entries(Quantity::Upper, to_upper.as_ref());
        pack(id(Kind::Bounds), &[&lower, &upper])?;
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
        pack(id(Kind::Distance), &[&entries])?;
    }
    if kinds.contains(&Kind::Value) {
        pack(id(Kind::Value), &[&ScoreEntries { scores, best }])?;
    }
    Ok(())
}
