//! Instructions of the work that must not get slower, counted under valgrind: the same
//! at every run, however busy the machine. `scripts/count-instructions` runs these
//! benches and compares the counts with `crates/lab/instructions.toml`.

// The macros make public functions without documentation and end the process.
#![allow(missing_docs, clippy::exit)]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use krou::index::LayerIndex;
use krou::internal::index::row;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::solve::Solver;
use krou::table::{Kind, WriteOptions};
use krou::tablebase::Tablebase;
use krou::tablebase::write_tables;
use tempfile::TempDir;

/// All work stays in the thread whose instructions are counted.
fn solver_before(seeds: u8) -> Solver {
    krou_lab::use_one_thread();
    krou_lab::solver_before(seeds)
}

#[library_benchmark]
#[bench::awari_10(solver_before(10))]
fn values(mut solver: Solver) -> Solver {
    solver.solve_next(&Silent).expect("no memory limit");
    solver
}

#[library_benchmark]
#[bench::awari_9(solver_before(10))]
fn distances(mut solver: Solver) -> u8 {
    let distances = solver.distances(9, &Silent).expect("none is too long");
    distances.get(0)
}

fn solved_and_folder(seeds: u8) -> (Solver, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    (solver_before(seeds + 1), folder)
}

#[library_benchmark]
#[bench::awari_9(solved_and_folder(9))]
fn packing((mut solver, folder): (Solver, TempDir)) -> (u64, TempDir) {
    let (kinds, options) = (&[Kind::Value], WriteOptions::default());
    let bytes = write_tables(
        &mut solver,
        9,
        kinds,
        None,
        folder.path(),
        &options,
        &Silent,
    );
    (bytes.expect("a writable folder"), folder)
}

fn tables_and_boards(cache_bytes: u64) -> (Tablebase, Vec<Board>) {
    let tables = Tablebase::embedded(Ruleset::AWARI).with_cache_bytes(cache_bytes);
    let boards = krou_lab::boards(9, 1000);
    // Fills the cache before counting begins.
    probe(&tables, &boards);
    (tables, boards)
}

fn probe(tables: &Tablebase, boards: &[Board]) -> Option<i8> {
    let results = boards.iter().map(|board| tables.probe(board));
    results
        .map(|result| result.expect("an intact table").value)
        .max()
}

#[library_benchmark]
#[bench::tiles_decoded(tables_and_boards(0))]
#[bench::tiles_cached(tables_and_boards(64 << 20))]
fn probes((tables, boards): (Tablebase, Vec<Board>)) -> Option<i8> {
    probe(&tables, &boards)
}

fn index_and_boards(seeds: u8) -> (LayerIndex, Vec<Board>) {
    (
        LayerIndex::new(Ruleset::AWARI, seeds),
        krou_lab::boards(seeds, 10_000),
    )
}

#[library_benchmark]
#[bench::awari_24(index_and_boards(24))]
fn index((index, boards): (LayerIndex, Vec<Board>)) -> Option<u64> {
    boards.iter().filter_map(|board| index.index(board)).max()
}

#[library_benchmark]
#[bench::seeds_12(12)]
fn unrank(seeds: u8) -> u32 {
    let ranks = 0..row::row_count(seeds);
    ranks
        .map(|rank| u32::from(black_box(row::unrank(seeds, rank))[0]))
        .sum()
}

library_benchmark_group!(
    name = all,
    benchmarks = [values, distances, packing, probes, index, unrank]
);
main!(library_benchmark_groups = all);
