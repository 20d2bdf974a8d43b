//! Little memory changes how long solving takes, and nothing else.

use krou::rules::Ruleset;
use krou::solve::{Silent, Solver, Store};

fn entries<E: krou::solve::Stored>(store: &Store<E>) -> Vec<E> {
    store.to_plane().unwrap().iter().collect()
}

/// With no memory for planes at all every block, line and lower layer comes
/// from disk, in values, bounds and distances.
#[test]
fn everything_on_disk_is_the_same() {
    let scratch = tempfile::tempdir().unwrap();
    for (name, rules) in Ruleset::NAMED {
        let seeds = if name == "awari" { 11 } else { 8 };
        let mut free = Solver::new(rules);
        let mut bound = Solver::within(rules, 0, scratch.path());
        for n in 0..=seeds {
            free.solve_next(&Silent).unwrap();
            bound.solve_next(&Silent).unwrap();
            let [one, other] = [&free, &bound].map(|solver| solver.layer(n));
            assert!(entries(&one.value) == entries(&other.value), "{name} {n}");
            assert_eq!(other.value.bytes_in_memory(), 0, "{name} {n}");
            if let (Some(one), Some(other)) = (&one.bounds, &other.bounds) {
                for (one, other) in one.iter().zip(other) {
                    assert!(entries(one) == entries(other), "{name} {n}");
                }
            }
            let [one, other] =
                [&mut free, &mut bound].map(|solver| solver.distances(n, &Silent).unwrap());
            assert!(entries(&one) == entries(&other), "{name} {n}");
        }
    }
    // Scratch files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}
