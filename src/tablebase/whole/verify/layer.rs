//! Verifying one layer after the other: what is read of each, how its boards are checked,
//! and what the result means for the layers above.

use std::sync::Arc;

use super::probed::NotProbed;
use super::{Assurance, BoardCheck, Verdict, VerifyOptions, WrongEntry};
use crate::index::LayerIndex;
use crate::rules::Board;
use crate::solve::certificate::{BoardNumbers, Failure, Given, LayerCheck, Random, Report};
use crate::solve::certificate::{check_bytes, sample};
use crate::solve::{Layer, LayerBounds, Memory, Observer, Phase, SolveError, SpillError, Stopped};
use crate::table::{Fault, Kind, Table, TableError};
use crate::tablebase::result::{MissingTable, ProbeError};
use crate::tablebase::tables::Tablebase;
use crate::tablebase::whole::loader::coverage;

/// The seed of the random boards: every run checks the same boards.
const SAMPLE_SEED: u64 = 0x6b72_6f75;

/// The state between two layers.
pub(super) struct Verification<'a> {
    pub(super) tables: &'a Tablebase,
    pub(super) options: &'a VerifyOptions,
    pub(super) observer: &'a dyn Observer,
    /// The layers so far, as long as all boards of each are checked.
    pub(super) layers: Vec<Layer>,
    /// The memory for them.
    memory: Memory,
    /// The memory for the arrays of the layer being checked.
    memory_of_check: Memory,
    /// Whether all of them could be read.
    readable: bool,
    /// The first layer that is damaged or has failing boards.
    wrong: Option<u8>,
}

/// The result of checking the boards of a layer, with tables that turned out to be damaged
/// although the boards could be checked.
struct CheckedLayer {
    report: Report,
    assurance: Assurance,
    damaged: Vec<TableError>,
}

impl CheckedLayer {
    fn new(report: Report, assurance: Assurance, damaged: Vec<TableError>) -> CheckedLayer {
        CheckedLayer {
            report,
            assurance,
            damaged,
        }
    }
}

impl<'a> Verification<'a> {
    pub fn new(
        tables: &'a Tablebase,
        options: &'a VerifyOptions,
        observer: &'a dyn Observer,
    ) -> Verification<'a> {
        let [memory_of_check, memory] = tables.memory_for_arrays(options);
        Verification {
            tables,
            options,
            observer,
            layers: Vec::new(),
            memory,
            memory_of_check,
            readable: true,
            wrong: None,
        }
    }

    /// Leaves out the next layer.
    pub fn skip(&mut self, seeds: u8) {
        let (rules, index) = (self.tables.rules(), self.tables.index(seeds));
        self.layers.push(Layer::absent(rules, index));
    }

    /// Verifies the next layer.
    ///
    /// # Errors
    /// If a file for the layers cannot be made, or the observer stops it.
    pub fn next(&mut self, seeds: u8) -> Result<Verdict, SolveError> {
        let boards = self.tables.index(seeds).len();
        let sampled = self.options.sampled(boards);
        let unopened = &self.tables.tables(seeds).damaged;
        let mut damaged: Vec<_> = unopened.iter().map(|(_, error)| error.clone()).collect();
        let found = match sampled {
            _ if !self.readable => Err(self.check_sums(seeds)?),
            Some(count) => self.random_boards(seeds, count)?,
            None => self.every_board(seeds)?,
        };
        let (boards, errors) = match found {
            Ok(found) => {
                let boards = BoardCheck {
                    checked: sampled.unwrap_or(boards),
                    failing: found.report.boards,
                    failures: self.with_files(seeds, found.report.failures),
                    assurance: found.assurance,
                };
                (Some(boards), found.damaged)
            }
            Err(errors) => (None, errors),
        };
        damaged.extend(errors.into_iter().map(Arc::new));
        let verdict = Verdict {
            seeds,
            damaged,
            rests_on: self.wrong,
            boards,
        };
        if !verdict.boards_are_right() {
            self.wrong = self.wrong.or(Some(seeds));
        }
        if verdict.boards.is_none() {
            // Layers above need those below: their boards cannot be checked.
            self.readable = false;
            self.layers = Vec::new();
        }
        Ok(verdict)
    }

    /// Checks every board of a layer. If the distances are damaged, the values are proven
    /// without them. Damaged values or bounds are the inner error.
    fn every_board(
        &mut self,
        seeds: u8,
    ) -> Result<Result<CheckedLayer, Vec<TableError>>, SolveError> {
        let (tables, observer) = (self.tables, self.observer);
        let (rules, index) = (tables.rules(), tables.index(seeds));
        observer.begins(seeds, Phase::Checksums, index.len());
        let of_layer = tables.tables(seeds);
        let (Some(value), false) = (&of_layer.value, !of_layer.is_complete(rules)) else {
            // Some tables could not be opened.
            return Ok(Err(self.check_sums(seeds)?));
        };
        // What one layer takes of it is free again for the next.
        let mut memory = self.memory_of_check.clone();
        let mut values = match read(index, value, 0, &mut memory)? {
            Ok(values) => values,
            Err(error) => return Ok(Err(self.damaged(seeds, error)?)),
        };
        let distances = of_layer.distance.as_ref();
        let distances = distances.map(|table| read(index, table, 0, &mut memory));
        let (mut distances, mut faults) = match distances.transpose()? {
            None => (None, Vec::new()),
            Some(Ok(distances)) => (Some(distances), Vec::new()),
            Some(Err(error)) => (None, vec![error]),
        };
        let has_distances = distances.is_some();
        let spare = match values.entries().is_in_memory() {
            true => 0,
            false => {
                // What probes have kept makes room for pieces.
                tables.cache.clear();
                let beside_arrays = tables.memory_beside_arrays(self.options);
                beside_arrays.saturating_sub(check_bytes(rules, index))
            }
        };
        let most = self.options.most;
        let mut check = LayerCheck::new(rules, &self.layers, index, most, observer, spare);
        let mut report = check.values(&mut values, &mut distances, &mut memory)?;
        if let (true, None, Some(table)) = (has_distances, &distances, &of_layer.distance) {
            faults.push(Fault::Distances.of(table.name()));
        }
        let value = values.into_array(&mut self.memory)?;
        let mut bounds = None;
        if let Some(table) = &of_layer.bounds {
            let mut memory = self.memory_of_check.clone();
            let [mut lower, mut upper] = match read_both(index, table, &mut memory)? {
                Ok(both) => both,
                Err(error) => return Ok(Err(self.damaged(seeds, error)?)),
            };
            let of_bounds = check.bounds(&mut lower, &mut upper, &memory)?;
            if report.boards == 0 {
                report = of_bounds;
            }
            bounds = Some(LayerBounds {
                lower: lower.into_array(&mut self.memory)?,
                upper: upper.into_array(&mut self.memory)?,
            });
        }
        drop(check);
        self.layers.push(Layer::new(value, bounds));
        if report.boards == 0 && tables.leaves_to_moves(seeds) {
            report = match self.probe_some(seeds, distances.as_ref()) {
                Ok(report) => report,
                Err(NotProbed::Spill(error)) => return Err(error.into()),
                Err(NotProbed::Table(error)) if error.is_stopped() => return Err(Stopped.into()),
                Err(NotProbed::Table(error)) => return Ok(Err(vec![error])),
            };
        }
        Ok(Ok(CheckedLayer::new(report, Assurance::Proof, faults)))
    }

    /// The errors of a layer's damaged tables, after one of them was met.
    fn damaged(&self, seeds: u8, met: TableError) -> Result<Vec<TableError>, Stopped> {
        let damaged = self.check_sums(seeds)?;
        // On a second read the table may be intact: then it is not reliable.
        Ok(match damaged.is_empty() {
            true => vec![met],
            false => damaged,
        })
    }

    /// Checks random boards by probing, which holds no more in memory than their tiles.
    fn random_boards(
        &mut self,
        seeds: u8,
        count: u64,
    ) -> Result<Result<CheckedLayer, Vec<TableError>>, Stopped> {
        self.layers = Vec::new();
        let tables = self.tables.tables(seeds);
        let damaged = self.check_sums(seeds)?;
        let all_opened = tables
            .damaged
            .iter()
            .all(|&(kind, _)| kind == Kind::Distance);
        if !damaged.is_empty() || !all_opened {
            return Ok(Err(damaged));
        }
        let rules = self.tables.rules();
        let report = sample(
            rules,
            &|board| probed_numbers(self.tables, board),
            self.tables.index(seeds),
            Random {
                count,
                seed: SAMPLE_SEED,
            },
            self.options.most,
            self.observer,
        );
        let assurance = match &tables.distance {
            Some(_) if !rules.has_bounds() => Assurance::Agreement,
            _ => Assurance::ConsistencyOnly,
        };
        Ok(match report {
            Ok(report) => Ok(CheckedLayer::new(report, assurance, Vec::new())),
            Err(error) if error.is_stopped() => return Err(Stopped),
            Err(error) => Err(vec![error]),
        })
    }

    /// Checks all blocks of a layer's tables, and returns the errors of damaged ones.
    fn check_sums(&self, seeds: u8) -> Result<Vec<TableError>, Stopped> {
        let mut damaged = Vec::new();
        for table in self.tables.tables(seeds).all() {
            let begins = table.stored_entries();
            self.observer.begins(seeds, Phase::Checksums, begins);
            match table.check_with(&|entries| self.observer.advance(entries)) {
                Err(error) if error.is_stopped() => return Err(Stopped),
                checked => damaged.extend(checked.err()),
            }
        }
        Ok(damaged)
    }

    fn with_files(&self, seeds: u8, failures: Vec<Failure>) -> Vec<WrongEntry> {
        let file = |failure: &Failure| {
            let table = self.tables.table(seeds, failure.aspect.kind());
            table.map_or_else(String::new, |table| table.name().display().to_string())
        };
        let failures = failures.into_iter();
        failures
            .map(|failure| WrongEntry {
                file: file(&failure),
                failure,
            })
            .collect()
    }
}

/// Reads both planes of a table of bounds: see [`read`].
fn read_both(
    index: &LayerIndex,
    table: &Table,
    memory: &mut Memory,
) -> Result<Result<[Given; 2], TableError>, SpillError> {
    let lower = read(index, table, 0, memory)?;
    let upper = read(index, table, 1, memory)?;
    Ok(lower.and_then(|lower| Ok([lower, upper?])))
}

/// Reads a plane of a table.
///
/// # Errors
/// If a file for it cannot be made or used. A damaged table is the inner error.
fn read(
    index: &LayerIndex,
    table: &Table,
    plane: usize,
    memory: &mut Memory,
) -> Result<Result<Given, TableError>, SpillError> {
    let fill = |start, out: &mut [u8]| table.read(plane, start, out);
    match table.id().kind {
        Kind::Distance => Given::distances(index, coverage(table), memory, fill),
        _ => Given::quantities(index, coverage(table), memory, fill),
    }
}

/// The numbers of a board, by probing.
fn probed_numbers(tables: &Tablebase, board: &Board) -> Result<BoardNumbers, TableError> {
    let has_distances = tables.tables(board.seeds()).has(Kind::Distance);
    match tables.probe(board) {
        Ok(found) => Ok(BoardNumbers {
            value: found.value,
            bounds: found.bounds.map(|bounds| (bounds.lower, bounds.upper)),
            distance: has_distances.then(|| found.distance.unwrap_or(0)),
        }),
        Err(ProbeError::Table(error)) => Err(error),
        Err(
            ProbeError::Missing(MissingTable { seeds, .. }) | ProbeError::Damaged { seeds, .. },
        ) => {
            unreachable!("the layer of {seeds} seeds was there when its boards were checked")
        }
    }
}
