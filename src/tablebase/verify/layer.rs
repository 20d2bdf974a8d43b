//! Verifying one layer after the other: what is read of each, how its boards are checked,
//! and what the result means for the layers above.

use std::path::Path;
use std::sync::Arc;

use super::{Assurance, BoardCheck, Verdict, VerifyOptions, WrongEntry};
use crate::rules::Board;
use crate::solve::certificate::{
    BoardNumbers, Certificate, Failure, Numbers, Random, Report, sample,
};
use crate::solve::{LayerArray, Observer, Phase};
use crate::table::{Fault, Kind, Table, TableError};
use crate::tablebase::loader::{LoadError, Loader};
use crate::tablebase::result::ProbeError;
use crate::tablebase::tables::Tablebase;

/// The seed of the random boards: every run checks the same boards.
const SAMPLE_SEED: u64 = 0x6b72_6f75;

/// The state between two layers.
pub(super) struct Verification<'a> {
    pub(super) tables: &'a Tablebase,
    pub(super) options: &'a VerifyOptions,
    pub(super) observer: &'a dyn Observer,
    /// The layers so far, as long as all boards of each are checked.
    pub(super) loader: Loader<'a>,
    /// Whether all of them could be read.
    readable: bool,
    /// The first layer that is damaged or has failing boards.
    wrong: Option<u8>,
}

/// The result of checking the boards of a layer, with tables that turned out to be damaged
/// although the boards could be checked.
struct Found {
    report: Report,
    assurance: Assurance,
    damaged: Vec<TableError>,
}

impl<'a> Verification<'a> {
    pub fn new(
        tables: &'a Tablebase,
        options: &'a VerifyOptions,
        observer: &'a dyn Observer,
    ) -> Verification<'a> {
        Verification {
            tables,
            options,
            observer,
            loader: tables.loader_in_memory(),
            readable: true,
            wrong: None,
        }
    }

    /// Verifies the next layer.
    pub fn next(&mut self, seeds: u8) -> Verdict {
        let boards = self.tables.index(seeds).len();
        let sampled = self.options.sampled(boards);
        let unopened = &self.tables.tables(seeds).damaged;
        let mut damaged: Vec<_> = unopened.iter().map(|(_, error)| error.clone()).collect();
        let found = match sampled {
            _ if !self.readable => Err(self.check_sums(seeds)),
            Some(count) => self.random_boards(seeds, count),
            None => self.every_board(seeds),
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
            self.loader = self.tables.loader_in_memory();
        }
        verdict
    }

    /// Checks every board of a layer in memory. If the distances are damaged, the values are
    /// proven without them.
    fn every_board(&mut self, seeds: u8) -> Result<Found, Vec<TableError>> {
        let rules = self.tables.rules();
        let boards = self.tables.index(seeds).len();
        self.observer.begins(seeds, Phase::Checksums, boards);
        let loaded = self.loader.load(seeds).map(|_| ());
        if let Err(error) = loaded {
            let damaged = self.check_sums(seeds);
            return Err(match error {
                // On a second read the table may be intact: then it is not reliable.
                LoadError::Probe(ProbeError::Table(error)) if damaged.is_empty() => vec![error],
                // Some tables could not be opened.
                _ => damaged,
            });
        }
        let (distance, damaged) = match self.distance(seeds) {
            Ok(distance) => (distance, Vec::new()),
            Err(error) => (None, vec![error]),
        };
        let certificate = Certificate {
            rules,
            layers: self.loader.layers(),
            distance: distance.as_ref(),
            most: self.options.most,
        };
        let mut report = certificate.check(self.observer);
        if report.boards == 0 && self.tables.leaves_to_moves(seeds) {
            report = match self.probe_all(seeds, distance.as_ref()) {
                Ok(report) => report,
                Err(error) => return Err(vec![error]),
            };
        }
        Ok(Found {
            report,
            assurance: Assurance::Proof,
            damaged,
        })
    }

    /// The distances of a layer, if there is a table of them.
    fn distance(&mut self, seeds: u8) -> Result<Option<LayerArray<u8>>, TableError> {
        let distance = self.loader.distances(seeds);
        let distance = distance.and_then(|distance| {
            let plane = distance.map(LayerArray::into_memory).transpose();
            plane.map_err(LoadError::from)
        });
        distance.map_err(|error| match error {
            LoadError::Probe(ProbeError::Table(error)) => error,
            // In memory and without a limit, only the distances themselves can be wrong.
            _ => {
                let table = self.tables.table(seeds, Kind::Distance);
                Fault::Distances.of(table.map_or(Path::new(""), Table::name))
            }
        })
    }

    /// Checks random boards by probing, which holds no more in memory than their units.
    fn random_boards(&mut self, seeds: u8, count: u64) -> Result<Found, Vec<TableError>> {
        self.loader = self.tables.loader_in_memory();
        let tables = self.tables.tables(seeds);
        let damaged = self.check_sums(seeds);
        let all_opened = tables
            .damaged
            .iter()
            .all(|&(kind, _)| kind == Kind::Distance);
        if !damaged.is_empty() || !all_opened {
            return Err(damaged);
        }
        let rules = self.tables.rules();
        let report = sample(
            rules,
            &Probed(self.tables),
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
        match report {
            Ok(report) => Ok(Found {
                report,
                assurance,
                damaged: Vec::new(),
            }),
            Err(error) => Err(vec![error]),
        }
    }

    /// Checks all blocks of a layer's tables, and returns the errors of damaged ones.
    fn check_sums(&self, seeds: u8) -> Vec<TableError> {
        let tables = self.tables.tables(seeds);
        let tables = Kind::ALL.into_iter().filter_map(|kind| tables.of(kind));
        let check = |table: &Table| {
            let begins = table.stored_entries();
            self.observer.begins(seeds, Phase::Checksums, begins);
            table
                .check_with(&|entries| self.observer.advance(entries))
                .err()
        };
        tables.filter_map(check).collect()
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

/// The quantities of boards, by probing.
struct Probed<'a>(&'a Tablebase);

impl Numbers for Probed<'_> {
    type Error = TableError;

    fn of(&self, board: &Board) -> Result<BoardNumbers, TableError> {
        match self.0.probe(board) {
            Ok(worth) => Ok(BoardNumbers {
                value: worth.value,
                bounds: worth.bounds.map(|bounds| (bounds.lower, bounds.upper)),
                distance: worth.distance,
            }),
            Err(ProbeError::Table(error)) => Err(error),
            Err(ProbeError::Missing { seeds, .. }) => {
                unreachable!("the layer of {seeds} seeds was there when its boards were checked")
            }
        }
    }
}
