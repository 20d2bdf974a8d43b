//! `krou build --checkpoint`: what is saved, how a build resumes, and who reads it.

use std::fs;

use crate::support::{build_in, built, call_in, files, names, save_checkpoint, words};

#[test]
fn a_finished_build_leaves_no_checkpoint() {
    let plain = built("--seeds 6 --distance --rules abapa");
    let plain = files(&plain.path().join("tables"));
    for option in ["--checkpoint=0", "--checkpoint", "--checkpoint=3600"] {
        let place = built(&format!("--seeds 6 --distance --rules abapa {option}"));
        assert_eq!(files(&place.path().join("tables")), plain, "{option}");
    }
}

#[test]
fn the_interval_is_a_number_after_an_equals_sign() {
    let place = tempfile::tempdir().unwrap();
    for wrong in [
        "--checkpoint=",
        "--checkpoint=-1",
        "--checkpoint=1.5",
        "--checkpoint 5",
    ] {
        let args = format!("build --seeds 2 {wrong}");
        call_in(place.path(), &words(&args)).refused();
    }
    assert!(!place.path().join("tables").exists());
}

#[test]
fn a_build_resumes_from_a_checkpoint() {
    let whole = built("--seeds 8");
    let whole = files(&whole.path().join("tables"));
    for option in ["", "--stats", "--checkpoint"] {
        let place = built("--seeds 7");
        let tables = place.path().join("tables");
        save_checkpoint(&tables, 8);
        let again = build_in(place.path(), &format!("--seeds 8 {option}"));
        let said = "8 seeds: values resumed from a checkpoint\n1 table built in tables\n";
        assert_eq!(again.stderr, said);
        assert_eq!(files(&tables), whole);
        if option == "--stats" {
            // Only the last ones of some fifty sweeps are left.
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
    let whole = built("--seeds 8");
    let place = built("--seeds 7");
    let tables = place.path().join("tables");
    let file = save_checkpoint(&tables, 8);
    let mut bytes = fs::read(&file).unwrap();
    bytes[1000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let again = build_in(place.path(), "--seeds 8");
    let said = "tables/awari-08.value.checkpoint is ignored: it has an impossible entry\n\
                1 table built in tables\n";
    assert_eq!(again.stderr, said);
    assert_eq!(files(&tables), files(&whole.path().join("tables")));
}

/// A build that was killed after the tables were renamed and before the checkpoints were
/// removed.
#[test]
fn checkpoints_of_finished_layers_are_removed() {
    let place = built("--seeds 4");
    let tables = place.path().join("tables");
    let plain = names(&tables);
    let stale = [
        "awari-03.value.checkpoint",
        "awari-04.value.checkpoint.partial",
    ];
    // The checkpoint of a table that is not built yet.
    let wanted = "awari-04.distance.checkpoint";
    for name in stale.iter().chain([&wanted]) {
        fs::write(tables.join(name), "Dear diary").unwrap();
    }
    let again = build_in(place.path(), "--seeds 4");
    assert!(again.stderr.contains("nothing to do"), "{again:?}");
    let mut left = names(&tables);
    left.retain(|name| name != wanted);
    assert_eq!(left, plain);
    let distances = build_in(place.path(), "--seeds 4 --distance");
    assert!(distances.stderr.contains(wanted), "{distances:?}");
    let left = names(&tables);
    assert!(
        left.iter().all(|name| !name.contains("checkpoint")),
        "{left:?}"
    );
}

#[test]
fn other_commands_ignore_checkpoints() {
    let place = built("--seeds 5");
    let ask = |words: &[&str]| call_in(place.path(), words).good();
    let board = "0 1 1 0 0 1 / 0 1 0 1 0 0";
    let all = || {
        [
            ask(&["probe", board]),
            ask(&["verify"]),
            ask(&["stats", "--csv"]),
        ]
    };
    let before = all();
    save_checkpoint(&place.path().join("tables"), 6);
    // Times differ.
    let told = |answers: [String; 3]| {
        let [probe, verify, stats] = answers;
        (probe, verify.lines().count(), stats)
    };
    assert_eq!(told(before), told(all()));
}
