//! `krou build`: a table has the same bytes however it was built.

use std::process::Stdio;

use krou::rules::Ruleset;
use krou::table::Kind;

use crate::support::{build_in, built, call_in, files, krou_in, names, words};

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
