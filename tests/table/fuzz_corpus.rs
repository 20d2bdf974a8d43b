//! The corpora of the fuzz targets, replayed: what a fuzzer once found worth
//! keeping is looked at in every test run, without its tools.
//!
//! `scripts/fuzz` goes on from there.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// Runs a target on every file of its corpus, and on each cut short.
fn replay(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let mut paths: Vec<_> = fs::read_dir(&corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 10, "{target}: {} files", paths.len());
    for path in paths {
        let data = fs::read(&path).unwrap();
        assert!(data.len() <= 8192, "{} is large", path.display());
        run(&data);
        run(&data[..data.len() / 2]);
        run(&data[..data.len().saturating_sub(1)]);
    }
}

#[test]
fn tables() {
    replay("table", targets::table::run);
}

#[test]
fn blocks() {
    replay("block", targets::block::run);
}

#[test]
fn boards() {
    replay("board", targets::board::run);
}

#[test]
fn ranks() {
    replay("rank", targets::rank::run);
}
