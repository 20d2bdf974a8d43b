//! Packing: the tables of all layers, written to a temporary folder and read back.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::solve::Layer;
use krou::table::{Kind, TableError, TableId, WriteOptions, write};
use krou::tablebase::Tablebase;
use xxhash_rust::xxh3::Xxh3;

use super::report::Report;
use super::solving::Solved;
use super::{Check, RUNS, Work, measure};

/// Writes the values of every layer into a folder.
pub fn measure(work: &Work, solved: &Solved, folder: &Path, report: &mut Report) -> Result<()> {
    let mut bytes = 0;
    let mut boards = 0;
    for layer in &solved.layers {
        let index = layer.value.index();
        let id = table_id(work, index.seeds());
        report.doing(format!("packing {id}, threads: 1"));
        let is_last = index.seeds() == work.seeds;
        let runs = if is_last { RUNS } else { 1 };
        let mut length = 0;
        let mut best = Duration::MAX;
        for _ in 0..runs {
            let began = Instant::now();
            length = work.one.install(|| pack(folder, id, layer))?;
            best = best.min(began.elapsed());
        }
        bytes += length;
        boards += index.len();
        if is_last {
            let check = check_table(work, solved, folder, work.seeds)?;
            report.add(measure::PACK, measure::speed(index.len(), best), check)?;
        }
    }
    report.doing("reading all tables".to_owned());
    let mut check = Ok(());
    for seeds in 0..=work.seeds {
        check = check.and(check_table(work, solved, folder, seeds)?);
    }
    report.add(measure::BITS, measure::ratio(8 * bytes, boards), check)
}

/// Puts the table of a layer's values in its place; says how many bytes it has.
fn pack(folder: &Path, id: TableId, layer: &Layer) -> Result<u64, TableError> {
    let options = WriteOptions::default();
    let table = write(folder, id, &[&layer.value], &options, &|_| ())?;
    let length = table.len_bytes();
    table.publish()?;
    Ok(length)
}

/// Checks that a table holds what was solved.
fn check_table(work: &Work, solved: &Solved, folder: &Path, seeds: u8) -> Result<Check> {
    let id = table_id(work, seeds);
    let tables = Tablebase::open(work.rules, &[folder])?;
    let mut hash = Xxh3::new();
    if let Some(table) = tables.table(seeds, Kind::Value) {
        work.all
            .install(|| table.for_each_block(|block| hash.update(block.plane(0))))?;
    }
    Ok(match hash.digest() == solved.hashes[usize::from(seeds)] {
        true => Ok(()),
        false => Err(format!("{id} does not hold what was written: distrust it")),
    })
}

fn table_id(work: &Work, seeds: u8) -> TableId {
    TableId {
        rules: work.rules,
        seeds,
        kind: Kind::Value,
    }
}
