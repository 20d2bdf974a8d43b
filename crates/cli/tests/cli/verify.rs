//! `krou verify`: intact tables pass, and a single wrong entry is found and named even if
//! all checksums are right.

use std::fs;
use std::path::Path;

use krou::rules::Ruleset;
use krou::table::Kind;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Outcome, build_in, built, call, call_in, id, krou_in, read_planes, run, words, write_planes,
};

/// The number of failures listed for each layer.
const LISTED: usize = 10;

fn verify(home: &TempDir, rules: Ruleset, more: &str) -> Outcome {
    let line = format!("verify --rules {rules} {more}");
    call_in(home.path(), &words(&line))
}

#[test]
fn intact_tables_pass() {
    let embedded = call(&["verify"]).success();
    assert_eq!(embedded.lines().count(), 11);
    let last = "awari, 9 seeds: 167,596 boards right\n\
                awari: 10 layers with 293,475 boards are proved (value, distance)\n";
    assert!(embedded.ends_with(last), "{embedded}");
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

/// The smallest layers have fewer boards than the sample and are checked in full; the lines
/// of the others must say that loops are not ruled out.
fn assert_limits_are_reported(output: &str) {
    for (seeds, line) in output.lines().enumerate() {
        let expected = match seeds {
            0 | 1 => "right",
            2..5 => "not ruled out",
            _ => "5 layers are consistent in 73 boards",
        };
        assert!(line.contains(expected), "{output}");
    }
    assert_eq!(output.lines().count(), 6);
}

#[test]
fn seeds_and_sample_limit_the_work() {
    let output = call(&words("verify --seeds 3")).success();
    assert_eq!(output.lines().count(), 5);
    // With distances a sample can find every kind of error.
    let output = call(&words("verify --seeds 6 --sample 50")).success();
    let expected = "6 seeds: 50 random boards consistent, distances too\n";
    assert!(output.contains(expected), "{output}");
    // Without them, and for bounds, it cannot, and the line says so.
    let plain = built("--seeds 4");
    let output = verify(&plain, Ruleset::AWARI, "--sample 20").success();
    assert_limits_are_reported(&output);
    let bounds = built("--seeds 4 --rules abapa --distance");
    let output = verify(&bounds, Ruleset::ABAPA, "--sample 20").success();
    assert_limits_are_reported(&output);
}

#[test]
fn missing_layers_are_errors() {
    let message = call(&words("verify --seeds 12")).error();
    assert!(
        message.contains("12 seeds") && message.contains("--seeds 12"),
        "{message}"
    );
    let none = call(&words("verify --rules awale")).error();
    assert!(none.contains("awale"), "{none}");
}

/// A folder may hold only high layers: the embedded tables take the place of lower ones,
/// but not of damaged ones nor of those above the highest layer of the folder.
#[test]
fn embedded_tables_complete_a_folder_without_low_layers() {
    let home = built("--seeds 10 --distance");
    let whole = verify(&home, Ruleset::AWARI, "").success();
    let tables = home.path().join("tables");
    for seeds in [0, 1, 2, 5, 9] {
        for kind in [Kind::Value, Kind::Distance] {
            let id = id(Ruleset::AWARI, seeds, kind);
            std::fs::remove_file(tables.join(id.file_name())).unwrap();
        }
    }
    assert_eq!(verify(&home, Ruleset::AWARI, "").success(), whole);
    let above = verify(&home, Ruleset::AWARI, "--seeds 11").error();
    assert!(above.contains("with 11 seeds"), "{above}");

    // A layer with a single table is the folder's own.
    std::fs::remove_file(tables.join("awari-04.value.krou")).unwrap();
    let gap = verify(&home, Ruleset::AWARI, "").error();
    assert!(
        gap.contains("no value table for awari with 4 seeds"),
        "{gap}"
    );
    let home = built("--seeds 3");
    for seeds in [4, 9] {
        let above = verify(&home, Ruleset::AWARI, &format!("--seeds {seeds}")).error();
        assert!(above.contains(&format!("with {seeds} seeds")), "{above}");
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
}

/// Programs read the result of a build and of its proof.
#[test]
fn build_verify_and_repack_have_json() {
    let home = tempfile::tempdir().unwrap();
    let json_of = |line: &str| -> (Option<i32>, Value) {
        let Outcome { code, stdout, .. } = call_in(home.path(), &words(line));
        assert_eq!(stdout.lines().count(), 1, "{line}: {stdout}");
        (code, serde_json::from_str(&stdout).unwrap())
    };
    let (code, built) = json_of("build --seeds 3 --json --dir tables");
    assert_eq!((code, &built["folder"]), (Some(0), &json!("tables")));
    let tables = built["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 4);
    assert_eq!(tables[3]["table"], "awari-03.value.krou");
    assert_eq!(tables[3]["boards"], 364);
    let bytes = fs::metadata(home.path().join("tables/awari-03.value.krou"));
    assert_eq!(tables[3]["bytes"], bytes.unwrap().len());
    let (_, again) = json_of("build --seeds 3 --json --dir tables");
    assert_eq!(again["tables"], json!([]));

    let (code, verified) = json_of("verify --json");
    assert_eq!((code, &verified["right"]), (Some(0), &json!(true)));
    assert_eq!(
        (&verified["proved"], &verified["boards"]),
        (&json!(true), &json!(455))
    );
    assert_eq!(verified["layers"][3]["boards"], 364);
    let (_, sampled) = json_of("verify --json --sample 10");
    assert_eq!(
        (&sampled["right"], &sampled["proved"]),
        (&json!(true), &json!(false))
    );
    let (code, compared) = json_of("verify --json --manifest");
    assert_eq!((code, &compared["equal"]), (Some(0), &json!(4)));

    let (code, repacked) = json_of("repack --codec raw --json");
    assert_eq!((code, &repacked["tables"]), (Some(0), &json!(4)));
    corrupt(home.path(), 3, 50);
    let (code, wrong) = json_of("verify --json");
    assert_eq!((code, &wrong["right"]), (Some(1), &json!(false)));
    let layer = &wrong["layers"][3];
    assert!(layer["failing"].as_u64().unwrap() > 0, "{layer}");
    assert!(!layer["failures"].as_array().unwrap().is_empty());
}
