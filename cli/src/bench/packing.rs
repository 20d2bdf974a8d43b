//! Packing: writes the tables of all layers to a temporary folder and reads them back.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::index::LayerIndex;
use krou::internal::write_tables;
use krou::solve::{Coverage, Layer, Silent, Solver, memory_to_import};
use krou::table::{Codec, Kind, TableId, WriteOptions};
use krou::tablebase::Tablebase;

use super::report::Report;
use super::solving::Solved;
use super::{Check, RUNS, Work, golden, measure};

/// The layers to pack, in a solver that determines which entries are free.
pub struct Packing<'a> {
    work: &'a Work,
    solved: &'a Solved,
    solver: Solver,
}

impl<'a> Packing<'a> {
    /// Adopts all layers.
    pub fn new(work: &'a Work, solved: &'a Solved) -> Result<Packing<'a>> {
        let mut solver = Solver::new(work.rules);
        for layer in &solved.layers {
            import(&mut solver, layer)?;
        }
        Ok(Packing {
            work,
            solved,
            solver,
        })
    }

    /// Writes the values of every layer into a folder.
    pub fn measure(&mut self, codec: Codec, folder: &Path, report: &mut Report) -> Result<()> {
        let Packing { work, solved, .. } = *self;
        let (mut bytes, mut boards) = (0, 0);
        let (mut best, mut length) = (Duration::MAX, 0);
        for seeds in 0..=work.seeds {
            let id = table_id(work, seeds);
            report.doing(format!("packing {id}, {codec}, threads: 1"));
            if work.rules.has_bounds() {
                // Values can only be read with the bounds.
                self.pack(codec, folder, seeds, Kind::Bounds)?;
            }
            let runs = if seeds == work.seeds { RUNS } else { 1 };
            best = Duration::MAX;
            for _ in 0..runs {
                let began = Instant::now();
                let pack = || self.pack(codec, folder, seeds, Kind::Value);
                length = work.one.install(pack)?;
                best = best.min(began.elapsed());
            }
            bytes += length;
            boards += LayerIndex::new(work.rules, seeds).len();
        }
        report.doing("reading all tables".to_owned());
        let check = check_tables(work, solved, folder)?;
        let last = solved.last().index().len();
        let speed = measure::speed(last, best);
        report.add_of(Some(codec), measure::PACK, speed, check.clone())?;
        if work.codecs.is_some() {
            let bits = measure::ratio(8 * length, last);
            report.add_of(Some(codec), measure::BITS_OF_LAYER, bits, check.clone())?;
        }
        let bits = measure::ratio(8 * bytes, boards);
        report.add_of(Some(codec), measure::BITS, bits, check)
    }

    /// Writes a table and returns its size in bytes. Determining the free entries is
    /// part of packing.
    fn pack(&mut self, codec: Codec, folder: &Path, seeds: u8, kind: Kind) -> Result<u64> {
        let options = WriteOptions::from(codec);
        let (solver, kinds) = (&mut self.solver, [kind]);
        let bytes = write_tables(solver, seeds, &kinds, None, folder, &options, &Silent)?;
        Ok(bytes)
    }
}

/// Bytes of memory needed: the solved layers, the solver's copy, and reading back.
pub fn memory(work: &Work) -> u64 {
    let planes = if work.rules.has_bounds() { 3 } else { 1 };
    let boards = (0..=work.seeds).map(|n| LayerIndex::new(work.rules, n).len());
    2 * planes * boards.sum::<u64>()
        + memory_to_import(work.rules, work.seeds, &[Kind::Value, Kind::Bounds])
}

/// Imports a solved layer into another solver.
fn import(solver: &mut Solver, layer: &Layer) -> Result<()> {
    solver.import(
        |_| Coverage::All,
        |quantity, start, out| {
            let array = layer
                .quantity(quantity)
                .expect("a layer of the same ruleset");
            array.read(start, out)?;
            Ok::<_, anyhow::Error>(())
        },
    )
}

/// Checks that the tables hold the solved values.
fn check_tables(work: &Work, solved: &Solved, folder: &Path) -> Result<Check> {
    let tables = Tablebase::open(work.rules, &[folder])?;
    let mut loader = tables.loader();
    for (seeds, &expected) in (0..).zip(&solved.hashes) {
        let value = &work
            .all
            .install(|| loader.load(seeds).map(krou::solve::Layer::value))?;
        if golden::hash(value.index(), *value)? != expected {
            let id = table_id(work, seeds);
            return Ok(Err(format!(
                "{id} does not hold what was written: do not trust it"
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
