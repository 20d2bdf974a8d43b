//! `krou build --trace`: what the recorded spans say.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{build_in, built, call_in, files, words};

/// The events of a trace.
fn events(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// When a span began and ended, in nanoseconds.
fn time(event: &Value) -> (i64, i64) {
    let nanoseconds = |name: &str| (event[name].as_f64().unwrap() * 1e3).round() as i64;
    let start = nanoseconds("ts");
    (start, start + nanoseconds("dur"))
}

fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["cat"] == kind).collect()
}

#[test]
fn a_trace_has_the_phases_of_each_layer_and_the_tasks_of_parallel_work() {
    let home = tempfile::tempdir().unwrap();
    build_in(
        home.path(),
        "--seeds 6 --distance --threads 3 --trace build.json",
    );
    let events = events(&home.path().join("build.json"));
    let phases = of_kind(&events, "phase");
    for seeds in 0..=6 {
        let mut of_layer: Vec<_> = (phases.iter())
            .filter(|phase| phase["args"]["seeds"] == seeds)
            .collect();
        of_layer.sort_by_key(|phase| time(phase));
        let names: Vec<_> = of_layer.iter().map(|phase| &phase["name"]).collect();
        assert_eq!(names, ["values", "conversions", "distances", "packing"]);
        // Conversions are part of the values; the others follow one another.
        assert!(time(of_layer[1]).1 <= time(of_layer[0]).1);
        assert!(time(of_layer[0]).1 <= time(of_layer[2]).0);
        assert!(time(of_layer[2]).1 <= time(of_layer[3]).0);
    }
    let tasks = of_kind(&events, "task");
    let names: BTreeSet<&str> = tasks.iter().map(|t| t["name"].as_str().unwrap()).collect();
    for name in [
        "fill",
        "conversions",
        "copy",
        "due",
        "sweep",
        "parents",
        "effects",
        "blocks",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let threads: BTreeSet<u64> = tasks.iter().map(|t| t["tid"].as_u64().unwrap()).collect();
    assert!(threads.is_subset(&[1, 2, 3].into()), "{threads:?}");
    let spans = |kind: &str| -> Vec<_> {
        let events = of_kind(&events, kind).into_iter();
        events.map(|event| (&event["name"], time(event))).collect()
    };
    let (parallel, phases) = (spans("parallel"), spans("phase"));
    for task in tasks {
        let (start, end) = time(task);
        let is_within = |(from, to): (i64, i64)| from <= start && end <= to;
        let mut around = parallel.iter().filter(|(_, outer)| is_within(*outer));
        assert!(around.any(|(name, _)| **name == task["name"]), "{task}");
        // Finished layers are made compact between the phases of two layers.
        let in_phase = phases.iter().any(|(_, outer)| is_within(*outer));
        assert!(in_phase || task["name"] == "compact", "{task}");
        if task["name"] == "sweep" {
            assert!(task["args"]["bytes"].as_u64().unwrap() > 0, "{task}");
        }
    }
}

#[test]
fn a_trace_does_not_change_the_tables() {
    let home = tempfile::tempdir().unwrap();
    build_in(home.path(), "--seeds 6 --rules abapa --trace build.json");
    let plain = built("--seeds 6 --rules abapa");
    assert_eq!(
        files(&home.path().join("tables")),
        files(&plain.path().join("tables"))
    );
}

#[test]
fn a_trace_that_cannot_be_written_stops_the_build_before_it_begins() {
    let home = tempfile::tempdir().unwrap();
    let refused = call_in(
        home.path(),
        &words("build --seeds 3 --trace none/build.json"),
    );
    assert_eq!(refused.code, Some(2));
    let message = "cannot write the trace none/build.json";
    assert!(refused.stderr.contains(message), "{refused:?}");
    assert!(!home.path().join("tables").exists());
}

/// Two tasks of 3 and 1 seconds in one section, after a second on one core: 5 seconds on one
/// core, 4 on two.
#[test]
fn simulated_cores_take_as_long_as_a_list_schedule() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let trace = home.path().join("trace.json");
    let event = |kind, name, thread, from: f64, seconds: f64| {
        serde_json::json!({
            "cat": kind, "name": name, "ph": "X", "pid": 1, "tid": thread,
            "ts": from * 1e6, "dur": seconds * 1e6, "tdur": seconds * 1e6,
            "args": {"seeds": 5, "bytes": 8_000_000_000_u64},
        })
    };
    let events = [
        event("phase", "values", 1, 0.0, 4.0),
        event("parallel", "sweep", 1, 1.0, 3.0),
        event("task", "sweep", 1, 1.0, 3.0),
        event("task", "sweep", 2, 1.0, 1.0),
    ];
    // The end of the file is missing, as after an interrupted build.
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    std::fs::write(&trace, format!("[\n{}", lines.join(",\n"))).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/simulate-cores");
    let simulate = |options: &str| {
        let mut python = Command::new("python3");
        python.arg(&script).args(words(options)).arg(&trace);
        let output = python.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        words(text.lines().last().unwrap()).join(" ")
    };
    let exact = "--cores 1,2,64 --barrier 0";
    assert_eq!(
        simulate(exact),
        "| all | 4.000 | 5.000 | 20.00 | 1.00 | 1.25 | 1.25 |"
    );
    // 16 GB at 4 GB/s.
    assert_eq!(
        simulate("--cores 64 --barrier 0 --bandwidth 4"),
        "| all | 4.000 | 5.000 | 20.00 | 1.00 |"
    );
}
