//! The fast solver equals the reference, bit for bit, on every board of every
//! ruleset: values, distances and bounds.

use krou::rules::Ruleset;
use krou::solve::{Silent, Solver, reference};

/// Every combination of choices, all boards up to this many seeds.
const SEEDS: u8 = 8;
/// The named rulesets go further.
const NAMED_SEEDS: u8 = 9;

fn compare(rules: Ruleset, seeds: u8) {
    let truth = reference::solve(rules, seeds);
    let mut solver = Solver::new(rules);
    for n in 0..=seeds {
        solver.solve_next(&Silent).unwrap();
        let distance = solver.distances(n, &Silent).unwrap();
        let layer = solver.layer(n).to_layer().unwrap();
        let index = layer.value.index();
        for i in 0..index.len() {
            let board = index.board(i);
            let truth = truth[&board];
            assert_eq!(layer.value.get(i).value(), truth.value, "{rules} {board:?}");
            assert_eq!(
                u16::from(distance.get(i).unwrap()),
                truth.distance,
                "{rules} {board:?}"
            );
            if let Some(bounds) = &layer.bounds {
                assert_eq!(
                    bounds.lower.get(i).value(),
                    truth.lower,
                    "{rules} {board:?}"
                );
                assert_eq!(
                    bounds.upper.get(i).value(),
                    truth.upper,
                    "{rules} {board:?}"
                );
            }
        }
    }
}

#[test]
fn every_combination_of_choices() {
    for rules in Ruleset::all() {
        compare(rules, SEEDS);
    }
}

#[test]
fn the_named_rulesets_further_up() {
    for (_, rules) in Ruleset::NAMED {
        compare(rules, NAMED_SEEDS);
    }
}
