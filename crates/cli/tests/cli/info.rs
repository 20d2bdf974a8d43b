//! `krou info` lists what the headers of tables say, and `krou verify --manifest` compares
//! tables with such a list.

use std::fs;

use serde_json::Value;

use crate::support::{Outcome, build_in, built, call, call_in, damage_table, words};

#[test]
fn info_lists_the_tables_of_a_folder() {
    let home = built("--seeds 3 --distance");
    let info = |line: &str| call_in(home.path(), &words(line)).success();
    let listing = info("info");
    assert_eq!(listing.lines().count(), 1 + 8, "{listing}");
    let columns: Vec<&str> = listing.lines().next().unwrap().split_whitespace().collect();
    let expected = "table seeds kind codec version boards bytes bits hash";
    assert_eq!(columns, words(expected));
    let json = info("info --json tables/awari-03.value.krou");
    let table: Value = serde_json::from_str(&json).unwrap();
    let field = |name: &str| table[name].clone();
    assert_eq!(field("file"), "tables/awari-03.value.krou");
    assert_eq!(field("rules"), "awari");
    assert_eq!((field("seeds"), field("kind")), (3.into(), "value".into()));
    assert_eq!(
        (field("codec"), field("version")),
        ("small".into(), 2.into())
    );
    let file = home.path().join("tables/awari-03.value.krou");
    assert_eq!(field("bytes"), fs::metadata(file).unwrap().len());
    assert_eq!(field("hash").as_str().unwrap().len(), 16);
    assert_eq!(info("info tables --check"), info("info tables"));
    assert_eq!(info("info --csv").lines().count(), 1 + 8);
}

#[test]
fn info_reports_damage_and_lists_the_rest() {
    let home = built("--seeds 3");
    damage_table(&home, "awari-02.value.krou");
    // The damage is in a block, which only `--check` reads.
    call_in(home.path(), &words("info")).success();
    let outcome = call_in(home.path(), &words("info --check"));
    assert_eq!(outcome.code, Some(1));
    assert_eq!(outcome.stdout.lines().count(), 1 + 3);
    assert!(outcome.stderr.contains("awari-02.value.krou"));
    fs::write(home.path().join("notes.krou"), "not a table").unwrap();
    let outcome = call_in(home.path(), &words("info notes.krou missing.krou"));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("notes.krou: is not a krou table"));
    assert!(outcome.stderr.contains("missing.krou"));
}

#[test]
fn info_of_files_that_are_no_tables_prints_no_head() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("notes.txt"), "Dear diary").unwrap();
    let Outcome {
        code,
        stdout,
        stderr,
    } = call_in(home.path(), &["info", "notes.txt"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert_eq!(
        stderr,
        "krou: notes.txt: is not a krou table: name another file, or move it away\n"
    );
}

#[test]
fn info_without_tables_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("tables")).unwrap();
    let error = call_in(home.path(), &["info"]).error();
    assert!(
        error.starts_with("there are no tables in tables"),
        "{error}"
    );
    let error = call(&["info"]).error();
    assert!(error.contains("krou"), "{error}");
}

#[test]
fn verify_compares_tables_with_the_manifest() {
    for options in ["--seeds 5", "--seeds 5 --rules abapa"] {
        let home = built(options);
        let rules = options.strip_prefix("--seeds 5").unwrap();
        let line = format!("verify --manifest{rules}");
        let output = call_in(home.path(), &words(&line)).success();
        let tables = if rules.is_empty() { 6 } else { 12 };
        let equal = output.lines().filter(|line| line.ends_with(".krou: equal"));
        assert_eq!(equal.count(), tables, "{output}");
        let last = format!("{tables} tables are equal, 0 are not in the manifest\n");
        assert!(output.ends_with(&last), "{output}");
    }
    let home = built("--seeds 4 --rules kalah");
    let output = call_in(home.path(), &words("verify --manifest --rules kalah")).success();
    assert!(
        output
            .lines()
            .all(|line| line.ends_with("not in the manifest"))
    );
}

#[test]
fn differences_from_a_manifest_are_found() {
    let home = built("--seeds 6");
    let csv = call_in(home.path(), &words("info --csv")).success();
    let manifest = home.path().join("manifest.csv");
    let verify = || call_in(home.path(), &words("verify --manifest=manifest.csv"));
    fs::write(&manifest, &csv).unwrap();
    verify().success();
    let line = csv
        .lines()
        .find(|line| line.starts_with("awari-04"))
        .unwrap();
    let hash = line.rsplit(',').next().unwrap();
    fs::write(&manifest, csv.replace(hash, "0123456789abcdef")).unwrap();
    let output = verify().exit_1();
    assert!(output.contains("awari-04.value.krou: differs from the manifest\n"));
    assert_eq!(
        output
            .lines()
            .filter(|line| line.ends_with(": equal"))
            .count(),
        6
    );
    fs::write(&manifest, &csv).unwrap();
    damage_table(&home, "awari-03.value.krou");
    assert!(verify().exit_1().contains("awari-03.value.krou"));
    fs::remove_dir_all(home.path().join("tables")).unwrap();
    build_in(home.path(), "--seeds 6 --codec raw");
    let output = verify().exit_1();
    assert!(output.contains("cannot be compared: it has the codec raw"));
    fs::write(&manifest, "seeds,value,count\n").unwrap();
    assert!(
        verify()
            .error()
            .starts_with("manifest.csv is not a manifest")
    );
    fs::remove_file(&manifest).unwrap();
    assert!(
        verify()
            .error()
            .starts_with("cannot read the manifest manifest.csv")
    );
}
