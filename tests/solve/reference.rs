//! The solver equals the reference solver on every board of every ruleset: values, distances
//! and bounds.

use krou::internal::solve::reference;
use krou::rules::Quantity;
use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::solve::Solver;

/// The highest layer for every combination of choices, and the one for the slow test.
const SEEDS: [u8; 2] = [5, 6];
/// The same for the named rulesets.
const NAMED_SEEDS: [u8; 2] = [6, 10];

fn compare(rules: Ruleset, seeds: u8) {
    let truth = reference::solve(rules, seeds);
    let mut solver = Solver::new(rules);
    for n in 0..=seeds {
        solver.solve_next(&Silent).unwrap();
        let distance = solver.distances(n, &Silent).unwrap();
        let layer = solver.layer(n).clone();
        let index = layer.index();
        for i in 0..index.len() {
            let board = index.board(i);
            let truth = truth[&board];
            let quantities = [
                (Quantity::Value, truth.value),
                (Quantity::Lower, truth.lower),
                (Quantity::Upper, truth.upper),
            ];
            for (quantity, right) in quantities {
                if let Some(array) = layer.quantity(quantity) {
                    let found = array.get(i).get();
                    assert_eq!(found, right, "{rules} {board:?} {quantity:?}");
                }
            }
            let plies = u16::from(distance.get(i));
            assert_eq!(plies, truth.distance, "{rules} {board:?}");
        }
    }
}

#[test]
fn every_combination_of_choices_matches_the_reference() {
    for rules in Ruleset::all() {
        compare(rules, SEEDS[0]);
    }
}

#[test]
fn named_rulesets_match_the_reference() {
    for &(_, rules) in Ruleset::NAMED {
        compare(rules, NAMED_SEEDS[0]);
    }
}

#[test]
#[ignore = "the same with larger layers: scripts/check-slow runs it"]
fn rulesets_match_the_reference_with_more_seeds() {
    for rules in Ruleset::all() {
        compare(rules, SEEDS[1]);
    }
    for &(_, rules) in Ruleset::NAMED {
        compare(rules, NAMED_SEEDS[1]);
    }
}
