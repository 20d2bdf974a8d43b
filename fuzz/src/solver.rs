//! The solver against the plain reference: any choices of rules, with or without a memory
//! limit, ended at any moment and resumed from checkpoints.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use krou::internal::solve::reference::{self, Truth};
use krou::rules::Quantity;
use krou::rules::{Board, Ruleset};
use krou::solve::Solver;
use krou::solve::{Observer, Silent, SolveError, Stopped};

/// The most seeds of a layer, and of one in files, which takes four times as long.
const SEEDS: u8 = 3;
const SEEDS_IN_FILES: u8 = 2;

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
    let are_in_files = memory % 8 == 1;
    let most = if are_in_files { SEEDS_IN_FILES } else { SEEDS };
    let seeds = seeds % (most + 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let new_solver = |every| {
        let solver = match are_in_files {
            true => Solver::within(rules, 0, folder.path()),
            false => Solver::new(rules),
        };
        solver.with_checkpoints(folder.path(), every)
    };
    let stops = if are_in_files { 1 } else { 2 };
    for &moment in moments.iter().take(stops) {
        let patience = Patience(AtomicU64::new(moment.into()));
        // It may be finished before.
        match solve(&mut new_solver(Some(Duration::ZERO)), seeds, &patience) {
            Ok(()) | Err(SolveError::Stopped(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    // Saving was tried above, and takes a third of the time.
    let mut solver = new_solver(None);
    solve(&mut solver, seeds, &Silent).expect("all layers");
    compare(&mut solver, rules, seeds);
}

/// Stops the work after so many steps.
struct Patience(AtomicU64);

impl Observer for Patience {
    fn advance(&self, _: u64) -> Result<(), Stopped> {
        let left = |left: u64| left.checked_sub(1);
        let left = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        left.map_or(Err(Stopped), |_| Ok(()))
    }
}

fn solve(solver: &mut Solver, seeds: u8, observer: &dyn Observer) -> Result<(), SolveError> {
    for n in 0..=seeds {
        solver.solve_next(observer)?;
        solver.distances(n, observer)?;
    }
    Ok(())
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
        let right: [fn(&Truth) -> i8; 3] = [
            |truth| truth.value,
            |truth| truth.lower,
            |truth| truth.upper,
        ];
        let quantities = [Quantity::Value, Quantity::Lower, Quantity::Upper];
        for (quantity, right) in quantities.into_iter().zip(right) {
            let Some(array) = layer.quantity(quantity) else {
                continue;
            };
            let reader = array.reader();
            for (i, board) in (0..).zip(layer.index().boards()) {
                let found = reader.at(i).expect("an entry").get();
                let right = right(&truths[&board]);
                assert_eq!(found, right, "{rules} {board:?} {quantity:?}");
            }
        }
    }
    let distances = solver.distances(seeds, &Silent).expect("distances");
    let (layer, distances) = (solver.layer(seeds), distances.reader());
    for (i, board) in (0..).zip(layer.index().boards()) {
        assert_eq!(
            u16::from(distances.at(i).expect("an entry")),
            truths[&board].distance,
            "{rules} {board:?}"
        );
    }
}
