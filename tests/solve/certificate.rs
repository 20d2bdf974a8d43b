//! The certificate accepts every right layer and finds every single wrong
//! entry: each value, bound and distance of small layers is changed in turn.

use krou::rules::{Board, Ruleset, Step};
use krou::solve::certificate::{Aspect, Certificate, Failure, Flaw, Report};
use krou::solve::{Layer, Plane, Score, Silent, Solver};

fn check(rules: Ruleset, layers: &[Layer], distance: Option<&Plane<u8>>) -> Report {
    let certificate = Certificate {
        rules,
        layers,
        distance,
        most: 3,
    };
    certificate.check(&Silent)
}

fn is_proven(rules: Ruleset, layers: &[Layer], distance: Option<&Plane<u8>>) -> bool {
    let report = check(rules, layers, distance);
    assert_eq!(report.boards == 0, report.failures.is_empty());
    report.boards == 0
}

/// Holds a report to what must be said of a single wrong number: its board leads,
/// and all others that fail follow from it.
#[track_caller]
fn is_found(report: &Report, board: Board, aspect: Aspect, stored: i16) {
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
    for (name, rules) in Ruleset::NAMED {
        let mut solver = Solver::new(rules);
        for n in 0..=8 {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap().to_plane().unwrap();
            let layers = layers(&solver);
            assert!(is_proven(rules, &layers, Some(&distance)), "{name} {n}");
            assert!(is_proven(rules, &layers, None), "{name} {n}");
        }
    }
}

/// Layers large enough for everything that the fast solver does, ripples and
/// many chunks included.
#[test]
fn larger_layers_are_proven() {
    for (rules, seeds) in [
        (Ruleset::AWARI, 11),
        (Ruleset::ABAPA, 10),
        (Ruleset::IFMG, 9),
    ] {
        let mut solver = Solver::new(rules);
        for n in 0..=seeds {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap().to_plane().unwrap();
            assert!(
                is_proven(rules, &layers(&solver), Some(&distance)),
                "{rules} {n}"
            );
        }
    }
}

/// Every board of the layers up to 3 seeds, every other value.
#[test]
fn every_wrong_entry_is_found() {
    for rules in [
        Ruleset::AWARI,
        Ruleset::ABAPA,
        Ruleset::PRATT,
        Ruleset::KALAH,
    ] {
        let mut solver = Solver::new(rules);
        for n in 0..=3_u8 {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap().to_plane().unwrap();
            let mut layers = layers(&solver);
            let index = solver.layer(n).value.index().clone();
            for i in 0..index.len() {
                let board = index.board(i);
                for wrong in -n.cast_signed()..=n.cast_signed() {
                    let stored = i16::from(wrong);
                    let wrong = Score::new(wrong);
                    for (aspect, plane) in planes(&layers[usize::from(n)]) {
                        let right = plane(layers.last_mut().unwrap()).get(i);
                        if right == wrong {
                            continue;
                        }
                        plane(layers.last_mut().unwrap()).set(i, wrong);
                        for distance in [Some(&distance), None] {
                            is_found(&check(rules, &layers, distance), board, aspect, stored);
                        }
                        plane(layers.last_mut().unwrap()).set(i, right);
                    }
                }
                for wrong in [
                    0,
                    1,
                    2,
                    255,
                    distance.get(i) + 1,
                    distance.get(i).wrapping_sub(1),
                ] {
                    if wrong != distance.get(i) {
                        let mut distance = distance.clone();
                        distance.set(i, wrong);
                        let report = check(rules, &layers, Some(&distance));
                        is_found(&report, board, Aspect::Distance, wrong.into());
                    }
                }
            }
        }
    }
}

/// Boards that lead round in a loop hold up many values between them. Sweeps
/// that begin elsewhere than at what endless play is worth find such values:
/// each is that of the best move, and none may pass.
#[test]
fn loops_do_not_hold_themselves_up() {
    let rules = Ruleset::AWARI;
    let mut solver = Solver::new(rules);
    let mut unfounded = 0;
    for n in 0..=7_u8 {
        solver.solve_next(&Silent).unwrap();
        for start in [1, n.cast_signed()] {
            let mut layers = layers(&solver);
            let last = &mut layers[usize::from(n)].value;
            let index = last.index().clone();
            let draws: Vec<u64> = (0..index.len())
                .filter(|&i| last.get(i).value() == 0)
                .collect();
            for &i in &draws {
                last.set(i, Score::new(start.min(n.cast_signed())));
            }
            for _ in 0..200 {
                for &i in &draws {
                    let moves = rules.moves(&index.board(i));
                    let child = |step: &Step| {
                        layers[usize::from(step.board.seeds())]
                            .value
                            .of(&step.board)
                    };
                    let worth = |step: Step| step.value(child(&step).map_or(0, Score::value));
                    let best = moves.legal().map(worth).max().or(moves.over()).unwrap();
                    layers[usize::from(n)].value.set(i, Score::new(best));
                }
            }
            let right = solver.layer(n).value.to_plane().unwrap();
            let report = check(rules, &layers, None);
            assert_eq!(layers[usize::from(n)].value == right, report.boards == 0);
            let holds_itself_up = |f: &Failure| matches!(f.flaw, Flaw::Unfounded { .. });
            unfounded += usize::from(report.failures.iter().any(holds_itself_up));
        }
    }
    assert!(
        unfounded > 0,
        "no sweep has found a loop that holds itself up"
    );
}

/// The layers solved so far, in memory.
fn layers(solver: &Solver) -> Vec<Layer> {
    let layer = |n| solver.layer(n).to_layer().unwrap();
    (0..solver.next_seeds()).map(layer).collect()
}

type PlaneOf = fn(&mut Layer) -> &mut Plane<Score>;

fn planes(layer: &Layer) -> Vec<(Aspect, PlaneOf)> {
    let mut planes: Vec<(Aspect, PlaneOf)> = vec![(Aspect::Value, |layer| &mut layer.value)];
    if layer.bounds.is_some() {
        planes.push((Aspect::Lower, |layer| {
            &mut layer.bounds.as_mut().unwrap().lower
        }));
        planes.push((Aspect::Upper, |layer| {
            &mut layer.bounds.as_mut().unwrap().upper
        }));
    }
    planes
}
