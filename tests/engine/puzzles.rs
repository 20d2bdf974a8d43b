//! Puzzles, checked with the plain rules and a probe of each board.

use std::collections::HashSet;

use krou::engine::{Engine, Limits};
use krou::index::LayerIndex;
use krou::puzzles::{GRADES, Goal, Puzzle, PuzzleFilter, PuzzleFinder, Theme};
use krou::rules::{Board, Bounds, Next, Ruleset, Step};
use krou::tablebase::Tablebase;

use crate::support::{game, small_hash, tables};

/// The first puzzles that a finder finds.
fn puzzles(tables: &Tablebase, filter: PuzzleFilter, seed: u64, count: usize) -> Vec<Puzzle> {
    let highest = tables.highest_layer().unwrap();
    let finder = PuzzleFinder::new(tables, 4..=highest, filter, seed).unwrap();
    finder.filter_map(Result::unwrap).take(count).collect()
}

/// The value and the bounds of a move, captures included.
fn worth(tables: &Tablebase, step: &Step) -> (i8, Bounds) {
    let Step { gain, board, .. } = *step;
    let exact = |value| Bounds {
        lower: value,
        upper: value,
    };
    if step.next == Next::Over {
        return (gain, exact(gain));
    }
    let child = tables.probe(&board).unwrap();
    let bounds = child.bounds.unwrap_or(exact(child.value));
    if step.next == Next::Again {
        let Bounds { lower, upper } = bounds;
        let (lower, upper) = (gain + lower, gain + upper);
        return (gain + child.value, Bounds { lower, upper });
    }
    let (lower, upper) = (gain - bounds.upper, gain - bounds.lower);
    (gain - child.value, Bounds { lower, upper })
}

/// Checks that the moves of a puzzle are all legal ones with their values, and that it has one
/// solution.
fn check_proof(tables: &Tablebase, puzzle: &Puzzle) {
    let moves = tables.rules().moves(&puzzle.board);
    assert_eq!(moves.legal().count(), puzzle.moves.len());
    for m in &puzzle.moves {
        assert_eq!(moves.by_pit()[usize::from(m.step.pit)], Ok(m.step));
        assert_eq!((m.value, m.bounds), worth(tables, &m.step));
    }
    assert!(puzzle.moves.is_sorted_by(|a, b| a.value >= b.value));
    let [solution, others @ ..] = &puzzle.moves[..] else {
        panic!("no moves");
    };
    let value = solution.value;
    assert_eq!(
        (solution.bounds.lower, solution.bounds.upper),
        (value, value)
    );
    assert!(value >= 0);
    let result = value.signum();
    let all = |holds: &dyn Fn(i8) -> bool| others.iter().all(|m| holds(m.bounds.upper));
    let is_sure = all(&|upper| upper.signum() < result);
    if puzzle.theme == Theme::LoopTrap {
        assert_eq!(puzzle.goal, Goal::Result);
        assert!(!is_sure && !all(&|upper| upper < value));
        assert!(others.iter().all(|m| m.value.signum() < result));
        assert!(others.iter().all(|m| m.bounds.lower.signum() < result));
    } else if puzzle.goal == Goal::Result {
        assert!(is_sure);
    } else {
        assert!(!is_sure && all(&|upper| upper < value));
    }
}

/// Checks that the line begins with the solution, that each move of it is legal and keeps the
/// value, and that it ends where it should.
fn check_line(tables: &Tablebase, puzzle: &Puzzle) {
    assert_eq!(puzzle.line[0], puzzle.moves[0].step);
    assert!(puzzle.line.len() <= 12);
    let mut seen = HashSet::from([puzzle.board]);
    let (mut board, mut left) = (puzzle.board, puzzle.moves[0].value);
    for (ply, step) in puzzle.line.iter().enumerate() {
        assert!(ply == 0 || left != 0 || board.seeds() == puzzle.board.seeds());
        assert_eq!(tables.rules().play(&board, step.pit), Ok(*step));
        let (value, bounds) = worth(tables, step);
        assert_eq!((value, bounds.lower, bounds.upper), (left, left, left));
        left -= step.gain;
        if step.next != Next::Again {
            left = -left;
        }
        board = step.board;
        assert!(step.next == Next::Over || seen.insert(board));
    }
    if puzzle.line.len() < 12 {
        let has_captured = board.seeds() < puzzle.board.seeds();
        let moves = tables.rules().moves(&board);
        let keeps = |step: &Step| {
            worth(tables, step).1
                == Bounds {
                    lower: left,
                    upper: left,
                }
        };
        let leads_back = |step: Step| !keeps(&step) || seen.contains(&step.board);
        let is_over = moves.over().is_some() || board == Board::EMPTY;
        assert!(is_over || left == 0 && has_captured || moves.legal().all(leads_back));
    }
    let is_quiet = board.seeds() == puzzle.board.seeds();
    assert!(!is_quiet || puzzle.theme == Theme::HoldTheDraw);
}

/// The theme by the definitions of `docs/puzzles.md`; a loop trap is checked with the proof.
fn theme(tables: &Tablebase, puzzle: &Puzzle) -> Theme {
    let Puzzle { board, line, .. } = puzzle;
    let (solution, last) = (&puzzle.moves[0], &line[line.len() - 1]);
    let pass = |board: &Board| {
        let result = tables.probe(&board.turned()).unwrap();
        -result.bounds.map_or(result.value, |bounds| bounds.upper)
    };
    let upper = |board: &Board| {
        let result = tables.probe(board).unwrap();
        result.bounds.map_or(result.value, |bounds| bounds.upper)
    };
    let is_stuck = last.board.seeds() > 0 && tables.rules().moves(&last.board).legal().count() == 0;
    if puzzle.theme == Theme::LoopTrap {
        Theme::LoopTrap
    } else if puzzle.goal == Goal::Result && solution.value <= 1 {
        [Theme::HoldTheDraw, Theme::WinByOne][usize::from(solution.value == 1)]
    } else if board.opponent() == [0; 6] || line.len() <= 3 && is_stuck {
        Theme::FeedOrStarve
    } else if solution.step.next == Next::Opponent
        && solution.step.board.seeds() == board.seeds()
        && upper(&solution.step.board) < pass(&solution.step.board)
    {
        Theme::Zugzwang
    } else if solution.step.captured > 0 {
        Theme::Capture
    } else if puzzle.moves.iter().any(|m| m.step.captured > 0) {
        Theme::RefuseACapture
    } else {
        Theme::Quiet
    }
}

/// Checks that a search of one ply and one of two prefer another move.
fn check_depth(engine: &mut Engine, puzzle: &Puzzle) {
    let game = game(engine.rules(), puzzle.board);
    engine.clear_hash();
    let limits = Limits::default().with_depth(2);
    let solution = puzzle.moves[0].step.pit;
    let stop = std::sync::atomic::AtomicBool::new(false);
    engine.search(&game, &limits, &stop, &mut |report| {
        assert_ne!(report.pv[0], solution, "{}", puzzle.board.notation());
    });
    assert!(GRADES.contains(&puzzle.grade));
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
        let mut engine = Engine::new(rules, None, small_hash());
        let puzzles = puzzles(&tables, PuzzleFilter::default(), 1, 60);
        for puzzle in &puzzles {
            let seeds = puzzle.board.seeds();
            let index = LayerIndex::new(rules, seeds);
            assert!(index.index(&puzzle.board).is_some());
            check_proof(&tables, puzzle);
            check_line(&tables, puzzle);
            assert_eq!(puzzle.theme, theme(&tables, puzzle));
            check_depth(&mut engine, puzzle);
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
    for theme in Theme::ALL {
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
