//! Seconds of the parts by themselves, with criterion; each part's answer is checked
//! once. `cargo bench -p krou-bench --bench seconds`; whole layers are measured by
//! `krou bench`.

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
