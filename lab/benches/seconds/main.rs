//! Seconds of single parts, with criterion; the result of each part is checked once. Run
//! them with `cargo bench -p krou-lab --bench seconds`; `krou bench` measures whole
//! layers.

use criterion::{criterion_group, criterion_main};

mod index;
mod solve;
mod tables;

criterion_group!(
    benches,
    index::rows,
    index::boards,
    solve::values,
    solve::distances,
    tables::packing,
    tables::probing,
);
criterion_main!(benches);
