//! The tablebase as a library: every board, indexed or not, lines, folders and
//! threads, held against the reference solver.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use krou::rules::{Board, Bounds, Next, Ruleset};
use krou::solve::reference::{self, Truth};
use krou::solve::{Observer, Phase, Silent};
use krou::table::{Codec, Kind, WriteOptions};
use krou::tablebase::{
    BuildOptions, Loader, ProbeError, Tablebase, VariationEnd, Verdict, VerifyOptions, build,
};
use rayon::prelude::*;
use tempfile::TempDir;

fn build_in(rules: Ruleset, folder: &Path, seeds: u8, distance: bool, codec: Codec) {
    let options = BuildOptions::new(seeds)
        .with_distance(distance)
        // Small blocks, so that there are many.
        .with_write(
            WriteOptions::new(codec).with_block_size(if codec.is_exact() { 100 } else { 3 }),
        );
    build(rules, folder, &options, &Silent).unwrap();
}

fn built(rules: Ruleset, seeds: u8, distance: bool) -> (TempDir, Tablebase) {
    built_with(rules, seeds, distance, Codec::Small)
}

fn built_with(rules: Ruleset, seeds: u8, distance: bool, codec: Codec) -> (TempDir, Tablebase) {
    let folder = tempfile::tempdir().unwrap();
    build_in(rules, folder.path(), seeds, distance, codec);
    let tables = Tablebase::open(rules, &[folder.path()]).unwrap();
    (folder, tables)
}

/// Every board up to 8 seeds, those outside the index too (from 6 seeds on), with
/// every codec and a cache that holds few pieces: value, distance and bounds, one
/// by one, by a prober and all at once, and the order of the moves.
#[test]
fn every_board_is_answered_as_the_reference_says() {
    const SEEDS: u8 = 8;
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let truth = reference::solve(rules, SEEDS);
        for codec in Codec::ALL {
            let (_folder, tables) = built_with(rules, SEEDS, true, codec);
            let name = format!("{name} {codec}");
            answers_as(&tables.with_cache_bytes(1 << 15), &truth, &name);
        }
    });
}

fn answers_as(tables: &Tablebase, truth: &HashMap<Board, Truth>, name: &str) {
    let rules = tables.rules();
    let mut prober = tables.prober();
    let mut boards: Vec<Board> = truth.keys().copied().collect();
    // Neighbours, so that not every probe needs other pieces of the tables.
    boards.sort_unstable_by_key(|board| (board.seeds(), board.pits()));
    let at_once = tables.probe_all(&boards);
    for (board, at_once) in boards.iter().zip(at_once) {
        let truth = &truth[board];
        let worth = tables.probe(board).unwrap();
        assert_eq!(prober.probe(board).unwrap(), worth, "{name} {board:?}");
        assert_eq!(
            prober.value(board).unwrap(),
            worth.value,
            "{name} {board:?}"
        );
        assert_eq!(at_once.unwrap(), worth, "{name} {board:?}");
        assert_eq!(worth.value, truth.value, "{name} {board:?}");
        let distance = (truth.value != 0).then_some(truth.distance);
        assert_eq!(worth.distance.map(u16::from), distance, "{name} {board:?}");
        let bounds = rules.has_bounds().then_some(Bounds {
            lower: truth.lower,
            upper: truth.upper,
        });
        assert_eq!(worth.bounds, bounds, "{name} {board:?}");
    }
    // Of the moves a stride is enough: they are made of the above.
    for board in boards.iter().step_by(7) {
        let truth = &truth[board];
        let moves = tables.moves(board).unwrap();
        let worths: Vec<_> = moves.iter().map(|m| m.result.unwrap()).collect();
        assert_eq!(moves.is_empty(), rules.moves(board).over().is_some());
        if let Some(best) = worths.first() {
            assert_eq!(best.value, truth.value, "{name} {board:?}");
            let distance = (truth.value != 0).then_some(truth.distance);
            assert_eq!(best.distance.map(u16::from), distance, "{name} {board:?}");
        }
        for pair in worths.windows(2) {
            assert!(pair[0].value >= pair[1].value);
            if pair[0].value == pair[1].value && pair[0].value != 0 {
                let hurries = pair[0].distance <= pair[1].distance;
                let delays = pair[0].distance >= pair[1].distance;
                assert!(if pair[0].value > 0 { hurries } else { delays });
            }
        }
    }
}

/// With distances a best line gets to the next capture in as many plies as
/// were told, capture after capture, and takes what the value says.
#[test]
fn best_lines_keep_what_the_value_says() {
    for rules in [Ruleset::AWARI, Ruleset::PRATT, Ruleset::KALAH] {
        let (_folder, tables) = built(rules, 7, true);
        for n in 1..=7 {
            let index = krou::index::LayerIndex::new(rules, n);
            for i in (0..index.len()).step_by(11) {
                let start = index.board(i);
                let worth = tables.probe(&start).unwrap();
                let line = tables.best_line(&start, 1000).unwrap();
                let (mut board, mut taken, mut sign) = (start, 0, 1);
                let mut first_gain = None;
                for (ply, step) in (1..).zip(&line.steps) {
                    assert_eq!(rules.play(&board, step.pit), Ok(*step));
                    if !step.is_quiet(board.seeds()) {
                        first_gain = first_gain.or(Some(ply));
                    }
                    taken += sign * step.gain;
                    board = step.board;
                    sign = if step.next == Next::Opponent {
                        -sign
                    } else {
                        sign
                    };
                }
                let ended_by_a_move = line.steps.last().is_some_and(|s| s.next == Next::Over);
                if line.end == VariationEnd::Over && !ended_by_a_move {
                    taken += sign * rules.moves(&board).over().unwrap();
                }
                // Over before a capture: the line is as long as the distance.
                let plies = first_gain.unwrap_or(line.steps.len() as u8);
                if worth.value != 0 {
                    assert_eq!(Some(plies), worth.distance, "{rules} {start:?}");
                }
                assert!(
                    matches!(line.end, VariationEnd::Over | VariationEnd::Loop),
                    "{rules} {start:?}"
                );
                assert_eq!(taken, worth.value, "{rules} {start:?} {:?}", line.end);
            }
        }
    }
}

#[test]
fn a_line_ends_where_it_is_told_to_or_nothing_is_known() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let board: Board = "0 1 1 0 2 2 / 0 1 0 1 1 0".parse().unwrap();
    let line = tables.best_line(&board, 3).unwrap();
    assert_eq!((line.steps.len(), line.end), (3, VariationEnd::Length));
    let line = tables.best_line(&Board::START, 3).unwrap();
    assert_eq!((line.steps.len(), line.end), (0, VariationEnd::Missing));
}

#[test]
fn missing_layers_are_named() {
    let (_folder, tables) = built(Ruleset::ABAPA, 4, false);
    let five: Board = "1 1 1 0 0 0 / 1 1 0 0 0 0".parse().unwrap();
    match tables.probe(&five) {
        Err(ProbeError::Missing {
            rules, seeds, kind, ..
        }) => {
            assert_eq!((rules, seeds, kind), (Ruleset::ABAPA, 5, Kind::Value));
        }
        other => panic!("{other:?}"),
    }
    let moves = tables.moves(&five).unwrap();
    assert!(!moves.is_empty() && moves.iter().all(|m| m.result.is_none()));
    assert_eq!(tables.layers().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // No distances were built, and none are made up.
    let four: Board = "1 1 0 0 0 0 / 1 1 0 0 0 0".parse().unwrap();
    assert_eq!(tables.probe(&four).unwrap().distance, None);
}

/// Counts what a verification says it has done.
#[derive(Default)]
struct Steps(Mutex<(u8, Vec<u64>)>);

impl Observer for Steps {
    fn begins(&self, seeds: u8, _: Phase, _: u64) {
        let mut steps = self.0.lock().unwrap();
        steps.0 = seeds;
        steps.1.resize(usize::from(seeds) + 1, 0);
    }

    fn advance(&self, boards: u64) {
        let mut steps = self.0.lock().unwrap();
        let seeds = usize::from(steps.0);
        steps.1[seeds] += boards;
    }
}

/// A bar that follows a verification never stands still until it jumps, and ends
/// where it should.
#[test]
fn a_verification_does_as_many_steps_as_it_says() {
    for (rules, distance) in [
        (Ruleset::AWARI, true),
        (Ruleset::AWARI, false),
        (Ruleset::AWALE, true),
        (Ruleset::AWALE, false),
        (Ruleset::IFMG, false),
    ] {
        let (_folder, tables) = built(rules, 6, distance);
        for sample in [None, Some(100)] {
            let options = VerifyOptions::new(6).with_sample(sample);
            let steps = Steps::default();
            let right = |verdict: Verdict| assert!(verdict.is_right(), "{verdict:?}");
            tables.verify(&options, &steps, right).unwrap();
            assert_eq!(steps.0.lock().unwrap().1, tables.verify_steps(&options));
        }
    }
}

/// Whole layers in any order: what is read of a low layer after high ones is the
/// same as before them.
#[test]
fn layers_are_read_in_any_order() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH] {
        let seeds = if rules == Ruleset::AWARI { 13 } else { 8 };
        let (_folder, tables) = built(rules, seeds, true);
        let distances = |loader: &mut Loader<'_>, n| {
            let distances = loader.distances(n).unwrap().unwrap();
            distances.to_vec().unwrap()
        };
        let mut upwards = tables.loader();
        let mut after = tables.loader();
        after.load(seeds).unwrap();
        for n in 0..=seeds {
            assert!(
                distances(&mut upwards, n) == distances(&mut after, n),
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
    let alone: Vec<_> = (0..index.len())
        .step_by(5)
        .map(|i| tables.probe(&index.board(i)).unwrap())
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (tables, index, alone) = (&tables, &index, &alone);
            scope.spawn(move || {
                // Each begins elsewhere, so that they ask for different blocks.
                let order = (0..alone.len())
                    .cycle()
                    .skip(thread * 700)
                    .take(alone.len());
                for place in order {
                    let board = index.board(place as u64 * 5);
                    assert_eq!(tables.probe(&board).unwrap(), alone[place]);
                }
            });
        }
    });
}
