//! The certificate accepts every right layer and finds every single wrong
//! entry: each value, bound and distance of small layers is changed in turn.

use krou::rules::{Ruleset, Step};
use krou::solve::certificate::{Certificate, Failure, Flaw};
use krou::solve::{Layer, Plane, Score, Silent, Solver};

fn check(rules: Ruleset, layers: &[Layer], distance: Option<&Plane<u8>>) -> Vec<Failure> {
    let certificate = Certificate {
        rules,
        layers,
        distance,
        most: 3,
    };
    certificate.check(&Silent)
}

#[test]
fn right_layers_are_proven_with_and_without_distances() {
    for (name, rules) in Ruleset::NAMED {
        let mut solver = Solver::new(rules);
        for n in 0..=8 {
            solver.solve_next(&Silent).unwrap();
            let distance = solver.distances(n, &Silent).unwrap().to_plane().unwrap();
            assert_eq!(
                check(rules, &layers(&solver), Some(&distance)),
                [],
                "{name} {n}"
            );
            assert_eq!(check(rules, &layers(&solver), None), [], "{name} {n}");
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
            assert_eq!(
                check(rules, &layers(&solver), Some(&distance)),
                [],
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
                for wrong in -n.cast_signed()..=n.cast_signed() {
                    let wrong = Score::new(wrong);
                    for plane in planes(&layers[usize::from(n)]) {
                        let right = plane(layers.last_mut().unwrap()).get(i);
                        if right == wrong {
                            continue;
                        }
                        plane(layers.last_mut().unwrap()).set(i, wrong);
                        let context = format!("{rules} {:?} {wrong:?}", index.board(i));
                        assert_ne!(check(rules, &layers, Some(&distance)), [], "{context}");
                        assert_ne!(check(rules, &layers, None), [], "{context}");
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
                        assert_ne!(check(rules, &layers, Some(&distance)), []);
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
                    let worth = |step: Step| step.worth(child(&step).map_or(0, Score::value));
                    let best = moves.legal().map(worth).max().or(moves.over()).unwrap();
                    layers[usize::from(n)].value.set(i, Score::new(best));
                }
            }
            let right = solver.layer(n).value.to_plane().unwrap();
            let failures = check(rules, &layers, None);
            assert_eq!(layers[usize::from(n)].value == right, failures.is_empty());
            let holds_itself_up = |f: &Failure| matches!(f.flaw, Flaw::Unfounded { .. });
            unfounded += usize::from(failures.iter().any(holds_itself_up));
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

fn planes(layer: &Layer) -> Vec<PlaneOf> {
    let mut planes: Vec<PlaneOf> = vec![|layer| &mut layer.value];
    if layer.bounds.is_some() {
        planes.push(|layer| &mut layer.bounds.as_mut().unwrap().lower);
        planes.push(|layer| &mut layer.bounds.as_mut().unwrap().upper);
    }
    planes
}
