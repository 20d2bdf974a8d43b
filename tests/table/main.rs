//! Table files, tested through the public API against `docs/format.md`.

mod blocks;
mod changing_files;
mod damage;
#[path = "../support/files.rs"]
mod files;
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;
mod fuzz_corpus;
mod golden_files;
mod header;
mod models;
mod parts;
mod probing;
mod round_trip;
mod special_files;
mod support;
mod text_reader;
mod tiles;
mod writing;

use fuzz::checksums;
