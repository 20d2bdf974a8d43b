//! Packing: the tables of all layers, written to a temporary folder and read back.

use std::time::Instant;

use anyhow::{Context, Result};
use krou::table::{Kind, TableId, WriteOptions, write};
use krou::tablebase::Tablebase;
use tempfile::TempDir;
use xxhash_rust::xxh3::Xxh3;

use super::report::Report;
use super::solving::Solved;
use super::{Check, Work, measure};

/// Writes the values of every layer; the folder goes when it is dropped.
pub fn measure(work: &Work, solved: &Solved, report: &mut Report) -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("krou-bench-").tempdir();
    let folder = folder.context("cannot make a temporary folder: name another place in TMPDIR")?;
    let mut bytes = 0;
    let mut boards = 0;
    for layer in &solved.layers {
        let index = layer.value.index();
        let id = table_id(work, index.seeds());
        report.doing(format!("packing {id}, threads: 1"));
        let began = Instant::now();
        let written = work.one.install(|| {
            let options = WriteOptions::default();
            let table = write(folder.path(), id, &[&layer.value], &options, &|_| ())?;
            let length = table.len_bytes();
            table.publish().map(|_| length)
        });
        let time = began.elapsed();
        bytes += written?;
        boards += index.len();
        if index.seeds() == work.seeds {
            let check = check_table(work, solved, &folder, index.seeds())?;
            report.add(measure::PACK, measure::speed(index.len(), time), check)?;
        }
    }
    report.doing("reading all tables".to_owned());
    let mut check = Ok(());
    for seeds in 0..=work.seeds {
        check = check.and(check_table(work, solved, &folder, seeds)?);
    }
    report.add(measure::BITS, measure::ratio(8 * bytes, boards), check)?;
    Ok(folder)
}

/// Checks that a table holds what was solved.
fn check_table(work: &Work, solved: &Solved, folder: &TempDir, seeds: u8) -> Result<Check> {
    let id = table_id(work, seeds);
    let tables = Tablebase::open(work.rules, &[folder.path()])?;
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
