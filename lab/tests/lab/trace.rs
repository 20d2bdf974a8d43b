//! `krou-lab trace`: what the recorded spans say.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{lab, run};

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
    let line = "trace build.json --dir tables --seeds 6 --distance --threads 3";
    lab(home.path(), line, &[]).success();
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
    // Each task is within parallel work of its name.
    let tasks = of_kind(&events, "task");
    let parallel = of_kind(&events, "parallel");
    assert!(tasks.len() > 100, "{} tasks", tasks.len());
    for task in tasks {
        let (start, end) = time(task);
        let is_around = |outer: &&Value| {
            let (from, to) = time(outer);
            outer["name"] == task["name"] && from <= start && end <= to
        };
        assert!(parallel.iter().any(is_around), "{task}");
    }
    assert!(home.path().join("tables/awari-06.distance.krou").exists());
}

#[test]
fn a_trace_that_cannot_be_written_stops_the_build_before_it_begins() {
    let home = tempfile::tempdir().unwrap();
    let line = "trace none/build.json --dir tables --seeds 3";
    let message = lab(home.path(), line, &[]).error();
    assert!(
        message.contains("cannot write the trace none/build.json"),
        "{message}"
    );
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("simulate-cores");
    let simulate = |options: &str| {
        let mut python = Command::new("python3");
        let text = run(python
            .arg(&script)
            .args(options.split_whitespace())
            .arg(&trace))
        .success();
        let last: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        last.join(" ")
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
