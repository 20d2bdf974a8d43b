//! Tables: packing a layer, decoding tiles and probing boards, with the tables that are
//! part of the library.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use krou::internal::write_tables;
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::table::{Kind, Table, WriteOptions};
use krou::tablebase::{EMBEDDED_SEEDS, Tablebase};

const SEEDS: u8 = EMBEDDED_SEEDS;

fn embedded(tables: &Tablebase) -> &Table {
    let table = tables.table(SEEDS, Kind::Value);
    table.expect("an embedded table")
}

pub fn packing(criterion: &mut Criterion) {
    krou_lab::use_one_thread();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let table = embedded(&tables);
    let mut solver = krou_lab::solver_before(SEEDS + 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut pack = || {
        let (kinds, options) = (&[Kind::Value], WriteOptions::default());
        let folder = folder.path();
        let written = write_tables(&mut solver, SEEDS, kinds, None, folder, &options, &Silent);
        written.expect("a writable folder")
    };
    assert_eq!(pack(), table.stored_bytes());

    let mut group = criterion.benchmark_group("tables of 9 seeds");
    group.throughput(Throughput::Elements(table.stored_entries()));
    group.sample_size(20);
    group.bench_function("pack and write", |b| {
        b.iter_batched(|| (), |()| pack(), BatchSize::PerIteration);
    });
    group.bench_function("decode", |b| {
        b.iter(|| {
            for unit in 0..table.unit_count() {
                black_box(table.unit(unit)).expect("an intact table");
            }
        });
    });
    group.finish();
}

pub fn probing(criterion: &mut Criterion) {
    let boards = krou_lab::boards(SEEDS, 1000);
    let solved = krou_lab::solver_before(SEEDS + 1);
    let values = solved.layer(SEEDS).value();
    let expected = || {
        let values = boards.iter().map(|board| values.of(board));
        values.map(|value| value.expect("an indexed board").get())
    };

    let mut group = criterion.benchmark_group("probes of 9 seeds");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for (name, cache_bytes) in [("tiles decoded", 0), ("tiles cached", 64 << 20)] {
        let tables = Tablebase::embedded(Ruleset::AWARI).with_cache_bytes(cache_bytes);
        let found = || {
            let results = boards.iter().map(|board| tables.probe(black_box(board)));
            results.map(|result| result.expect("an intact table").value)
        };
        assert!(found().eq(expected()));
        group.bench_function(name, |b| b.iter(|| found().max()));
    }
    group.finish();
}
