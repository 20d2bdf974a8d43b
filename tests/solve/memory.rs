//! A memory limit changes no result.

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::solve::{LayerArray, Solver, Value, memory_needed};
use krou::table::Kind;
use rayon::prelude::*;

/// Whether an array, perhaps in a file, has the entries of one in memory.
fn same(array: &LayerArray<Value>, right: &LayerArray<Value>) -> bool {
    let byte = |value: Value| value.get().cast_unsigned();
    let mut bytes = vec![0; right.as_slice().len()];
    array.copy_out(0, &mut bytes, byte).unwrap();
    bytes
        .iter()
        .zip(right.as_slice())
        .all(|(&found, &right)| found == byte(right))
}

/// With a memory limit of 0 all arrays of values, bounds and distances are in files, with a
/// little more some of them.
#[test]
fn files_change_no_entry() {
    let scratch = tempfile::tempdir().unwrap();
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let seeds = if name == "awari" { 9 } else { 5 };
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
                assert!(same(other.value(), layer.value()), "{name} {n}");
                if number == 0 {
                    assert_eq!(other.value().bytes_in_memory(), 0);
                }
                if let (Some(bounds), Some(other)) = (layer.bounds(), other.bounds()) {
                    assert!(same(&other.lower, &bounds.lower), "{name} {n}");
                    assert!(same(&other.upper, &bounds.upper), "{name} {n}");
                }
                let other = solver.distances(n, &Silent).unwrap();
                let mut plies = vec![0; distances.as_slice().len()];
                other.copy_out(0, &mut plies, |plies| plies).unwrap();
                assert!(plies == distances.as_slice(), "{name} {n}");
            }
        }
    });
    // The files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}
