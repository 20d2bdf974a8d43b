//! The certificate accepts every right layer and finds every single wrong
//! entry: each value, bound and distance of small layers is changed in turn.

use krou::internal::solve::certificate::{Aspect, Failure, Flaw, Report};
use krou::rules::Quantity;
use krou::rules::{Board, Ruleset, Step};
use krou::solve::Certificate;
use krou::solve::Silent;
use krou::solve::{Layer, LayerArray, Solver, Value};

use crate::threads::on_one_thread;

pub fn check(rules: Ruleset, layers: &[Layer], distance: Option<&LayerArray<u8>>) -> Report {
    let certificate = Certificate {
        rules,
        layers,
        distance,
        most: 3,
    };
    certificate.check()
}

fn is_proven(rules: Ruleset, layers: &[Layer], distance: Option<&LayerArray<u8>>) -> bool {
    let report = check(rules, layers, distance);
    assert_eq!(report.boards == 0, report.failures.is_empty());
    report.boards == 0
}

/// Checks the report of a single wrong entry: its board comes first, and all other failures
/// follow from it.
#[track_caller]
fn assert_found(report: &Report, board: Board, aspect: Aspect, stored: i16) {
    let leading: Vec<&Failure> = report.failures.iter().filter(|f| !f.follows()).collect();
    match leading[..] {
        [found] => assert_eq!(
            (found.board, found.aspect, found.stored),
            (board, aspect, stored)
        ),
        _ => panic!("{board:?}, {aspect} {stored}: {report:?}"),
    }
    assert_eq!(report.failures[0], *leading[0]);
    assert!(report.boards > 0 && report.failures.len() <= 3);
}

#[test]
fn right_layers_are_proven_with_and_without_distances() {
    for &(name, rules) in Ruleset::NAMED {
        let mut solver = Solver::new(rules);
        for n in 0..=7 {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap();
            let layers = layers(&solver);
            assert!(is_proven(rules, &layers, Some(&distance)), "{name} {n}");
            assert!(is_proven(rules, &layers, None), "{name} {n}");
        }
    }
}

/// These layers are large enough for all parts of the fast solver, such as the worklist and
/// many chunks.
#[test]
fn larger_layers_are_proven() {
    for (rules, seeds) in [
        (Ruleset::AWARI, 10),
        (Ruleset::ABAPA, 9),
        (Ruleset::IFMG, 8),
    ] {
        let mut solver = Solver::new(rules);
        for n in 0..=seeds {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap();
            assert!(
                is_proven(rules, &layers(&solver), Some(&distance)),
                "{rules} {n}"
            );
        }
    }
}

/// Every board of the layers up to 3 seeds, with every other value; in the slow test for three more
/// rulesets.
#[test]
fn every_wrong_entry_is_found() {
    check_every_entry(Ruleset::AWARI, 3);
    check_every_entry(Ruleset::ABAPA, 2);
    check_every_entry(Ruleset::PRATT, 2);
    check_every_entry(Ruleset::KALAH, 2);
}

#[test]
#[ignore = "the same with larger layers: scripts/check-slow runs it"]
fn every_wrong_entry_is_found_with_more_seeds() {
    check_every_entry(Ruleset::ABAPA, 3);
    check_every_entry(Ruleset::PRATT, 3);
    check_every_entry(Ruleset::KALAH, 3);
}

fn check_every_entry(rules: Ruleset, seeds: u8) {
    on_one_thread(|| check_entries(rules, seeds));
}

fn check_entries(rules: Ruleset, seeds: u8) {
    let mut solver = Solver::new(rules);
    for n in 0..=seeds {
        solver.solve_next(&Silent).unwrap();
        let distance = solver.distances(n, &Silent).unwrap();
        let mut layers = layers(&solver);
        let index = solver.layer(n).index().clone();
        for i in 0..index.len() {
            let board = index.board(i);
            for wrong in -n.cast_signed()..=n.cast_signed() {
                let stored = i16::from(wrong);
                let wrong = Value::new(wrong);
                for quantity in [Quantity::Value, Quantity::Lower, Quantity::Upper] {
                    let last = layers.last_mut().unwrap();
                    let Some(array) = last.quantity_mut(quantity) else {
                        continue;
                    };
                    let right = array.get(i);
                    if right == wrong {
                        continue;
                    }
                    array.set(i, wrong);
                    let aspect = Aspect::from(quantity);
                    for distance in [Some(&distance), None] {
                        assert_found(&check(rules, &layers, distance), board, aspect, stored);
                    }
                    let last = layers.last_mut().unwrap();
                    let array = last.quantity_mut(quantity).unwrap();
                    array.set(i, right);
                }
            }
            let right = distance.get(i);
            for wrong in [0, 1, 2, 255, right + 1, right.wrapping_sub(1)] {
                if wrong != right {
                    let mut distance = distance.clone();
                    distance.set(i, wrong);
                    let report = check(rules, &layers, Some(&distance));
                    assert_found(&report, board, Aspect::Distance, wrong.into());
                }
            }
        }
    }
}

/// Sweeps that do not start from the value of endless play find wrong values that support
/// each other in a loop: each is the value of the best move, but none may pass.
#[test]
fn loops_that_support_themselves_are_found() {
    let rules = Ruleset::AWARI;
    let mut solver = Solver::new(rules);
    let mut unfounded = 0;
    for n in 0..=7_u8 {
        solver.solve_next(&Silent).unwrap();
        for start in [1, n.cast_signed()] {
            let mut layers = layers(&solver);
            let index = layers[usize::from(n)].index().clone();
            let last = layers[usize::from(n)].quantity_mut(Quantity::Value);
            let last = last.unwrap();
            let draws: Vec<u64> = (0..index.len())
                .filter(|&i| last.get(i).get() == 0)
                .collect();
            for &i in &draws {
                let start = Value::new(start.min(n.cast_signed()));
                last.set(i, start);
            }
            for _ in 0..200 {
                for &i in &draws {
                    let moves = rules.moves(&index.board(i));
                    let child = |step: &Step| {
                        let layer = &layers[usize::from(step.board.seeds())];
                        layer.value().of(&step.board)
                    };
                    let value = |step: Step| step.value(child(&step).map_or(0, Value::get));
                    let best = moves.legal().map(value).max();
                    let best = best.or(moves.terminal_value()).unwrap();
                    let last = layers[usize::from(n)].quantity_mut(Quantity::Value);
                    last.unwrap().set(i, Value::new(best));
                }
            }
            let right = solver.layer(n).value().as_slice().to_vec();
            let report = check(rules, &layers, None);
            let found = layers[usize::from(n)].value().as_slice().to_vec();
            assert_eq!(found == right, report.boards == 0);
            let supports_itself = |f: &Failure| matches!(f.flaw, Flaw::Unfounded { .. });
            unfounded += usize::from(report.failures.iter().any(supports_itself));
        }
    }
    assert!(unfounded > 0, "no sweep found a loop that supports itself");
}

/// The layers solved so far, in memory.
fn layers(solver: &Solver) -> Vec<Layer> {
    let layer = |n| solver.layer(n).clone();
    (0..solver.next_seeds()).map(layer).collect()
}
