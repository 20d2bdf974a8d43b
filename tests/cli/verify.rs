//! `krou verify`: intact tables pass, and a single wrong entry is found and named even if
//! all checksums are right.

use std::path::Path;

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::table::{Kind, TableId};
use tempfile::TempDir;

use crate::support::{
    Ended, build_in, built, call, call_in, ended, id, krou_in, read_planes, words, write_planes,
};

/// Failures that are listed for each layer.
const SHOWN: usize = 10;

fn verify(place: &TempDir, rules: Ruleset, more: &str) -> Ended {
    let line = format!("verify --rules {rules} {more}");
    call_in(place.path(), &words(&line))
}

#[test]
fn intact_tables_pass() {
    let embedded = call(&["verify"]).good();
    assert_eq!(embedded.lines().count(), 10);
    assert!(
        embedded.ends_with("awari, 9 seeds: 167596 boards right\n"),
        "{embedded}"
    );
    for (_, rules) in Ruleset::NAMED {
        for distance in ["", "--distance"] {
            let place = built(&format!("--seeds 5 --rules {rules} {distance}"));
            let told = verify(&place, rules, "").good();
            assert_eq!(told.lines().count(), 6, "{told}");
            assert!(
                told.lines().all(|line| line.ends_with(" boards right")),
                "{told}"
            );
        }
    }
}

/// A sample is more than all boards of the smallest layers: those are checked in full,
/// and for the others it is said that they are not.
fn says_so(told: &str) {
    for (seeds, line) in told.lines().enumerate() {
        let expected = if seeds < 2 { "right" } else { "not ruled out" };
        assert!(line.contains(expected), "{told}");
    }
    assert_eq!(told.lines().count(), 5);
}

#[test]
fn seeds_and_sample_limit_the_work() {
    let told = call(&words("verify --seeds 3")).good();
    assert_eq!(told.lines().count(), 4);
    // With distances a sample can find every kind of error.
    let told = call(&words("verify --seeds 6 --sample 50")).good();
    let expected = "6 seeds: 50 random boards consistent, distances too\n";
    assert!(told.ends_with(expected), "{told}");
    // Without them, and for bounds, the line says that it cannot.
    let plain = built("--seeds 4");
    let told = verify(&plain, Ruleset::AWARI, "--sample 20").good();
    says_so(&told);
    let bounds = built("--seeds 4 --rules abapa --distance");
    let told = verify(&bounds, Ruleset::ABAPA, "--sample 20").good();
    says_so(&told);
}

#[test]
fn missing_layers_are_not_reported_as_right() {
    let told = call(&words("verify --seeds 12")).refused();
    assert!(
        told.contains("10 seeds") && told.contains("--seeds 12"),
        "{told}"
    );
    let none = call(&words("verify --rules abapa")).refused();
    assert!(none.contains("abapa"), "{none}");
}

/// Possible entries that differ from the right one.
fn others(id: TableId, planes: &[Vec<u8>], plane: usize, entry: usize) -> Vec<u8> {
    let now = planes[plane][entry];
    if id.kind == Kind::Distance {
        return vec![now.wrapping_add(2)];
    }
    let now = now.cast_signed();
    let possible = |wrong: &i8| {
        let bound = |plane: usize| planes[plane][entry].cast_signed();
        wrong.unsigned_abs() <= id.seeds
            && match (id.kind, plane) {
                (Kind::Bounds, 0) => *wrong <= bound(1),
                (Kind::Bounds, _) => *wrong >= bound(0),
                _ => true,
            }
    };
    let both = [now - 1, now + 1].into_iter().filter(possible);
    both.map(i8::cast_unsigned).collect()
}

/// Changes one entry of a table after another; `verify` must begin with the file and the
/// board.
fn check_changes(place: &TempDir, id: TableId) {
    let index = LayerIndex::new(id.rules, id.seeds);
    let right = read_planes(place.path(), id);
    let begins = format!("tables/{}: board ", id.file_name());
    for plane in 0..right.len() {
        for entry in (plane..right[plane].len()).step_by(right[plane].len() / 9) {
            for wrong in others(id, &right, plane, entry) {
                let mut planes = right.clone();
                planes[plane][entry] = wrong;
                write_planes(place.path(), id, &planes);
                let board = format!("{begins}{}: ", index.board(entry as u64).notation());
                let told = verify(place, id.rules, "").no();
                let mut failures = told.lines().filter(|line| line.contains(": board "));
                assert!(
                    failures.next().unwrap().starts_with(&board),
                    "{board}{told}"
                );
            }
        }
    }
    write_planes(place.path(), id, &right);
}

#[test]
fn one_wrong_value_is_found() {
    for options in ["", "--distance"] {
        let place = built(&format!("--seeds 5 {options}"));
        check_changes(&place, id(Ruleset::AWARI, 4, Kind::Value));
        check_changes(&place, id(Ruleset::AWARI, 5, Kind::Value));
        verify(&place, Ruleset::AWARI, "").good();
    }
}

#[test]
fn one_wrong_distance_is_found() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::IFMG] {
        let place = built(&format!("--seeds 5 --distance --rules {rules}"));
        check_changes(&place, id(rules, 5, Kind::Distance));
        verify(&place, rules, "").good();
    }
}

#[test]
fn one_wrong_bound_is_found() {
    for options in ["", "--distance"] {
        let place = built(&format!("--seeds 5 --rules abapa {options}"));
        check_changes(&place, id(Ruleset::ABAPA, 4, Kind::Bounds));
        check_changes(&place, id(Ruleset::ABAPA, 5, Kind::Bounds));
        verify(&place, Ruleset::ABAPA, "").good();
    }
}

/// Changes every `step`-th value of a layer.
fn spoil(place: &Path, seeds: u8, step: usize) {
    let id = id(Ruleset::AWARI, seeds, Kind::Value);
    let mut planes = read_planes(place, id);
    for entry in planes[0].iter_mut().step_by(step) {
        let right = entry.cast_signed() == seeds.cast_signed();
        *entry = if right { 0 } else { seeds };
    }
    write_planes(place, id, &planes);
}

/// The listed failures are the first ones at every run, with any number of threads.
#[test]
fn the_first_failures_are_listed() {
    let place = built("--seeds 7 --distance");
    for step in [1, 50, 1000] {
        spoil(place.path(), 7, step);
        let told = |threads| {
            let mut krou = krou_in(place.path());
            krou.env("RAYON_NUM_THREADS", threads).arg("verify");
            ended(&mut krou).no()
        };
        let one = told("1");
        let named = one.matches("awari-07.value.krou: board ").count();
        assert_eq!(named, SHOWN, "{one}");
        assert!(one.contains("boards fail, 10 failures are listed"), "{one}");
        for _ in 0..5 {
            assert_eq!(told("4"), one, "every {step} entries wrong");
        }
        build_in(place.path(), "--seeds 7 --distance --dir whole");
        let name = "awari-07.value.krou";
        let whole = place.path().join("whole").join(name);
        std::fs::copy(whole, place.path().join("tables").join(name)).unwrap();
    }
}

#[test]
fn a_sample_finds_errors_that_are_everywhere() {
    let place = built("--seeds 5");
    spoil(place.path(), 5, 1);
    let told = verify(&place, Ruleset::AWARI, "--sample 20").no();
    assert!(told.contains("awari-05.value.krou: board "), "{told}");
    assert!(told.contains("of 20 boards fail"), "{told}");
    let below = "awari, 4 seeds: 20 random boards consistent";
    assert!(told.contains(below), "{told}");
}
