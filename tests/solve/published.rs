//! Published results that krou must agree with.
//!
//! - `data/lincke-awari-0-15.csv`: how many boards of each layer of `awari` have
//!   each value, over all boards; T. R. Lincke, *Exploring the Computational
//!   Limits of Large Exhaustive Search Problems*, ETH Zürich 2002, appendix B.
//!   Here up to 12 seeds; `scripts/check-published` goes up to 15.
//! - The 16-seed board that the Vrije Universiteit published with its score
//!   database, and the worth of its six moves.
//! - Kalah with one seed a pit: the first player wins by 2 (Irving, Donkers and
//!   Uiterwijk 2000), with empty captures and without. `scripts/check-published`
//!   has two seeds a pit, where the published 10 holds with empty captures only.
//! - The share of boards with equal bounds under the rules of `OpenSpiel`'s
//!   oware.

use std::path::Path;
use std::process::Command;

use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::table::WriteOptions;
use krou::tablebase::{BuildOptions, Tablebase, build};

fn build_to(rules: Ruleset, folder: &Path, seeds: u8) -> Tablebase {
    let options = BuildOptions {
        seeds,
        distance: false,
        write: WriteOptions::default(),
        memory: None,
        checkpoint: None,
    };
    build(rules, folder, &options, &Silent).unwrap();
    Tablebase::open(rules, &[folder]).unwrap()
}

#[test]
fn lincke_counted_the_same_boards() {
    const SEEDS: u8 = 12;
    let folder = tempfile::tempdir().unwrap();
    build_to(Ruleset::AWARI, folder.path(), SEEDS);
    let stats = Command::new(env!("CARGO_BIN_EXE_krou"))
        .args(["stats", "--csv", "--all", "--dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(stats.status.success());

    let published = include_str!("data/lincke-awari-0-15.csv");
    let seeds = |line: &&str| line.split(',').next().unwrap().parse::<u8>();
    let up_to_here = |line: &&str| seeds(line).map_or(true, |n| n <= SEEDS);
    let expected: Vec<&str> = published.lines().filter(up_to_here).collect();
    let found = String::from_utf8(stats.stdout).unwrap();
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_board_of_the_vrije_universiteit() {
    let folder = tempfile::tempdir().unwrap();
    let tables = build_to(Ruleset::AWARI, folder.path(), 16);
    let board: Board = "1 1 1 1 1 2 / 4 2 3 0 0 0".parse().unwrap();
    assert_eq!(tables.probe(&board).unwrap().value, 0);
    let mut worths = [None; 6];
    for m in tables.moves(&board).unwrap() {
        worths[usize::from(m.step.pit)] = m.result.map(|worth| worth.value);
    }
    assert_eq!(worths, [-1, -1, -2, -2, -2, 0].map(Some));
}

#[test]
fn kalah_with_one_seed_a_pit() {
    let start = Board::new([1; 12]).unwrap();
    for rules in [Ruleset::KALAH, Ruleset::KALAH_EMPTY] {
        let folder = tempfile::tempdir().unwrap();
        let tables = build_to(rules, folder.path(), 12);
        assert_eq!(tables.probe(&start).unwrap().value, 2, "{rules}");
    }
}

#[test]
fn boards_that_are_exact_under_the_rules_of_openspiel() {
    let folder = tempfile::tempdir().unwrap();
    let tables = build_to(Ruleset::ABAPA, folder.path(), 12);
    for (seeds, published) in [(4, "72.8"), (8, "61.1"), (12, "18.7")] {
        let (exact, boards) = tables.counter().count_exact(seeds).unwrap().unwrap();
        #[allow(clippy::cast_precision_loss)]
        let share = format!("{:.1}", 100.0 * exact as f64 / boards as f64);
        assert_eq!(share, published, "{seeds} seeds");
    }
}
