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

macro_rules! replayed {
    ($($test:ident: $target:ident,)*) => {
        $(#[test]
        fn $test() {
            replay(stringify!($target), fuzz::$target::run);
        })*
    };
}

replayed! {
    table_corpus_is_replayed: table,
    block_corpus_is_replayed: block,
    board_corpus_is_replayed: board,
    rank_corpus_is_replayed: rank,
    game_corpus_is_replayed: game,
    checkpoint_corpus_is_replayed: checkpoint,
    solver_corpus_is_replayed: solver,
}
