//! Where the system starts no thread, as in a container with few processes, a command works on
//! its own thread or ends with one sentence.

use std::process::Command;

use crate::support::{built, krou_in, run, words};

/// More bytes for the stack of each thread than an address has bits for, so that none starts.
const STACK: &str = "1125899906842624";

#[test]
fn commands_do_without_threads_or_say_so() {
    let folder = built("--seeds 3");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/example.ogn");
    std::fs::copy(game, folder.path().join("game.ogn")).unwrap();
    let boards = "0 0 0 0 0 1 2 0 0 0 0 1\n".repeat(1000);
    std::fs::write(folder.path().join("boards"), boards).unwrap();
    let krou = |line: &str| -> Command {
        let mut krou = krou_in(folder.path());
        krou.env("RUST_MIN_STACK", STACK).args(words(line));
        krou
    };
    for line in [
        "analyse --depth 4 --threads 2 4 4 4 4 4 4 4 4 4 4 4 4",
        "export --format csv --seeds 5 --out -",
        "index tables",
        "moves --batch boards",
        "play",
        "probe --batch boards",
        "probe --batch boards --rules kalah",
        "probe --batch boards --table-memory 1M",
        "puzzles --seeds 5 --count 1 --seed 1",
        "query --seeds 5",
        "review game.ogn",
        "stats",
        "verify",
    ] {
        let done = run(&mut krou(line));
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        assert!(!done.stderr.contains("panicked"), "{line}: {done:?}");
    }
    for line in [
        "bench --seeds 3",
        "build --seeds 4",
        "engine",
        "fetch --seeds 3 --from http://127.0.0.1:9/",
        "probe --tables http://127.0.0.1:9/ 9 0 0 0 0 1 2 0 0 9 0 1",
        "repack --dir tables --codec raw",
        #[cfg(feature = "server")]
        "serve --listen 127.0.0.1:0",
    ] {
        let error = run(&mut krou(line)).error();
        assert!(error.starts_with("cannot start "), "{line}: {error}");
    }
}
