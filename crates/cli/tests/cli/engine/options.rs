//! What the option `Hash` does to memory and searches.

use super::process::{EngineProcess, output_of, word_after};

/// A search that finds the results of an earlier one in the transposition table visits
/// fewer nodes.
#[test]
fn new_games_and_hash_sizes_clear_the_transposition_table() {
    let input = [
        "go depth 7",
        "setoption name Ponder value false\ngo depth 7",
        "ucinewgame\ngo depth 7",
        "go depth 7",
        "setoption name Hash value 32\ngo depth 7",
    ];
    let lines = output_of(&[], &(input.join("\n") + "\n"));
    let last = |lines: &[String]| {
        let info = lines.iter().rfind(|line| line.starts_with("info depth"));
        word_after(info.unwrap(), "nodes").unwrap().parse().unwrap()
    };
    let searches = lines.split_inclusive(|line| line.starts_with("bestmove"));
    let nodes: Vec<u32> = searches.map(last).collect();
    let [first, ponder, new_game, again, hash] = nodes[..] else {
        panic!("{nodes:?}");
    };
    assert_eq!((new_game, hash), (first, first));
    assert!(ponder < first && again < first, "{nodes:?}");
}

/// The peak resident memory of a process in bytes.
#[cfg(target_os = "linux")]
pub fn peak_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.unwrap().trim().strip_suffix(" kB").unwrap();
    kib.parse::<u64>().unwrap() * 1024
}

/// Each new table takes the memory of the one before, and never lives beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_new_hash_size_releases_the_old_table_first() {
    let mut engine = EngineProcess::start(&["--hash", "100"]);
    for hash in [101, 102] {
        engine.send(format!("setoption name Hash value {hash}\ngo depth 1"));
        engine.lines_until("bestmove");
    }
    let mib = peak_memory(engine.id()) >> 20;
    assert!((100..160).contains(&mib), "{mib} MiB");
    engine.quit();
}
