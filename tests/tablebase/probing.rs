//! Probe results equal those of the reference solver for every board, indexed or not. Best
//! lines, progress, and threads.

use std::collections::HashMap;

use krou::internal::solve::reference::{self, Truth};
use krou::rules::{Board, Bounds, Next, Ruleset};
use krou::table::{Codec, Kind};
use krou::tablebase::{Loader, Verdict, VerifyOptions};
use krou::tablebase::{ProbeError, Tablebase, VariationEnd};
use rayon::prelude::*;
use tempfile::TempDir;

use crate::support::{self, StepCounter, small_blocks};

fn built(rules: Ruleset, seeds: u8, distance: bool) -> (TempDir, Tablebase) {
    built_with(rules, seeds, distance, Codec::Small)
}

fn built_with(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) -> (TempDir, Tablebase) {
    let folder = support::built(rules, seeds, distance, small_blocks(codec));
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    (folder, tables)
}

#[test]
fn results_equal_the_reference_for_every_board() {
    check_every_board(6);
}

#[test]
#[ignore = "the same with larger layers: scripts/check-slow runs it"]
fn results_equal_the_reference_for_every_board_of_larger_layers() {
    check_every_board(8);
}

/// Every board, including those that are not indexed (from 6 seeds), with every codec and a
/// cache of few tiles, in two rulesets also with none: value, distance and bounds, by single
/// probes and by `probe_all`, and the order of the moves.
fn check_every_board(seeds: u8) {
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let truth = reference::solve(rules, seeds);
        for &codec in Codec::ALL {
            let (_folder, tables) = built_with(rules, seeds, true, codec);
            let name = format!("{name} {codec}");
            let tables = tables.with_cache_bytes(1 << 15);
            assert_results(&tables, &truth, &name);
            // A limit that no memory could hold is none.
            assert_batches(&tables.clone().with_cache_bytes(u64::MAX), &truth);
            // Now each probe decodes no more than it needs, which takes long.
            if [Ruleset::ABAPA, Ruleset::IFMG].contains(&rules) {
                let tables = tables.with_cache_bytes(0);
                assert_results(&tables, &truth, &format!("{name}, nothing kept"));
            }
        }
    });
}

/// Values alone, and those of all moves, of every board.
fn assert_batches(tables: &Tablebase, truth: &HashMap<Board, Truth>) {
    let boards: Vec<Board> = truth.keys().copied().collect();
    let mut values = vec![0; boards.len()];
    assert!(tables.probe_values(&boards, &mut values).is_empty());
    let moves = tables.moves_many(&boards).unwrap();
    for ((board, value), moves) in boards.iter().zip(values).zip(moves) {
        assert_eq!(value, truth[board].value, "{board:?}");
        let best = moves.into_iter().flatten().max();
        let over = || tables.rules().moves(board).terminal_value();
        assert_eq!(best.or_else(over), Some(value), "{board:?}");
    }
}

/// The distance of a board, if it has one.
fn distance(rules: Ruleset, board: &Board, truth: &Truth) -> Option<u8> {
    let is_over = rules.moves(board).terminal_value().is_some();
    let is_known = truth.value != 0 && (truth.distance > 0 || is_over);
    is_known.then(|| truth.distance.try_into().unwrap())
}

fn assert_results(tables: &Tablebase, truth: &HashMap<Board, Truth>, name: &str) {
    let rules = tables.rules();
    let mut boards: Vec<Board> = truth.keys().copied().collect();
    // In this order not every probe needs other tiles.
    boards.sort_unstable_by_key(|board| (board.seeds(), board.pits()));
    let batch = tables.probe_all(&boards);
    for (board, from_batch) in boards.iter().zip(batch) {
        let truth = &truth[board];
        let result = tables.probe(board).unwrap();
        let value = tables.value(board).unwrap();
        assert_eq!(value, result.value, "{name} {board:?}");
        assert_eq!(from_batch.unwrap(), result, "{name} {board:?}");
        assert_eq!(result.value, truth.value, "{name} {board:?}");
        let distance = distance(rules, board, truth);
        assert_eq!(result.distance, distance, "{name} {board:?}");
        let bounds = rules.has_bounds().then_some(Bounds {
            lower: truth.lower,
            upper: truth.upper,
        });
        assert_eq!(result.bounds, bounds, "{name} {board:?}");
        let bounds = bounds.unwrap_or(Bounds::of_value(truth.value));
        assert_eq!(tables.bounds(board).unwrap(), bounds, "{name} {board:?}");
    }
    // Some moves are enough: their results come from the probes above.
    for board in boards.iter().step_by(7) {
        let truth = &truth[board];
        let moves = tables.moves(board).unwrap();
        let results: Vec<_> = moves.iter().map(|m| m.result.unwrap()).collect();
        let is_over = rules.moves(board).terminal_value().is_some();
        assert_eq!(moves.is_empty(), is_over);
        if let Some(best) = results.first() {
            assert_eq!(best.value, truth.value, "{name} {board:?}");
            // Among moves of equal value what is secured comes before the way.
            let mut equal = results.iter().filter(|result| result.value == best.value);
            let distance = distance(rules, board, truth);
            assert!(
                equal.any(|result| result.distance == distance),
                "{name} {board:?}"
            );
            assert!(
                rules.has_bounds() || best.distance == distance,
                "{name} {board:?}"
            );
        }
        for pair in results.windows(2) {
            let worth = |i: usize| (pair[i].value, pair[i].bounds.map(|bounds| bounds.lower));
            assert!(worth(0) >= worth(1));
            if worth(0) == worth(1) && pair[0].value != 0 {
                // A move that a loop alone makes worth as much has the longest way.
                let [first, next] = [0, 1].map(|i: usize| pair[i].distance.map_or(256, u16::from));
                let (hurries, delays) = (first <= next, first >= next);
                assert!(if pair[0].value > 0 { hurries } else { delays });
            }
        }
    }
}

/// With distances a best line reaches the next conversion after as many plies as the
/// distance, and gains the value in the end.
#[test]
fn best_lines_realise_value_and_distance() {
    for rules in [Ruleset::AWARI, Ruleset::PRATT, Ruleset::KALAH] {
        let (_folder, tables) = built(rules, 7, true);
        for n in 1..=7 {
            let index = krou::index::LayerIndex::new(rules, n);
            for i in (0..index.len()).step_by(11) {
                let start = index.board(i);
                let result = tables.probe(&start).unwrap();
                let line = tables.best_line(&start, 1000).unwrap();
                let (mut board, mut gained, mut sign) = (start, 0, 1);
                let mut first_conversion = None;
                for (ply, step) in (1..).zip(&line.steps) {
                    assert_eq!(rules.play(&board, step.pit), Ok(*step));
                    if !step.is_quiet(board.seeds()) {
                        first_conversion = first_conversion.or(Some(ply));
                    }
                    gained += sign * step.gain;
                    board = step.board;
                    sign = if step.next == Next::Opponent {
                        -sign
                    } else {
                        sign
                    };
                }
                let ended_by_a_move = line.steps.last().is_some_and(|s| s.next == Next::Over);
                if line.end == VariationEnd::Over && !ended_by_a_move {
                    gained += sign * rules.moves(&board).terminal_value().unwrap();
                }
                // If no conversion comes first, the end of the line is the end of the game.
                let plies = first_conversion.unwrap_or(line.steps.len() as u8);
                if result.value != 0 {
                    assert_eq!(Some(plies), result.distance, "{rules} {start:?}");
                }
                assert!(
                    matches!(line.end, VariationEnd::Over | VariationEnd::Loop),
                    "{rules} {start:?}"
                );
                assert_eq!(gained, result.value, "{rules} {start:?} {:?}", line.end);
            }
        }
    }
}

#[test]
fn best_lines_end_at_the_length_limit_or_at_a_missing_layer() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let board: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse().unwrap();
    let line = tables.best_line(&board, 3).unwrap();
    assert_eq!((line.steps.len(), line.end), (3, VariationEnd::Length));
    let line = tables.best_line(&Board::START, 3).unwrap();
    assert_eq!((line.steps.len(), line.end), (0, VariationEnd::Missing));
}

#[test]
fn errors_name_the_missing_layer() {
    let (_folder, tables) = built(Ruleset::ABAPA, 4, false);
    let five: Board = "1 1 1 0 0 0 / 1 1 0 0 0 0".parse().unwrap();
    match tables.probe(&five) {
        Err(ProbeError::Missing(missing)) => {
            assert_eq!(missing.rules, Ruleset::ABAPA);
            assert_eq!((missing.seeds, missing.kind), (5, Kind::Value));
        }
        other => panic!("{other:?}"),
    }
    let moves = tables.moves(&five).unwrap();
    assert!(!moves.is_empty() && moves.iter().all(|m| m.result.is_none()));
    assert_eq!(tables.layers().iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // Without a distance table there are no distances.
    let four: Board = "1 1 0 0 0 0 / 1 1 0 0 0 0".parse().unwrap();
    assert_eq!(tables.probe(&four).unwrap().distance, None);
}

/// So that a progress bar ends where it should.
#[test]
fn verification_reports_as_many_steps_as_announced() {
    for (rules, distance) in [
        (Ruleset::AWARI, true),
        (Ruleset::AWARI, false),
        (Ruleset::AWALE, true),
        (Ruleset::AWALE, false),
        (Ruleset::IFMG, false),
    ] {
        let (_folder, tables) = built(rules, 6, distance);
        for sample in [None, Some(100)] {
            let options = VerifyOptions {
                sample,
                ..VerifyOptions::new(6)
            };
            let steps = StepCounter::default();
            let right = |verdict: Verdict| assert!(verdict.is_right(), "{verdict:?}");
            tables.verify(&options, &steps, right).unwrap();
            assert_eq!(steps.by_layer(), tables.verify_steps(&options));
        }
    }
}

/// A low layer that is read after a high one equals one that is read before it.
#[test]
fn layers_are_read_in_any_order() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH] {
        let seeds = if rules == Ruleset::AWARI { 9 } else { 7 };
        let (_folder, tables) = built(rules, seeds, true);
        let distances = |loader: &mut Loader<'_>, n| {
            let distances = loader.distances(n).unwrap().unwrap();
            distances.as_slice().to_vec()
        };
        let mut ascending = tables.loader();
        let mut descending = tables.loader();
        descending.load(seeds).unwrap();
        for n in 0..=seeds {
            assert!(
                distances(&mut ascending, n) == distances(&mut descending, n),
                "{rules} {n}"
            );
        }
    }
}

#[test]
fn threads_share_a_tablebase() {
    let rules = Ruleset::AWARI;
    let (_folder, tables) = built(rules, 7, true);
    let tables = tables.with_cache_bytes(2000);
    let index = krou::index::LayerIndex::new(rules, 7);
    let expected: Vec<_> = (0..index.len())
        .step_by(5)
        .map(|i| tables.probe(&index.board(i)).unwrap())
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (tables, index, expected) = (&tables, &index, &expected);
            scope.spawn(move || {
                // Each thread begins elsewhere, so that they read different blocks.
                let order = (0..expected.len())
                    .cycle()
                    .skip(thread * 700)
                    .take(expected.len());
                for number in order {
                    let board = index.board(number as u64 * 5);
                    assert_eq!(tables.probe(&board).unwrap(), expected[number]);
                }
            });
        }
    });
}
