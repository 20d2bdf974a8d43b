//! Whether probes return what was proven.
//!
//! A table that omits entries (`docs/internals/codec.md`) is completed as a whole layer, and the
//! certificate proves these entries. A probe completes a single board, by the plain rules.
//! Both must agree by construction; probing some boards catches bugs in the probing code.

use rayon::prelude::*;

use super::Verification;
use crate::rules::{Board, Bounds, Ruleset};
use crate::solve::certificate::{Aspect, Failure, Flaw, Given, Report};
use crate::solve::{Layer, LayerArray, Phase, SpillError, Value};
use crate::table::{Kind, TableError};
use crate::tablebase::result::{MissingTable, ProbeError, ProbeResult, distance_of};
use crate::tablebase::tables::Tablebase;

/// Boards that a thread probes at a time: neighbours, which share tiles.
const BATCH: u64 = 1 << 10;

/// Boards of a layer that are probed: all, or batches that are spread evenly.
const PROBED: u64 = 1 << 17;

/// The first boards of the batches that are probed, of a layer with `boards` boards.
fn batches(boards: u64) -> Vec<u64> {
    let all = boards.div_ceil(BATCH);
    let count = all.min(PROBED / BATCH);
    (0..count)
        .map(|number| number * all / count * BATCH)
        .collect()
}

/// How many boards of a layer with `boards` boards are probed.
pub(super) fn probed(boards: u64) -> u64 {
    let batches = batches(boards).into_iter();
    batches.map(|start| BATCH.min(boards - start)).sum()
}

impl Tablebase {
    /// Whether a layer has a table that omits entries.
    pub(super) fn leaves_to_moves(&self, seeds: u8) -> bool {
        let mut tables = self.tables(seeds).all();
        tables.any(|table| !table.codec().is_exact())
    }
}

/// Why boards were not probed.
pub(super) enum NotProbed {
    /// A table is damaged, or the observer stops it.
    Table(TableError),
    /// A proven number is in a file that cannot be read.
    Spill(SpillError),
}

impl From<TableError> for NotProbed {
    fn from(error: TableError) -> NotProbed {
        NotProbed::Table(error)
    }
}

impl From<SpillError> for NotProbed {
    fn from(error: SpillError) -> NotProbed {
        NotProbed::Spill(error)
    }
}

impl Verification<'_> {
    /// Probes boards of a layer that was proven.
    ///
    /// # Errors
    /// If a table is damaged, or a file with proven numbers cannot be read.
    pub(super) fn probe_some(
        &self,
        seeds: u8,
        distances: Option<&Given>,
    ) -> Result<Report, NotProbed> {
        let index = self.tables.index(seeds);
        // Then a probe cannot return more than the value.
        let has_damaged_distances =
            distances.is_none() && self.tables.table(seeds, Kind::Distance).is_some();
        let layer = &self.layers[usize::from(seeds)];
        self.observer
            .begins(seeds, Phase::Agreement, probed(index.len()));
        let found = batches(index.len()).into_par_iter().map(|start| {
            let mut report = Report::default();
            let boards = index.boards_from(start).take(BATCH as usize);
            let boards: Vec<_> = boards.collect();
            let proven = proven(self.tables.rules(), layer, distances, start, &boards)?;
            for (board, proven) in boards.iter().zip(&proven) {
                let probed = if has_damaged_distances {
                    self.tables.value(board).map(|value| ProbeResult {
                        value,
                        distance: None,
                        bounds: None,
                    })
                } else {
                    self.tables.probe(board)
                };
                let wrong = compare(board, probed, proven)?;
                report.boards += u64::from(!wrong.is_empty());
                report.failures.extend(wrong);
            }
            let done = self.observer.advance(boards.len() as u64);
            done.map_err(TableError::from)?;
            report.failures.truncate(self.options.most);
            Ok(report)
        });
        let both = |mut one: Report, other: Report| {
            one.boards += other.boards;
            one.failures.extend(other.failures);
            one.failures.truncate(self.options.most);
            Ok(one)
        };
        found.try_reduce(Report::default, both)
    }
}

/// The numbers that were proven of some boards, which follow one another in the index from `start`
/// on: each array is read once, since beyond memory that reads a whole piece.
fn proven(
    rules: Ruleset,
    layer: &Layer,
    distances: Option<&Given>,
    start: u64,
    boards: &[Board],
) -> Result<Vec<ProbeResult>, SpillError> {
    let read = |array: &LayerArray<Value>| {
        let mut numbers = vec![0; boards.len()];
        array.reader().copy_out(start, &mut numbers, Value::get)?;
        Ok::<_, SpillError>(numbers)
    };
    let values = read(layer.value())?;
    let bounds = match layer.bounds() {
        Some(bounds) => Some([read(&bounds.lower)?, read(&bounds.upper)?]),
        None => None,
    };
    let mut entries = vec![0; boards.len()];
    if let Some(given) = distances {
        let reader = given.entries().reader();
        reader.copy_out(start, &mut entries, |entry| entry)?;
    }
    let of_board = |(i, board)| ProbeResult {
        value: values[i],
        distance: distances.and_then(|_| distance_of(rules, board, values[i], entries[i])),
        bounds: bounds.as_ref().map(|[lower, upper]| Bounds {
            lower: lower[i],
            upper: upper[i],
        }),
    };
    Ok(boards.iter().enumerate().map(of_board).collect())
}

/// The quantities in which a probe differs.
fn compare(
    board: &Board,
    probed: Result<ProbeResult, ProbeError>,
    proven: &ProbeResult,
) -> Result<Vec<Failure>, TableError> {
    let probed = match probed {
        Ok(probed) if probed == *proven => return Ok(Vec::new()),
        Ok(probed) => probed,
        Err(ProbeError::Table(error)) => return Err(error),
        Err(
            ProbeError::Missing(MissingTable { seeds, .. }) | ProbeError::Damaged { seeds, .. },
        ) => {
            unreachable!("the layer of {seeds} seeds was proven")
        }
    };
    let numbers = |worth: &ProbeResult| {
        [
            (Aspect::Value, Some(i16::from(worth.value))),
            (Aspect::Distance, Some(worth.distance.map_or(0, i16::from))),
            (
                Aspect::Lower,
                worth.bounds.map(|bounds| bounds.lower.into()),
            ),
            (
                Aspect::Upper,
                worth.bounds.map(|bounds| bounds.upper.into()),
            ),
        ]
    };
    let pairs = numbers(&probed).into_iter().zip(numbers(proven));
    let wrong = pairs.filter_map(|((aspect, probed), (_, right))| {
        // Some rulesets have no bounds.
        let (stored, right) = (probed?, right?);
        let flaw = Flaw::Probed { right };
        let board = *board;
        (stored != right).then_some(Failure {
            board,
            aspect,
            stored,
            flaw,
        })
    });
    Ok(wrong.collect())
}
