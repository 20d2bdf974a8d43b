//! A memory budget changes no result.

use krou::rules::Ruleset;
use krou::solve::{LayerArray, Silent, Solver};
use rayon::prelude::*;

fn entries<E: krou::solve::SpillEntry>(array: &LayerArray<E>) -> Vec<E> {
    array.to_vec().unwrap()
}

/// With a memory budget of 0 every section, line and lower layer of values, bounds and
/// distances comes from disk.
#[test]
fn spill_files_change_no_entry() {
    let scratch = tempfile::tempdir().unwrap();
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let seeds = if name == "awari" { 10 } else { 6 };
        let mut unlimited = Solver::new(rules);
        let mut limited = Solver::within(rules, 0, scratch.path());
        for n in 0..=seeds {
            unlimited.solve_next(&Silent).unwrap();
            limited.solve_next(&Silent).unwrap();
            let [one, other] = [&unlimited, &limited].map(|solver| solver.layer(n));
            assert!(entries(one.value()) == entries(other.value()), "{name} {n}");
            // Of spilled entries, only where they are.
            let sections = u64::from(n) + 1;
            let most = 256 * (sections + other.value().index().len() / 65_536);
            assert!(other.value().bytes_in_memory() <= most, "{name} {n}");
            if let (Some(one), Some(other)) = (one.bounds(), other.bounds()) {
                assert!(entries(&one.lower) == entries(&other.lower), "{name} {n}");
                assert!(entries(&one.upper) == entries(&other.upper), "{name} {n}");
            }
            let [one, other] =
                [&mut unlimited, &mut limited].map(|solver| solver.distances(n, &Silent).unwrap());
            assert!(entries(&one) == entries(&other), "{name} {n}");
        }
    });
    // Spill files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}
