//! The solver against the plain reference: any choices of rules, with or without a memory
//! limit, ended at any moment and resumed from checkpoints.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use krou::internal::rules::Quantity;
use krou::internal::solve::Solver;
use krou::internal::solve::reference::{self, Truth};
use krou::rules::{Board, Ruleset};
use krou::solve::{Observer, Silent, Stoppable};

/// The most seeds of a layer.
const SEEDS: u8 = 5;

/// The reference's answers, which take longer than the solver's.
static TRUTHS: Mutex<Vec<(Ruleset, HashMap<Board, Truth>)>> = Mutex::new(Vec::new());

/// Two bytes select the ruleset, one the layer, one the memory limit; each further byte is a
/// moment at which the work is ended, to be resumed.
pub fn run(data: &[u8]) {
    let Some(([low, high, seeds, memory], moments)) = data.split_first_chunk() else {
        return;
    };
    let all: Vec<Ruleset> = Ruleset::all().collect();
    let rules = all[usize::from(u16::from_le_bytes([*low, *high])) % all.len()];
    let seeds = seeds % (SEEDS + 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let new_solver = || {
        let solver = if memory % 2 == 0 {
            Solver::new(rules)
        } else {
            // All arrays are in mapped files.
            Solver::within(rules, 0, folder.path())
        };
        solver.with_checkpoints(folder.path(), Some(Duration::ZERO))
    };
    for &moment in moments.iter().take(8) {
        let (calls, rings) = (AtomicU64::new(0), AtomicBool::new(false));
        let count = |_| {
            let is_due = calls.fetch_add(1, Ordering::Relaxed) == u64::from(moment);
            rings.fetch_or(is_due, Ordering::Relaxed);
        };
        // It may be finished before.
        let _ = Stoppable::new(&count, &rings).run(|observer| {
            solve(&mut new_solver(), seeds, observer);
        });
    }
    let mut solver = new_solver();
    solve(&mut solver, seeds, &Silent);
    compare(&mut solver, rules, seeds);
}

fn solve(solver: &mut Solver, seeds: u8, observer: &dyn Observer) {
    for n in 0..=seeds {
        solver.solve_next(observer).expect("a layer");
        solver.distances(n, observer).expect("distances");
    }
}

/// Compares all layers with the reference.
fn compare(solver: &mut Solver, rules: Ruleset, seeds: u8) {
    let mut truths = TRUTHS.lock().unwrap_or_else(PoisonError::into_inner);
    if !truths.iter().any(|(known, _)| *known == rules) {
        truths.push((rules, reference::solve(rules, SEEDS)));
    }
    let known = truths.iter().find(|(known, _)| *known == rules);
    let (_, truths) = known.expect("it was added");
    for n in 0..=seeds {
        let layer = solver.layer(n);
        for (i, board) in (0..).zip(layer.index().boards()) {
            let truth = truths[&board];
            for (quantity, right) in [
                (Quantity::Value, truth.value),
                (Quantity::Lower, truth.lower),
                (Quantity::Upper, truth.upper),
            ] {
                if let Some(array) = layer.quantity(quantity) {
                    assert_eq!(array.get(i).get(), right, "{rules} {board:?} {quantity:?}");
                }
            }
        }
    }
    let distances = solver.distances(seeds, &Silent).expect("distances");
    let layer = solver.layer(seeds);
    for (i, board) in (0..).zip(layer.index().boards()) {
        assert_eq!(
            u16::from(distances.get(i)),
            truths[&board].distance,
            "{rules} {board:?}"
        );
    }
}
