//! Whether probes return what was proven.
//!
//! Tables that leave something out (`docs/codec.md`) are completed by the solver as whole
//! layers, and the certificate proves these entries. A probe completes a single board with
//! the plain rules. So every board is probed as well, and the results are compared.

use rayon::prelude::*;

use super::Verification;
use crate::rules::Quantity;
use crate::rules::{Board, Bounds};
use crate::solve::certificate::{Aspect, Failure, Flaw, Report};
use crate::solve::{Layer, LayerArray, Phase};
use crate::table::{Kind, TableError};
use crate::tablebase::result::{ProbeError, ProbeResult};
use crate::tablebase::tables::Tablebase;

/// Boards that a thread probes at a time.
const STRETCH: u64 = 1 << 14;

impl Tablebase {
    /// Whether a layer has a table that leaves something out.
    pub(super) fn leaves_to_moves(&self, seeds: u8) -> bool {
        let mut tables = Kind::ALL
            .into_iter()
            .filter_map(|kind| self.table(seeds, kind));
        tables.any(|table| !table.codec().is_exact())
    }
}

impl Verification<'_> {
    /// Probes every board of a layer that was proven.
    pub(super) fn probe_all(
        &self,
        seeds: u8,
        distance: Option<&LayerArray<u8>>,
    ) -> Result<Report, TableError> {
        let index = self.tables.index(seeds);
        // Then a probe cannot return more than the value.
        let has_damaged_distances =
            distance.is_none() && self.tables.table(seeds, Kind::Distance).is_some();
        let layer = &self.loader.layers()[usize::from(seeds)];
        self.observer.begins(seeds, Phase::Agreement, index.len());
        let stretches = (0..index.len().div_ceil(STRETCH)).into_par_iter();
        let found = stretches.map_init(
            || self.tables.prober(),
            |prober, stretch| {
                let mut report = Report::default();
                let boards = index.boards_from(stretch * STRETCH).take(STRETCH as usize);
                let mut done = 0;
                for board in boards {
                    done += 1;
                    let proven = proven(layer, distance, &board);
                    let probed = match has_damaged_distances {
                        true => prober.value(&board).map(ProbeResult::of_value),
                        false => prober.probe(&board),
                    };
                    let wrong = compare(&board, probed, &proven)?;
                    report.boards += u64::from(!wrong.is_empty());
                    report.failures.extend(wrong);
                }
                self.observer.advance(done);
                report.failures.truncate(self.options.most);
                Ok(report)
            },
        );
        let both = |mut one: Report, other: Report| {
            one.boards += other.boards;
            one.failures.extend(other.failures);
            one.failures.truncate(self.options.most);
            Ok(one)
        };
        found.try_reduce(Report::default, both)
    }
}

/// What was proven about a board.
fn proven(layer: &Layer, distance: Option<&LayerArray<u8>>, board: &Board) -> ProbeResult {
    let at = layer
        .index()
        .offset_of(board)
        .expect("a board of the index");
    let number = |number| layer.at(number, at);
    let value = number(Quantity::Value);
    let bounds = || Bounds {
        lower: number(Quantity::Lower),
        upper: number(Quantity::Upper),
    };
    ProbeResult {
        value,
        distance: distance.filter(|_| value != 0).map(|plane| plane.at(at)),
        bounds: layer.bounds().is_some().then(bounds),
    }
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
        Err(ProbeError::Missing { seeds, .. }) => {
            unreachable!("the layer of {seeds} seeds was proven")
        }
    };
    let numbers = |worth: &ProbeResult| {
        [
            (Aspect::Value, Some(i16::from(worth.value))),
            (Aspect::Distance, worth.distance.map(i16::from)),
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
        // Without a distance table a probe returns none.
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
