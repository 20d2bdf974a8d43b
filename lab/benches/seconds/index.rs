//! Ranks of rows and indices of boards, both ways.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use krou::index::{LayerIndex, row};
use krou::rules::{Row, Ruleset};

/// Seeds of the rows.
const IN_A_ROW: u8 = 12;
/// Seeds of the boards.
const ON_A_BOARD: u8 = 24;

pub fn rows(criterion: &mut Criterion) {
    let rows: Vec<Row> = row::rows(IN_A_ROW).collect();
    let mut group = criterion.benchmark_group("rows of 12 seeds");
    group.throughput(Throughput::Elements(rows.len() as u64));

    let ranks = || rows.iter().map(|row| row::rank(black_box(row)));
    assert!(ranks().eq(0..row::row_count(IN_A_ROW)));
    group.bench_function("rank", |b| b.iter(|| ranks().max()));

    let unranked =
        || (0..row::row_count(IN_A_ROW)).map(|rank| row::unrank(IN_A_ROW, black_box(rank)));
    assert!(unranked().eq(rows.iter().copied()));
    group.bench_function("unrank", |b| b.iter(|| unranked().max()));
    group.finish();
}

pub fn boards(criterion: &mut Criterion) {
    let index = LayerIndex::new(Ruleset::AWARI, ON_A_BOARD);
    let boards = krou_lab::boards(ON_A_BOARD, 10_000);
    let mut group = criterion.benchmark_group("boards of 24 seeds");
    group.throughput(Throughput::Elements(boards.len() as u64));

    let indices = || boards.iter().map(|board| index.index(black_box(board)));
    let known: Vec<u64> = indices().map(|i| i.expect("an indexed board")).collect();
    group.bench_function("index", |b| b.iter(|| indices().max()));

    let found = || known.iter().map(|&i| index.board(black_box(i)));
    assert!(found().eq(boards.iter().copied()));
    group.bench_function("board", |b| {
        b.iter(|| found().map(|board| board.seeds()).max());
    });
    group.finish();
}
