//! Tables on disk, from outside: `docs/format.md`, byte by byte.

mod blocks;
mod changing;
mod damage;
mod forge;
mod fuzz_corpus;
mod golden;
mod golden_files;
mod header;
mod models;
mod names;
mod plain;
mod probing;
mod round_trip;
#[path = "../../fuzz/src/seal.rs"]
mod seal;
mod support;
mod tiles;
mod writing;
