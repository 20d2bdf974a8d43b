//! A memory limit changes no result.

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::solve::{Solver, memory_needed};
use krou::table::Kind;
use rayon::prelude::*;

/// With a memory limit of 0 all arrays of values, bounds and distances are in files, with a
/// little more some of them.
#[test]
fn files_change_no_entry() {
    let scratch = tempfile::tempdir().unwrap();
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let seeds = if name == "awari" { 10 } else { 6 };
        let mut unlimited = Solver::new(rules);
        let least = memory_needed(rules, seeds, Kind::ALL);
        let mut limited = [0, least, least + (1 << 17), least + (1 << 20)]
            .map(|bytes| Solver::within(rules, bytes, scratch.path()));
        for n in 0..=seeds {
            unlimited.solve_next(&Silent).unwrap();
            let distances = unlimited.distances(n, &Silent).unwrap();
            let layer = unlimited.layer(n);
            for (number, solver) in limited.iter_mut().enumerate() {
                solver.solve_next(&Silent).unwrap();
                let other = solver.layer(n);
                let same = other.value().as_slice() == layer.value().as_slice();
                assert!(same, "{name} {n}");
                if number == 0 {
                    assert_eq!(other.value().bytes_in_memory(), 0);
                }
                if let (Some(bounds), Some(other)) = (layer.bounds(), other.bounds()) {
                    assert!(
                        bounds.lower.as_slice() == other.lower.as_slice(),
                        "{name} {n}"
                    );
                    assert!(
                        bounds.upper.as_slice() == other.upper.as_slice(),
                        "{name} {n}"
                    );
                }
                let other = solver.distances(n, &Silent).unwrap();
                assert!(other.as_slice() == distances.as_slice(), "{name} {n}");
            }
        }
    });
    // The files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}
