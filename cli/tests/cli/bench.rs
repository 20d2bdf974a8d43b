//! `krou bench`: its output and its errors. Speeds are not part of the contract.

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use serde_json::Value;

use crate::support::{built, call, call_in, files, id, krou_in, names, read_planes, run, words};

/// The figures in the order of the output.
const FIGURES: [&str; 12] = [
    "solve values",
    "peak of memory",
    "peak beyond lower layers",
    "solve values and distances",
    "threads against one",
    "pack and write",
    "size of all layers",
    "random probe",
    "cached random probe",
    "probe in a search",
    "search, 64 MiB of layers",
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

    let all = report["figures"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, figures(2));
    for figure in all {
        assert_eq!(figure["checked"], true, "{figure}");
        assert!(figure["value"].as_f64().unwrap() > 0.0, "{figure}");
        assert!(!figure["unit"].as_str().unwrap().is_empty(), "{figure}");
        let has_target = figure["name"] != "peak of memory";
        for target in ["floor", "aim"] {
            assert_eq!(figure[target].is_number(), has_target, "{figure}");
        }
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

/// Each named codec is measured when packing and probing, and nothing else is. Only the
/// default codec has targets.
#[test]
fn codecs_are_measured_side_by_side() {
    let line = "--seeds 5 --codec raw --codec small --codec zstd --codec packed";
    for more in ["", " --in-memory", " --rules abapa"] {
        let report = json(&format!("{line}{more}"));
        let figures = report["figures"].as_array().unwrap();
        let mut expected = Vec::new();
        for codec in ["raw", "small", "zstd", "packed"] {
            let names = [
                "pack and write",
                "size of the layer",
                "size of all layers",
                "random probe",
                "cached random probe",
                "probe in a search",
                "search, 64 MiB of layers",
                "probe in memory",
            ];
            expected.extend(names.map(|name| (name, codec)));
        }
        let text = |figure: &Value, field: &str| figure[field].as_str().unwrap().to_owned();
        let found = figures.iter().map(|f| (text(f, "name"), text(f, "codec")));
        let found: Vec<_> = found.collect();
        let found: Vec<_> = found
            .iter()
            .map(|(n, c)| (n.as_str(), c.as_str()))
            .collect();
        assert_eq!(found, expected);
        for figure in figures {
            assert_eq!(figure["checked"], true, "{figure}");
            let has_target = figure["codec"] == "small"
                && figure["name"] != "size of the layer"
                && !more.contains("abapa");
            assert_eq!(figure["floor"].is_number(), has_target, "{figure}");
        }
    }
    let out = call(&words("bench --seeds 3 --codec raw")).success();
    assert!(out.contains("\npack and write, raw "), "{out}");
}

#[test]
fn plain_values_equal_those_of_the_tables() {
    let home = built("--seeds 5");
    let line = words("bench --seeds 5 --codec raw --plain plain");
    call_in(home.path(), &line).success();
    let id = id(Ruleset::AWARI, 5, krou::table::Kind::Value);
    let values = read_planes(home.path(), id).remove(0);
    assert_eq!(std::fs::read(home.path().join("plain")).unwrap(), values);
    let line = words("bench --seeds 3 --codec raw --plain nowhere/plain");
    let message = call_in(home.path(), &line).error();
    assert!(message.contains("cannot write nowhere/plain"), "{message}");
}

#[test]
fn only_awari_on_two_threads_has_targets() {
    let figures = json("--seeds 3 --threads 3");
    let figures = figures["figures"].as_array().unwrap().clone();
    let threads = figures.iter().find(|f| f["name"] == "threads against one");
    assert_eq!(threads.unwrap()["floor"], Value::Null);
    for rules in ["abapa", "ifmg", "awari --endless nobody"] {
        let report = json(&format!("--seeds 4 --threads 1 --rules {rules}"));
        for figure in report["figures"].as_array().unwrap() {
            assert_eq!(figure["checked"], true, "{rules}: {figure}");
            assert_eq!(figure["floor"], Value::Null, "{rules}: {figure}");
        }
    }
}

#[test]
fn text_output_has_a_row_for_each_figure() {
    for threads in [1, 2] {
        let out = call(&words(&format!("bench --seeds 5 --threads {threads}"))).success();
        let (head, table) = out.split_once("\n\n").unwrap();
        assert!(head.contains("awari, 5 seeds (4,368 boards)"), "{head}");
        let rows: Vec<&str> = table.lines().skip(1).collect();
        for (row, name) in rows.iter().zip(figures(threads)) {
            assert!(row.starts_with(name), "{row}");
            assert!(row.ends_with(" right"), "{row}");
        }
        assert_eq!(rows.len(), figures(threads).len());
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

#[test]
fn bench_leaves_no_files() {
    let home = tempfile::tempdir().unwrap();
    let mut bench = krou_in(home.path());
    bench.env("TMPDIR", home.path());
    assert!(
        bench
            .args(["bench", "--seeds", "4"])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(names(home.path()), [""; 0]);
}

#[test]
fn invalid_arguments_are_rejected() {
    for (line, part) in [
        ("bench --seeds 49", "0 to 48"),
        ("bench --seeds -1", "0 to 48"),
        ("bench --seeds x", "0 to 48"),
        ("bench --seeds", "--seeds"),
        ("bench --threads 0", "1 to 1024"),
        ("bench --threads two", "1 to 1024"),
        ("bench --rules awri", "'awri'"),
        ("bench --endless never", "never"),
        ("bench 16", "'16'"),
        ("bench --csv", "--csv"),
        (
            "bench --codec lz4",
            "[possible values: raw, zstd, packed, small]",
        ),
    ] {
        let message = call(&words(line)).error();
        assert!(message.contains(part), "{line}: {message}");
    }
    if cfg!(target_os = "linux") {
        // No machine has enough memory for all layers.
        let message = call(&words("bench --seeds 48")).error();
        assert!(message.contains("choose fewer with --seeds"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn an_unusable_temporary_folder_is_rejected() {
    let home = tempfile::tempdir().unwrap();
    let mut bench = krou_in(home.path());
    bench.env("TMPDIR", home.path().join("nowhere"));
    // Before the work, not after it.
    let message = run(bench.args(["bench", "--seeds", "20"])).error();
    assert!(
        message.contains("TMPDIR") && message.contains("nowhere"),
        "{message}"
    );
}

/// A change to the search changes the signature.
#[test]
fn the_signature_of_the_engine_is_unchanged() {
    let report = json("--engine --depth 7");
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4 * Ruleset::NAMED.len());
    let nodes = positions.iter().map(|p| p["nodes"].as_u64().unwrap());
    assert_eq!(report["signature"], nodes.sum::<u64>());
    assert_eq!(report["signature"], 48_619);
    let text = call(&words("bench --engine --depth 7")).success();
    let signature = format!("\nsignature {} nodes in ", report["signature"]);
    assert!(text.contains(&signature), "{text}");
    for options in ["--engine --seeds 4", "--engine --rules abapa", "--depth 3"] {
        call(&words(&format!("bench {options}"))).error();
    }
}
