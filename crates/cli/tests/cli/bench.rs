//! `krou bench`: its JSON, its figures, and every kind of layer.

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use serde_json::Value;

use crate::support::{built, call, files, words};

/// The figures in the order of the output.
const FIGURES: [&str; 8] = [
    "solve values",
    "peak beyond lower layers",
    "threads against one",
    "pack and write",
    "size of all layers",
    "random probe",
    "probe in a search",
    "probe in memory",
];

/// The figures on this system: not every system reports peak memory.
fn figures(threads: usize) -> Vec<&'static str> {
    let mut figures = FIGURES.to_vec();
    figures.retain(|name| cfg!(target_os = "linux") || !name.starts_with("peak"));
    figures.retain(|name| threads > 1 || *name != "threads against one");
    figures
}

fn json(options: &str) -> Value {
    let out = call(&words(&format!("bench --json {options}"))).success();
    assert_eq!(out.lines().count(), 1);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn json_has_machine_work_and_checked_figures() {
    let report = json("--seeds 6 --threads 2");
    assert_eq!(report["krou"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["rules"], "awari");
    assert_eq!(report["seeds"], 6);
    assert_eq!(report["boards"], 12375);
    assert_eq!(report["threads"], 2);
    assert!(!report["machine"]["cpu"].as_str().unwrap().is_empty());
    assert!(report["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(report["spread"].as_f64().unwrap() >= 1.0);

    let all = report["figures"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, figures(2));
    for figure in all {
        assert_eq!(figure["checked"], true, "{figure}");
        assert!(figure["value"].as_f64().unwrap() > 0.0, "{figure}");
        assert!(!figure["unit"].as_str().unwrap().is_empty(), "{figure}");
        let of_tables = figure["name"] == "pack and write"
            || figure["name"] == "size of all layers"
            || figure["name"].as_str().unwrap().contains("probe");
        let codec = of_tables.then_some("small");
        assert_eq!(figure["codec"].as_str(), codec, "{figure}");
    }
    // Sizes do not depend on the machine: a build writes tables of the same size.
    let home = built("--seeds 6");
    let bytes: usize = files(&home.path().join("tables"))
        .values()
        .map(Vec::len)
        .sum();
    let boards: u64 = (0..=6)
        .map(|n| LayerIndex::new(Ruleset::AWARI, n).len())
        .sum();
    #[allow(clippy::cast_precision_loss)]
    let expected = 8.0 * bytes as f64 / boards as f64;
    let bits = all.iter().find(|f| f["unit"] == "bits a board").unwrap();
    assert!(
        (bits["value"].as_f64().unwrap() - expected).abs() < 0.001,
        "{bits}"
    );
}

#[test]
fn every_family_of_rules_is_measured() {
    for rules in ["abapa", "ifmg", "awari --endless nobody"] {
        let report = json(&format!("--seeds 4 --threads 1 --rules {rules}"));
        let found = report["figures"].as_array().unwrap();
        assert_eq!(found.len(), figures(1).len());
        for figure in found {
            assert_eq!(figure["checked"], true, "{rules}: {figure}");
        }
    }
}

#[test]
fn the_smallest_layers_are_measured() {
    for seeds in ["0", "1", "2"] {
        for rules in ["awari", "kalah"] {
            call(&["bench", "--seeds", seeds, "--rules", rules]).success();
        }
    }
}
