//! `krou build --checkpoint`: how a build resumes, and which checkpoints are removed or
//! ignored.

use std::fs;

use crate::support::{build_in, built, call_in, files, names, save_checkpoint};

#[test]
fn a_finished_build_leaves_no_checkpoint() {
    let plain = built("--seeds 4 --distance --rules abapa");
    let plain = files(&plain.path().join("tables"));
    for option in ["--checkpoint=0", "--checkpoint", "--checkpoint=3600"] {
        let home = built(&format!("--seeds 4 --distance --rules abapa {option}"));
        assert_eq!(files(&home.path().join("tables")), plain, "{option}");
    }
}

#[test]
fn a_build_resumes_from_a_checkpoint() {
    let whole = built("--seeds 6");
    let whole = files(&whole.path().join("tables"));
    for option in ["", "--stats", "--checkpoint"] {
        let home = built("--seeds 5");
        let tables = home.path().join("tables");
        save_checkpoint(&tables, 6);
        let again = build_in(home.path(), &format!("--seeds 6 {option}"));
        let expected = "6 seeds: values resumed from a checkpoint\n1 table built in tables\n";
        assert_eq!(again.stderr, expected);
        assert_eq!(files(&tables), whole);
        if option == "--stats" {
            // Only the last of many sweeps remain.
            let values = again.stdout.lines().find(|line| line.contains("values"));
            let values = values.unwrap();
            assert!(
                values.contains("  1 sweeps") || values.contains("  2 sweeps"),
                "{values}"
            );
        }
    }
}

#[test]
fn a_damaged_checkpoint_is_reported_and_ignored() {
    let whole = built("--seeds 6");
    let home = built("--seeds 5");
    let tables = home.path().join("tables");
    let file = save_checkpoint(&tables, 6);
    let mut bytes = fs::read(&file).unwrap();
    bytes[20] = 100;
    fs::write(&file, bytes).unwrap();
    let again = build_in(home.path(), "--seeds 6");
    let expected = "tables/awari-06.value.checkpoint is ignored: it is of another phase or version\n\
                1 table built in tables\n";
    assert_eq!(again.stderr, expected);
    assert_eq!(files(&tables), files(&whole.path().join("tables")));
}

/// A build may be killed after its tables are renamed and before the checkpoints are
/// removed.
#[test]
fn checkpoints_of_finished_layers_are_removed() {
    let home = built("--seeds 4");
    let tables = home.path().join("tables");
    let plain = names(&tables);
    let stale = [
        "awari-03.value.checkpoint",
        "awari-04.value.checkpoint.partial",
    ];
    // The checkpoint of a table that is not built yet.
    let pending = "awari-04.distance.checkpoint";
    for name in stale.iter().chain([&pending]) {
        fs::write(tables.join(name), "not a table").unwrap();
    }
    let again = build_in(home.path(), "--seeds 4");
    assert!(again.stderr.contains("nothing to do"), "{again:?}");
    let mut left = names(&tables);
    left.retain(|name| name != pending);
    assert_eq!(left, plain);
    let distances = build_in(home.path(), "--seeds 4 --distance");
    assert!(distances.stderr.contains(pending), "{distances:?}");
    let left = names(&tables);
    assert!(
        left.iter().all(|name| !name.contains("checkpoint")),
        "{left:?}"
    );
}

#[test]
fn other_commands_ignore_checkpoints() {
    let home = built("--seeds 5");
    let output = |words: &[&str]| call_in(home.path(), words).success();
    let board = "0 1 1 0 0 1 / 0 1 0 1 0 0";
    let all = || {
        [
            output(&["probe", board]),
            output(&["verify"]),
            output(&["stats", "--csv"]),
        ]
    };
    let before = all();
    save_checkpoint(&home.path().join("tables"), 6);
    let without_times = |answers: [String; 3]| {
        let [probe, verify, stats] = answers;
        (probe, verify.lines().count(), stats)
    };
    assert_eq!(without_times(before), without_times(all()));
}
