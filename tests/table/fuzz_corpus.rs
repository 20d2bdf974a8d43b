//! Replays the corpora of the fuzz targets in every test run, without the fuzzer.
//!
//! `scripts/fuzz` extends the corpora.

use std::fs;
use std::path::Path;

use crate::fuzz;

/// Runs a target on every file of its corpus, and on shortened copies.
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
fn table_corpus_is_replayed() {
    replay("table", fuzz::table::run);
}

#[test]
fn block_corpus_is_replayed() {
    replay("block", fuzz::block::run);
}

#[test]
fn board_corpus_is_replayed() {
    replay("board", fuzz::board::run);
}

#[test]
fn rank_corpus_is_replayed() {
    replay("rank", fuzz::rank::run);
}

#[test]
fn game_corpus_is_replayed() {
    replay("game", fuzz::game::run);
}

#[test]
fn checkpoint_corpus_is_replayed() {
    replay("checkpoint", fuzz::checkpoint::run);
}

#[test]
fn solver_corpus_is_replayed() {
    replay("solver", fuzz::solver::run);
}
