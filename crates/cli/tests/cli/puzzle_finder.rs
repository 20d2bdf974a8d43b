//! Puzzles, compared with the plain reference; the same seed gives the same ones.

use std::collections::HashSet;

use krou::engine::{Engine, EngineOptions};
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, Tablebase, build};
use krou_cli::internal::{GRADES, Puzzle, PuzzleFilter, PuzzleFinder, Theme};

use crate::puzzle_claim::PuzzleClaim;

/// Tables for boards of up to this many seeds.
fn tables(rules: Ruleset, seeds: u8) -> Tablebase {
    let folder = tempfile::tempdir().unwrap();
    build(rules, folder.path(), &BuildOptions::new(seeds), &Silent).unwrap();
    // Open files stay readable after the folder is removed.
    Tablebase::open(rules, [folder.path()]).unwrap()
}

/// The first puzzles that a finder finds.
fn puzzles(tables: &Tablebase, filter: PuzzleFilter, seed: u64, count: usize) -> Vec<Puzzle> {
    let highest = tables.highest_layer().unwrap();
    let finder = PuzzleFinder::new(tables, 4..=highest, filter, seed).unwrap();
    finder.filter_map(Result::unwrap).take(count).collect()
}

fn claim(puzzle: &Puzzle) -> PuzzleClaim {
    PuzzleClaim {
        board: puzzle.board,
        theme: puzzle.theme,
        goal: puzzle.goal,
        values: puzzle.moves.iter().map(|m| (m.step.pit, m.value)).collect(),
        line: puzzle.line.iter().map(|step| step.pit).collect(),
    }
}

#[test]
fn every_puzzle_has_one_solution_a_line_and_its_theme() {
    for (rules, seeds, least) in [
        (Ruleset::ABAPA, 9, 5),
        (Ruleset::AWARI, 9, 5),
        (Ruleset::PRATT, 7, 3),
        (Ruleset::AWALE_INFO, 7, 3),
        (Ruleset::KALAH, 6, 3),
    ] {
        let tables = tables(rules, seeds);
        let mut engine = Engine::new(rules, None, EngineOptions::default().with_hash_mib(1));
        let puzzles = puzzles(&tables, PuzzleFilter::default(), 1, 60);
        for puzzle in &puzzles {
            claim(puzzle).check(&tables, &mut engine);
            assert!(GRADES.contains(&puzzle.grade));
            assert!((4..=seeds).contains(&puzzle.board.seeds()));
        }
        let themes: HashSet<Theme> = puzzles.iter().map(|p| p.theme).collect();
        assert!(themes.len() >= least, "{rules}: {themes:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_puzzles_and_none_is_near_another() {
    let tables = tables(Ruleset::ABAPA, 8);
    let any = PuzzleFilter::default();
    let found = puzzles(&tables, any, 7, 80);
    assert_eq!(found, puzzles(&tables, any, 7, 80));
    assert_ne!(found[..20], puzzles(&tables, any, 8, 20)[..]);
    for (i, puzzle) in found.iter().enumerate() {
        for other in &found[..i] {
            let pits = puzzle.board.pits().into_iter().zip(other.board.pits());
            assert!(pits.filter(|(a, b)| a != b).count() > 2);
        }
    }
}

#[test]
fn a_filter_finds_only_what_it_names_and_looks_at_every_board_once() {
    let tables = tables(Ruleset::AWARI, 6);
    let boards: u64 = (4..=6)
        .map(|n| LayerIndex::new(Ruleset::AWARI, n).len())
        .sum();
    let mut sum = 0;
    for &theme in Theme::ALL {
        for grade in GRADES {
            let filter = PuzzleFilter {
                theme: Some(theme),
                grade: Some(grade),
            };
            let finder = PuzzleFinder::new(&tables, 4..=6, filter, 1).unwrap();
            assert_eq!(finder.boards_left(), boards);
            let looked_at: Vec<_> = finder.map(Result::unwrap).collect();
            assert_eq!(looked_at.len() as u64, boards);
            for puzzle in looked_at.into_iter().flatten() {
                assert_eq!((puzzle.theme, puzzle.grade), (theme, grade));
                sum += 1;
            }
        }
    }
    assert!(sum > 10, "{sum}");
}

#[test]
fn a_missing_layer_is_named_before_the_search() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let finder = PuzzleFinder::new(&tables, 8..=11, PuzzleFilter::default(), 1);
    let error = finder.unwrap_err().to_string();
    assert!(error.contains("awari with 11 seeds"), "{error}");
}
