//! Replays the corpora of the fuzz targets that ask the program, without the fuzzer.

use std::fs;
use std::path::Path;

use crate::fuzz;

fn replay(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let files: Vec<_> = fs::read_dir(corpus.join(target)).unwrap().collect();
    assert!(files.len() >= 10, "{target}: {} files", files.len());
    for file in files {
        let data = fs::read(file.unwrap().path()).unwrap();
        run(&data);
        run(&data[..data.len() / 2]);
    }
}

#[test]
fn uci_corpus_is_replayed() {
    replay("uci", fuzz::uci);
}

#[test]
fn http_corpus_is_replayed() {
    replay("http", fuzz::http);
}
