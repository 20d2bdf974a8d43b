//! The puzzle sets of the page, compared with the tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use krou::engine::{Engine, EngineOptions};
use krou::rules::{Board, Player, Ruleset};
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, EMBEDDED_SEEDS, Tablebase, build};
use serde_json::{Map, Value};

use crate::puzzle_claim::PuzzleClaim;

/// A puzzle as the file has it: board, theme, grade, goal, values and line.
type Entry = ([u8; 12], String, u8, String, Map<String, Value>, String);

/// A puzzle of a set.
struct Listed {
    grade: u8,
    claim: PuzzleClaim,
}

fn set(rules: Ruleset) -> Vec<Listed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/puzzles");
    let text = fs::read_to_string(folder.join(format!("{rules}.json"))).unwrap();
    let mut set: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(set["rules"], rules.to_string());
    let puzzles = set.remove("puzzles").unwrap();
    let entries: Vec<Entry> = serde_json::from_value(puzzles).unwrap();
    entries.into_iter().map(listed).collect()
}

fn listed((board, theme, grade, goal, values, line): Entry) -> Listed {
    let pit = |letter: char| Player::from_letter(letter).unwrap().1;
    let values = values.iter().map(|(letter, value)| {
        let value = value.as_i64().unwrap();
        (pit(letter.parse().unwrap()), i8::try_from(value).unwrap())
    });
    // The order of the values is that of the file only for readers that keep it.
    let mut values: Vec<(u8, i8)> = values.collect();
    values.sort_by_key(|(_, value)| -value);
    for (ply, letter) in line.chars().enumerate() {
        let player = Player::from_letter(letter).unwrap().0;
        assert_eq!(player == Player::South, ply % 2 == 0, "{line}");
    }
    let claim = PuzzleClaim {
        board: Board::new(board).unwrap(),
        theme: theme.parse().unwrap(),
        goal: goal.parse().unwrap(),
        values,
        line: line.chars().map(pit).collect(),
    };
    Listed { grade, claim }
}

fn check(tables: &Tablebase, puzzles: &[Listed]) {
    let options = EngineOptions::default().with_hash_mib(1);
    let mut engine = Engine::new(tables.rules(), None, options);
    for puzzle in puzzles {
        puzzle.claim.check(tables, &mut engine);
    }
}

#[test]
fn the_sets_are_large_and_varied() {
    for (rules, themes) in [(Ruleset::ABAPA, 8), (Ruleset::AWARI, 7)] {
        let set = set(rules);
        assert!(set.len() >= 450, "{rules}: {}", set.len());
        let mut counts = BTreeMap::new();
        for (n, puzzle) in set.iter().enumerate() {
            *counts.entry(puzzle.claim.theme.as_str()).or_insert(0) += 1;
            assert!(puzzle.claim.values.len() > 2 || puzzle.grade > 2);
            for other in &set[..n] {
                let pits = puzzle.claim.board.pits().into_iter();
                let pits = pits.zip(other.claim.board.pits());
                assert!(pits.filter(|(a, b)| a != b).count() > 2);
            }
        }
        assert_eq!(counts.len(), themes, "{counts:?}");
        for grade in 1..=5 {
            let graded = set.iter().filter(|puzzle| puzzle.grade == grade);
            assert!(graded.count() >= 40, "{rules}, grade {grade}");
        }
    }
}

#[test]
fn small_puzzles_are_right() {
    for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
        let mut puzzles = set(rules);
        puzzles.retain(|puzzle| puzzle.claim.board.seeds() <= EMBEDDED_SEEDS);
        assert!(puzzles.len() > 50, "{rules}: {}", puzzles.len());
        check(&Tablebase::embedded(rules), &puzzles);
    }
}

#[test]
#[ignore = "builds tables up to 13 seeds: scripts/check-slow runs it"]
fn all_puzzles_are_right() {
    for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
        let puzzles = set(rules);
        let seeds = puzzles.iter().map(|puzzle| puzzle.claim.board.seeds());
        let options = BuildOptions::new(seeds.max().unwrap());
        let folder = tempfile::tempdir().unwrap();
        build(rules, folder.path(), &options, &Silent).unwrap();
        check(&Tablebase::open(rules, &[folder.path()]).unwrap(), &puzzles);
    }
}
