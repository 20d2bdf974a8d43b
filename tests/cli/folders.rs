//! Which folder of tables is used, and folders that are refused.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{
    Ended, build_in, built, call_in, ended, ended_with, files, krou_in, names, words,
};

const BOARD: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";

/// The answer of a ruleset that has no embedded tables.
fn probe(place: &Path, args: &[&str]) -> Ended {
    call_in(
        place,
        &[&["probe", "--rules", "abapa", BOARD], args].concat(),
    )
}

/// Whether built tables answered; otherwise the layer is missing.
fn is_from_folder(probe: &Ended) -> bool {
    assert!(matches!(probe.code, Some(0 | 1)), "{probe:?}");
    probe.code == Some(0)
}

#[test]
fn the_default_folder_is_tables() {
    let place = built("--seeds 4 --rules abapa");
    assert!(is_from_folder(&probe(place.path(), &[])));
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(!is_from_folder(&probe(elsewhere.path(), &[])));
}

#[test]
fn without_a_folder_tables_builds_go_to_the_data_folder() {
    let place = tempfile::tempdir().unwrap();
    let build = words("build --seeds 4 --rules abapa");
    let built = ended(krou_in(place.path()).args(build));
    assert_eq!(built.code, Some(0), "{built:?}");
    assert!(!place.path().join("tables").exists());
    assert!(is_from_folder(&probe(place.path(), &[])));
    #[cfg(all(unix, not(target_os = "macos")))]
    assert!(place.path().join(".local/share/krou").is_dir());
    // A folder `tables` takes its place.
    fs::create_dir(place.path().join("tables")).unwrap();
    assert!(!is_from_folder(&probe(place.path(), &[])));
}

#[test]
fn dir_overrides_krou_dir() {
    let place = tempfile::tempdir().unwrap();
    build_in(place.path(), "--seeds 4 --rules abapa --dir built");
    fs::create_dir(place.path().join("empty")).unwrap();
    let from = |env: &str, args: &[&str]| {
        let mut krou = krou_in(place.path());
        krou.env("KROU_DIR", env);
        krou.args(["probe", "--rules", "abapa", BOARD]);
        ended(krou.args(args))
    };
    assert!(is_from_folder(&from("built", &[])));
    assert!(is_from_folder(&from("empty", &["--dir", "built"])));
    assert!(is_from_folder(&from("nowhere", &["--dir", "built"])));
    assert!(!is_from_folder(&from("built", &["--dir", "empty"])));
    assert!(from("nowhere", &[]).refused().contains("nowhere"));

    let mut krou = krou_in(place.path());
    krou.env("KROU_DIR", "by-env");
    assert_eq!(ended(krou.args(["build", "--seeds", "1"])).code, Some(0));
    let tables = ["awari-00.value.krou", "awari-01.value.krou"];
    assert_eq!(names(&place.path().join("by-env")), tables);
}

#[test]
fn an_empty_variable_names_no_folder() {
    let place = built("--seeds 4 --rules abapa");
    let mut krou = krou_in(place.path());
    krou.env("KROU_DIR", "");
    krou.args(["probe", "--rules", "abapa", BOARD]);
    assert!(is_from_folder(&ended(&mut krou)));
}

#[test]
fn several_folders_are_merged_by_layer() {
    let place = tempfile::tempdir().unwrap();
    build_in(place.path(), "--seeds 2 --rules abapa --dir low");
    build_in(place.path(), "--seeds 4 --rules abapa --dir high");
    for entry in fs::read_dir(place.path().join("high")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("abapa-04") {
            fs::remove_file(path).unwrap();
        }
    }
    let low = probe(place.path(), &["--dir", "low"]);
    assert!(!is_from_folder(&low));
    let both = ["--dir", "low", "--dir", "high"];
    assert!(is_from_folder(&probe(place.path(), &both)));
}

#[test]
fn embedded_tables_answer_for_layers_that_are_not_built() {
    let place = built("--seeds 2");
    let nine = ["probe", "--json", "0 1 1 0 2 2 / 0 1 0 1 1 0"];
    for dir in [&[][..], &["--dir", "tables"]] {
        let answer = call_in(place.path(), &[&nine, dir].concat()).good();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["value"], -5);
    }
    let ten = ["probe", "--json", "0 1 1 0 2 2 / 1 1 0 1 1 0"];
    let answer = call_in(place.path(), &ten).no();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["missing"], 10);
    assert_eq!(answer["value"], Value::Null);
}

#[test]
fn rulesets_share_a_folder() {
    let place = built("--seeds 3");
    for options in ["--rules abapa", "--endless nobody", "--leftovers nobody"] {
        build_in(place.path(), &format!("--seeds 3 {options}"));
    }
    let all = names(&place.path().join("tables"));
    assert_eq!(all.len(), 4 + 8 + 4 + 4, "{all:?}");
    for options in [
        "",
        "--rules abapa",
        "--endless nobody",
        "--leftovers nobody",
    ] {
        let line = format!("verify {options}");
        let told = call_in(place.path(), &words(&line)).good();
        assert_eq!(told.lines().count(), 4, "{told}");
    }
}

/// Every command that opens tables.
const OPENING: [&str; 6] = [
    "probe 0 0 0 0 0 1 2 0 0 0 0 1",
    "stats --csv",
    "verify",
    "export --format csv --seeds 4 --out -",
    "compare scores.4 --seeds 4",
    "play",
];

#[test]
fn a_named_folder_must_exist() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "Dear diary").unwrap();
    for command in OPENING {
        for dir in ["nowhere", "file", "file/under"] {
            let said = call_in(place.path(), &words(&format!("{command} --dir {dir}"))).refused();
            assert!(said.contains(dir), "krou {command}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_refused() {
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("loop", place.path().join("loop")).unwrap();
    for command in OPENING.iter().copied().chain(["build --seeds 3"]) {
        let said = call_in(place.path(), &words(&format!("{command} --dir loop"))).refused();
        assert!(said.contains("loop"), "krou {command}: {said}");
    }
}

/// A damaged table is an error; for `verify` it is the answer 'no'.
fn check_damage(place: &Path, rules: &str, parts: &[&str]) {
    for command in OPENING {
        let call = call_in(place, &words(&format!("{command} --rules {rules}")));
        let said = match command {
            "verify" => call.no(),
            _ => call.refused(),
        };
        for part in parts {
            assert!(said.contains(part), "krou {command}: {said}");
        }
    }
}

#[test]
fn a_renamed_table_of_another_ruleset_is_refused() {
    let place = built("--seeds 4");
    build_in(place.path(), "--seeds 4 --rules pratt");
    let tables = place.path().join("tables");
    let foreign = tables.join("pratt-04.value.krou");
    fs::rename(foreign, tables.join("awari-04.value.krou")).unwrap();
    let parts = ["awari-04.value.krou", "pratt-04.value"];
    check_damage(place.path(), "awari", &parts);
    let build = call_in(place.path(), &words("build --seeds 5")).refused();
    assert!(build.contains("pratt-04.value"), "{build}");
}

#[test]
fn a_truncated_table_is_refused() {
    let place = built("--seeds 4");
    let path = place.path().join("tables/awari-03.value.krou");
    let whole = fs::read(&path).unwrap();
    for length in [0, 1, 127, 128, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        check_damage(place.path(), "awari", &["awari-03.value.krou"]);
        let build = call_in(place.path(), &words("build --seeds 5")).refused();
        assert!(build.contains("awari-03.value.krou"), "{build}");
    }
}

/// A wrong bit in the last block is found when the block is read.
#[test]
fn a_damaged_block_is_refused_when_it_is_read() {
    let place = built("--seeds 4 --codec raw");
    let path = place.path().join("tables/awari-04.value.krou");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 4;
    fs::write(&path, &bytes).unwrap();
    for command in ["probe 0 0 0 0 0 1 2 0 0 0 0 1", "build --seeds 5"] {
        let said = call_in(place.path(), &words(command)).refused();
        assert!(said.contains("awari-04.value.krou"), "{said}");
    }
    let verify = call_in(place.path(), &["verify"]).no();
    assert!(verify.contains("awari-04.value.krou"), "{verify}");
    // In a batch it is an error of this line; other layers can still be probed.
    let mut krou = krou_in(place.path());
    krou.args(["probe", "--batch"]);
    let boards = format!("{BOARD}\n1 0 0 0 0 0 0 0 0 0 0 0\n");
    let lines = ended_with(&mut krou, boards).no();
    assert!(lines.starts_with("{\"error\":\""), "{lines}");
    assert!(lines.lines().nth(1).unwrap().contains("\"value\":1"));
}

#[test]
fn other_files_with_the_name_of_a_table_are_refused() {
    let place = built("--seeds 4");
    let path = place.path().join("tables/awari-02.value.krou");
    fs::write(&path, "Dear diary").unwrap();
    check_damage(place.path(), "awari", &["awari-02.value.krou"]);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check_damage(place.path(), "awari", &["awari-02.value.krou"]);
}

#[test]
fn a_gap_in_the_layers_is_filled_by_the_next_build() {
    let place = built("--seeds 5 --distance");
    let tables = place.path().join("tables");
    let whole = files(&tables);
    fs::remove_file(tables.join("awari-03.value.krou")).unwrap();
    let verify = call_in(place.path(), &["verify"]);
    assert_ne!(verify.code, Some(0), "{verify:?}");
    build_in(place.path(), "--seeds 5 --distance");
    assert_eq!(files(&tables), whole);
}
