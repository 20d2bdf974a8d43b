//! `krou build`: a table has the same bytes however it was built.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use krou::rules::Ruleset;
use krou::table::Kind;
use serde_json::Value;

use crate::support::{build_in, built, call_in, files, krou_in, names, words};

#[test]
fn a_finished_build_writes_nothing() {
    let home = built("--seeds 5 --distance");
    let tables = home.path().join("tables");
    let modified = |name: &String| {
        let path = tables.join(name);
        fs::metadata(path).unwrap().modified().unwrap()
    };
    let before: Vec<_> = names(&tables).iter().map(modified).collect();
    let again = build_in(home.path(), "--seeds 5 --distance");
    assert_eq!(again.stdout, "");
    assert!(again.stderr.contains("nothing to do"), "{again:?}");
    for less in ["--seeds 5", "--seeds 2 --distance", "--seeds 0"] {
        assert_eq!(build_in(home.path(), less).stdout, "", "{less}");
    }
    let after: Vec<_> = names(&tables).iter().map(modified).collect();
    assert_eq!(before, after);
}

/// Tables are kept whatever their codec, and the last line says how to convert them.
#[test]
fn tables_of_another_codec_are_kept() {
    let home = built("--seeds 5");
    let before = files(home.path());
    let again = build_in(home.path(), "--seeds 5 --codec raw");
    assert_eq!(
        again.stderr,
        "nothing to do: every table is in tables already, with the codec small: 'krou repack \
         --codec raw' converts them\n"
    );
    assert_eq!(files(home.path()), before);
}

#[test]
fn results_go_to_stdout_and_notes_to_stderr() {
    let home = tempfile::tempdir().unwrap();
    let first = build_in(home.path(), "--seeds 3 --distance");
    let listed: Vec<&str> = first
        .stdout
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, names(&home.path().join("tables")));
    // There are no progress bars, because stderr is not a terminal.
    assert_eq!(first.stderr, "8 tables built in tables\n");
}

/// The lines of `--stats` follow the tables of their layer.
#[test]
fn stats_print_a_line_for_each_stage() {
    let first_words = |home: &Path, options: &str| {
        let built = build_in(home, options);
        let words = built.stdout.lines().map(|line| words(line)[0].to_owned());
        words.collect::<Vec<_>>()
    };
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let lines = first_words(home, "--seeds 2 --stats --threads 2");
    let layer = |seeds| {
        [
            format!("awari-0{seeds}.value.krou"),
            "values".into(),
            "packing".into(),
        ]
    };
    assert_eq!(lines, [layer(0), layer(1), layer(2)].concat());
    // Nothing is printed for finished tables, and for a layer only its new stages.
    assert_eq!(first_words(home, "--seeds 2 --stats"), [""; 0]);
    let added = first_words(home, "--seeds 0 --stats --distance");
    assert_eq!(added, ["awari-00.distance.krou", "distances", "packing"]);

    let stages = first_words(home, "--seeds 0 --stats --distance --rules abapa");
    let stages = &stages[3..];
    assert_eq!(stages, ["bounds", "values", "distances", "packing"]);
    // The tables are the same with and without `--stats`.
    let plain = built("--seeds 2");
    let plain = files(&plain.path().join("tables"));
    let mut with_stats = files(&home.join("tables"));
    with_stats.retain(|name, _| plain.contains_key(name));
    assert_eq!(with_stats, plain);
}

/// `docs/internals/solver.md` shows that two seeds take ten sweeps, in which 65 values change.
#[test]
fn stats_count_sweeps_and_changes() {
    let home = tempfile::tempdir().unwrap();
    let built = build_in(home.path(), "--seeds 2 --stats");
    let values = built.stdout.lines().rfind(|line| line.contains("values"));
    let values = words(values.unwrap()).join(" ");
    let counts = "; 10 sweeps, 0 rounds, 65 changes, 0.83 a board";
    assert!(values.ends_with(counts), "{values}");
}

#[test]
fn a_build_in_two_steps_writes_the_same_bytes() {
    for options in ["--distance", "--rules abapa --distance", "--rules ifmg"] {
        let at_once = built(&format!("--seeds 6 {options}"));
        let home = built(&format!("--seeds 4 {options}"));
        build_in(home.path(), &format!("--seeds 6 {options}"));
        let in_steps = files(&home.path().join("tables"));
        assert_eq!(in_steps, files(&at_once.path().join("tables")), "{options}");
    }
}

#[test]
fn distances_can_be_added_later() {
    for rules in ["awari", "awale", "kalah"] {
        let home = built(&format!("--seeds 6 --rules {rules}"));
        let tables = home.path().join("tables");
        let plain = files(&tables);
        build_in(
            home.path(),
            &format!("--seeds 4 --distance --rules {rules}"),
        );
        build_in(
            home.path(),
            &format!("--seeds 6 --distance --rules {rules}"),
        );
        let whole = built(&format!("--seeds 6 --distance --rules {rules}"));
        let added = files(&tables);
        assert_eq!(added, files(&whole.path().join("tables")), "{rules}");
        assert_eq!(added.len(), plain.len() + 7);
    }
}

#[test]
fn only_by_side_rulesets_get_bounds() {
    for &(name, rules) in Ruleset::NAMED {
        let home = built(&format!("--seeds 2 --rules {name}"));
        let kinds: &[Kind] = if rules.has_bounds() {
            &[Kind::Bounds, Kind::Value]
        } else {
            &[Kind::Value]
        };
        let wanted: Vec<String> = (0..=2)
            .flat_map(|n| {
                kinds
                    .iter()
                    .map(move |kind| format!("{name}-{n:02}.{kind}.krou"))
            })
            .collect();
        assert_eq!(names(&home.path().join("tables")), wanted);
    }
    let home = built("--seeds 1 --endless by-side --grand-slam illegal");
    let found = names(&home.path().join("tables"));
    assert!(found[0].ends_with("+by-side-00.bounds.krou"), "{found:?}");
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    for options in ["--rules awari --distance", "--rules abapa --distance"] {
        let one = built(&format!("--seeds 7 --threads 1 {options}"));
        let one = files(&one.path().join("tables"));
        for threads in ["2", "7"] {
            let more = built(&format!("--seeds 7 --threads {threads} {options}"));
            assert_eq!(
                one,
                files(&more.path().join("tables")),
                "{threads} {options}"
            );
        }
    }
}

#[test]
fn missing_folders_are_created() {
    let home = tempfile::tempdir().unwrap();
    build_in(home.path(), "--seeds 1 --dir new/deep/down");
    assert_eq!(names(&home.path().join("new/deep/down")).len(), 2);
}

#[test]
fn a_second_build_in_a_busy_folder_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let tables = home.path().join("tables");
    std::fs::create_dir(&tables).unwrap();
    let mut first = krou_in(home.path())
        .args(words("build --seeds 20 --threads 1"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !tables.join("awari-04.value.krou").exists() {
        assert_eq!(first.try_wait().unwrap(), None, "the build has ended");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let second = call_in(home.path(), &words("build --seeds 20"));
    // Tables can be read meanwhile, and a build that finds all tables needs no lock.
    let stats = call_in(home.path(), &words("stats --csv --seeds 4"));
    let finished = call_in(home.path(), &words("build --seeds 3"));
    first.kill().unwrap();
    first.wait().unwrap();
    let message = second.error();
    assert!(
        message.contains("another krou is at work in tables"),
        "{message}"
    );
    assert!(stats.success().ends_with("4,4,415\n"));
    assert_eq!(finished.code, Some(0));
    // The lock ends with its process.
    build_in(home.path(), "--seeds 6");
}

#[test]
fn a_plan_builds_nothing() {
    let home = built("--seeds 3");
    let before = files(home.path());
    let plan = build_in(home.path(), "--seeds 12 --distance --plan --threads 1");
    let lines: Vec<&str> = plan.stdout.lines().collect();
    let [title, boards, disk, memory, time] = lines[..] else {
        panic!("{plan:?}")
    };
    // The layers up to 3 seeds have no distances.
    assert_eq!(title, "awari, layers 0 to 12 in tables");
    assert_eq!(boards, "boards  2,685,592");
    assert!(disk.starts_with("disk    about 9"), "{disk}");
    assert!(
        memory.starts_with("memory  ") && time.ends_with("on 1 thread"),
        "{plan:?}"
    );
    assert_eq!(files(home.path()), before);
    let json = build_in(
        home.path(),
        "--seeds 5 --distance --plan --json --threads 1",
    );
    let plan: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(plan["rules"], "awari");
    assert_eq!(plan["folder"], "tables");
    assert_eq!(plan["layers"], serde_json::json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(
        (&plan["boards"], &plan["threads"]),
        (&6188.into(), &1.into())
    );
    for field in ["bytes", "memory", "least_memory", "seconds"] {
        assert!(plan[field].as_f64() > Some(0.0), "{field}: {plan}");
    }
    assert_eq!(files(home.path()), before);
    let more = build_in(home.path(), "--seeds 5 --plan").stdout;
    assert!(
        more.starts_with("awari, layers 4 to 5 in tables\nboards  "),
        "{more}"
    );
    let done = build_in(home.path(), "--seeds 3 --plan");
    assert_eq!(
        done.stdout,
        "nothing to do: every table is in tables already\n"
    );
}

/// What a build prints fits a terminal of 80 columns.
#[test]
fn lines_of_tables_fit_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    for rules in ["awari", "kalah-empty"] {
        let built = build_in(
            home.path(),
            &format!("--seeds 6 --distance --rules {rules}"),
        );
        for line in built.stdout.lines() {
            assert!(line.chars().count() < 80, "{line}");
        }
    }
}
