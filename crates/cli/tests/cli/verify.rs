//! `krou verify`: intact tables pass, and a single wrong entry is found and named even if
//! all checksums are right.

use std::path::Path;

use krou::rules::Ruleset;
use krou::table::Kind;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    Outcome, build_in, built, call_in, id, krou_in, read_planes, run, words, write_planes,
};

/// The number of failures listed for each layer.
const LISTED: usize = 10;

fn verify(home: &TempDir, rules: Ruleset, more: &str) -> Outcome {
    let line = format!("verify --rules {rules} {more}");
    call_in(home.path(), &words(&line))
}

#[test]
fn intact_tables_pass() {
    for &(_, rules) in Ruleset::NAMED {
        for distance in ["", "--distance"] {
            let home = built(&format!("--seeds 5 --rules {rules} {distance}"));
            let output = verify(&home, rules, "").success();
            assert_eq!(output.lines().count(), 7, "{output}");
            let right = output.lines().filter(|line| line.ends_with(" right"));
            assert_eq!(right.count(), 6, "{output}");
        }
    }
}

/// Replaces every `step`-th value of a layer by a wrong one.
fn corrupt(home: &Path, seeds: u8, step: usize) {
    let id = id(Ruleset::AWARI, seeds, Kind::Value);
    let mut planes = read_planes(home, id);
    for entry in planes[0].iter_mut().step_by(step) {
        *entry = if *entry == seeds { 0 } else { seeds };
    }
    write_planes(home, id, &planes);
}

/// The same failures are listed in every run, with any number of threads.
#[test]
fn the_first_failures_are_listed() {
    let home = built("--seeds 7 --distance");
    for step in [1, 50, 1000] {
        corrupt(home.path(), 7, step);
        let output = |threads| {
            let mut krou = krou_in(home.path());
            krou.env("RAYON_NUM_THREADS", threads).arg("verify");
            run(&mut krou).exit_1()
        };
        let one = output("1");
        let listed = one.matches("awari-07.value.krou: board ").count();
        assert_eq!(listed, LISTED, "{one}");
        assert!(one.contains("boards fail, 10 failures are listed"), "{one}");
        for _ in 0..5 {
            assert_eq!(output("4"), one, "every {step} entries wrong");
        }
        build_in(home.path(), "--seeds 7 --distance --dir whole");
        let name = "awari-07.value.krou";
        let whole = home.path().join("whole").join(name);
        std::fs::copy(whole, home.path().join("tables").join(name)).unwrap();
    }
}

#[test]
fn samples_find_widespread_errors() {
    let home = built("--seeds 5");
    corrupt(home.path(), 5, 1);
    let output = verify(&home, Ruleset::AWARI, "--sample 20").exit_1();
    assert!(output.contains("awari-05.value.krou: board "), "{output}");
    assert!(output.contains("of 20 boards fail"), "{output}");
    let expected = "awari, 4 seeds: 20 random boards consistent";
    assert!(output.contains(expected), "{output}");
    let json = verify(&home, Ruleset::AWARI, "--json").exit_1();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["right"], false);
    let layer = &json["layers"][5];
    assert!(layer["failing"].as_u64().unwrap() > 0, "{layer}");
    assert_eq!(layer["failures"].as_array().unwrap().len(), LISTED);
}
