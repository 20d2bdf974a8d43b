//! Packing: the tables of all layers, written to a temporary folder and read back.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::solve::{Given, Layer, Number, Score, Silent, Solver};
use krou::table::{Kind, TableId, WriteOptions};
use krou::tablebase::{Tablebase, write_tables};

use super::report::Report;
use super::solving::Solved;
use super::{Check, RUNS, Work, golden, measure};

/// Writes the values of every layer into a folder.
pub fn measure(work: &Work, solved: &Solved, folder: &Path, report: &mut Report) -> Result<()> {
    let mut solver = Solver::new(work.rules);
    let mut bytes = 0;
    let mut boards = 0;
    let mut best = Duration::MAX;
    for layer in &solved.layers {
        let seeds = layer.value.index().seeds();
        report.doing(format!("packing {}, threads: 1", table_id(work, seeds)));
        adopt(&mut solver, layer)?;
        if work.rules.has_bounds() {
            // Values are not read without them.
            pack(&mut solver, folder, seeds, Kind::Bounds)?;
        }
        let runs = if seeds == work.seeds { RUNS } else { 1 };
        let mut length = 0;
        best = Duration::MAX;
        for _ in 0..runs {
            let began = Instant::now();
            length = work
                .one
                .install(|| pack(&mut solver, folder, seeds, Kind::Value))?;
            best = best.min(began.elapsed());
        }
        bytes += length;
        boards += layer.value.index().len();
    }
    drop(solver);
    report.doing("reading all tables".to_owned());
    let check = check_tables(work, solved, folder)?;
    let last = solved.last().value.index().len();
    report.add(measure::PACK, measure::speed(last, best), check.clone())?;
    report.add(measure::BITS, measure::ratio(8 * bytes, boards), check)
}

/// Puts a table of a layer in its place; says how many bytes it has. Finding out
/// which entries the moves tell anyway is part of packing.
fn pack(solver: &mut Solver, folder: &Path, seeds: u8, kind: Kind) -> Result<u64> {
    let options = WriteOptions::default();
    let bytes = write_tables(solver, seeds, &[kind], None, folder, &options, &Silent)?;
    Ok(bytes)
}

/// Gives a solver what was solved.
fn adopt(solver: &mut Solver, layer: &Layer) -> Result<()> {
    let bounds = layer.bounds.as_ref();
    let mut value = layer.value.iter();
    let mut lower = bounds.iter().flat_map(|bounds| bounds.lower.iter());
    let mut upper = bounds.iter().flat_map(|bounds| bounds.upper.iter());
    solver.adopt(
        |_| Given::All,
        |number, _, out| {
            let scores: &mut dyn Iterator<Item = Score> = match number {
                Number::Value => &mut value,
                Number::Lower => &mut lower,
                Number::Upper => &mut upper,
            };
            for (place, score) in out.iter_mut().zip(scores) {
                *place = score;
            }
            Ok::<_, anyhow::Error>(())
        },
    )
}

/// Checks that the tables hold what was solved.
fn check_tables(work: &Work, solved: &Solved, folder: &Path) -> Result<Check> {
    let tables = Tablebase::open(work.rules, &[folder])?;
    let mut loader = tables.loader();
    for (seeds, &expected) in (0..).zip(&solved.hashes) {
        let value = &work
            .all
            .install(|| loader.load(seeds).map(|layer| &layer.value))?;
        if golden::hash(value.index(), *value)? != expected {
            let id = table_id(work, seeds);
            return Ok(Err(format!(
                "{id} does not hold what was written: distrust it"
            )));
        }
    }
    Ok(Ok(()))
}

fn table_id(work: &Work, seeds: u8) -> TableId {
    TableId {
        rules: work.rules,
        seeds,
        kind: Kind::Value,
    }
}
