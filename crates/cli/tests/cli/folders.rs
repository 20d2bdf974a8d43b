//! Which folder of tables is used, and which folders and tables are rejected.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{
    Outcome, build_in, built, call_in, damage, files, krou_in, names, run, run_with_input, words,
};

const BOARD: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";

/// Probes a board of a ruleset without embedded tables.
fn probe(home: &Path, args: &[&str]) -> Outcome {
    call_in(
        home,
        &[&["probe", "--rules", "awale", BOARD], args].concat(),
    )
}

/// Whether the probe found built tables; otherwise the layer is solved in memory, and that
/// is said once.
fn is_from_folder(probe: &Outcome) -> bool {
    assert_eq!(probe.code, Some(0), "{probe:?}");
    let is_solved = probe
        .stderr
        .contains("solved in memory: 'krou build --rules awale");
    assert_eq!(
        probe.stderr.lines().count(),
        usize::from(is_solved),
        "{probe:?}"
    );
    !is_solved
}

/// What is missing names the folders that were searched, and another that has it.
#[test]
fn missing_tables_name_the_folders_that_were_searched() {
    let home = tempfile::tempdir().unwrap();
    let call = |line: &str| call_in(home.path(), &words(line));
    let probe = "probe --rules awale 1 1 1 1 1 1 1 1 1 1 1 0";
    assert_eq!(call("build --rules awale --seeds 11").code, Some(0));
    assert_eq!(call(probe).code, Some(0));
    fs::create_dir(home.path().join("tables")).unwrap();
    let hidden = call(probe);
    assert_eq!(hidden.code, Some(1), "{hidden:?}");
    assert!(
        hidden.stdout.contains("with 11 seeds in tables: '--dir "),
        "{hidden:?}"
    );
    let hidden = call("stats --rules awale").error();
    assert!(
        hidden.contains("no tables for awale in tables: '--dir "),
        "{hidden}"
    );
    fs::create_dir(home.path().join("my tables")).unwrap();
    let mut export = words("export --format=csv --seeds=12 --out=- --dir");
    export.push("my tables");
    let named = call_in(home.path(), &export).error();
    let cure =
        "in my tables: build it with 'krou build --rules awari --seeds 12 --dir \"my tables\"'";
    assert!(named.ends_with(cure), "{named}");
    fs::write(home.path().join("my tables/awari-12.value.krou"), "x").unwrap();
    let mut probe = words("probe 1 1 1 1 1 1 1 1 1 1 1 1 --dir");
    probe.push("my tables");
    let named = call_in(home.path(), &probe).stdout;
    assert!(named.contains("-12.value.krou\", then build"), "{named}");
}

#[test]
fn the_default_folder_is_tables() {
    let home = built("--seeds 4 --rules awale");
    assert!(is_from_folder(&probe(home.path(), &[])));
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(!is_from_folder(&probe(elsewhere.path(), &[])));
}

#[test]
fn builds_go_to_the_data_folder_unless_tables_exists() {
    let home = tempfile::tempdir().unwrap();
    let built = call_in(home.path(), &words("build --seeds 4 --rules awale"));
    assert_eq!(built.code, Some(0), "{built:?}");
    assert!(!home.path().join("tables").exists());
    assert!(is_from_folder(&probe(home.path(), &[])));
    #[cfg(all(unix, not(target_os = "macos")))]
    assert!(home.path().join(".local/share/krou").is_dir());
    // A folder `tables` takes precedence.
    fs::create_dir(home.path().join("tables")).unwrap();
    assert!(!is_from_folder(&probe(home.path(), &[])));
}

#[test]
fn dir_overrides_krou_dir() {
    let home = tempfile::tempdir().unwrap();
    build_in(home.path(), "--seeds 4 --rules awale --dir built");
    fs::create_dir(home.path().join("empty")).unwrap();
    let from = |env: &str, args: &[&str]| {
        let mut krou = krou_in(home.path());
        krou.env("KROU_DIR", env);
        krou.args(["probe", "--rules", "awale", BOARD]);
        run(krou.args(args))
    };
    assert!(is_from_folder(&from("built", &[])));
    assert!(is_from_folder(&from("empty", &["--dir", "built"])));
    assert!(is_from_folder(&from("nowhere", &["--dir", "built"])));
    assert!(!is_from_folder(&from("built", &["--dir", "empty"])));
    assert!(from("nowhere", &[]).error().contains("nowhere"));

    let mut krou = krou_in(home.path());
    krou.env("KROU_DIR", "by-env");
    assert_eq!(run(krou.args(["build", "--seeds", "1"])).code, Some(0));
    let tables = ["awari-00.value.krou", "awari-01.value.krou"];
    assert_eq!(names(&home.path().join("by-env")), tables);
}

#[test]
fn an_empty_environment_variable_is_ignored() {
    let home = built("--seeds 4 --rules awale");
    let mut krou = krou_in(home.path());
    krou.env("KROU_DIR", "");
    krou.args(["probe", "--rules", "awale", BOARD]);
    assert!(is_from_folder(&run(&mut krou)));
}

#[test]
fn several_folders_are_merged_layer_by_layer() {
    let home = tempfile::tempdir().unwrap();
    build_in(home.path(), "--seeds 3 --rules awale --dir low");
    build_in(home.path(), "--seeds 4 --rules awale --dir high");
    for entry in fs::read_dir(home.path().join("high")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("awale-04") {
            fs::remove_file(path).unwrap();
        }
    }
    let low = probe(home.path(), &["--dir", "low"]);
    assert!(!is_from_folder(&low));
    let both = ["--dir", "low", "--dir", "high"];
    assert!(is_from_folder(&probe(home.path(), &both)));
}

#[test]
fn embedded_tables_answer_for_layers_that_the_folder_lacks() {
    let home = built("--seeds 2");
    let nine = ["probe", "--json", "0 1 1 0 2 2 / 0 1 0 1 1 0"];
    for dir in [&[][..], &["--dir", "tables"]] {
        let answer = call_in(home.path(), &[&nine, dir].concat()).success();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["value"], -5);
    }
    let eleven = ["probe", "--json", "0 1 1 0 2 2 / 1 1 0 1 1 1"];
    let answer = call_in(home.path(), &eleven).exit_1();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["missing"], 11);
    assert_eq!(answer["value"], Value::Null);
}

#[test]
fn rulesets_share_a_folder() {
    let home = built("--seeds 3");
    for options in ["--rules awale", "--endless nobody", "--leftovers nobody"] {
        build_in(home.path(), &format!("--seeds 3 {options}"));
    }
    let all = names(&home.path().join("tables"));
    assert_eq!(all.len(), 4 + 8 + 4 + 4, "{all:?}");
    for options in [
        "",
        "--rules awale",
        "--endless nobody",
        "--leftovers nobody",
    ] {
        let line = format!("verify {options}");
        let output = call_in(home.path(), &words(&line)).success();
        // A line for each layer, and the verdict.
        assert_eq!(output.lines().count(), 5, "{output}");
    }
}

/// Every command that opens tables.
const COMMANDS: [&str; 8] = [
    "probe 0 0 0 0 0 1 2 0 0 0 0 1",
    "stats --csv",
    "verify",
    "export --format csv --seeds 4 --out -",
    "compare scores.4 --seeds 4",
    "query --seeds 4 --count",
    "puzzles --seeds 4 --count 1",
    "play",
];

#[test]
fn a_named_folder_must_exist() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("file"), "not a table").unwrap();
    for command in COMMANDS {
        for dir in ["nowhere", "file", "file/under"] {
            let message = call_in(home.path(), &words(&format!("{command} --dir {dir}"))).error();
            assert!(message.contains(dir), "krou {command}: {message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_loop_of_links_is_rejected() {
    let home = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("loop", home.path().join("loop")).unwrap();
    for command in COMMANDS.iter().copied().chain(["build --seeds 3"]) {
        let message = call_in(home.path(), &words(&format!("{command} --dir loop"))).error();
        assert!(message.contains("loop"), "krou {command}: {message}");
    }
}

/// Checks that every command reports a damaged table once and goes on with the others;
/// `verify` gives the answer 'no'.
fn assert_damage_is_reported(home: &Path, rules: &str, parts: &[&str]) {
    for command in COMMANDS {
        let call = call_in(home, &words(&format!("{command} --rules {rules}")));
        if command == "verify" {
            let report = call.exit_1();
            assert!(parts.iter().all(|part| report.contains(part)), "{report}");
            continue;
        }
        let warnings = call.stderr.lines();
        let warnings: Vec<&str> = warnings
            .filter(|line| line.starts_with("krou: warning: "))
            .collect();
        let [warning] = warnings[..] else {
            panic!("krou {command}: {call:?}");
        };
        assert!(parts.iter().all(|part| warning.contains(part)), "{call:?}");
        // There is no file of scores to compare with.
        let code = if command.starts_with("compare") { 2 } else { 0 };
        assert_eq!(call.code, Some(code), "krou {command}: {call:?}");
    }
}

#[test]
fn a_renamed_table_of_another_ruleset_is_rejected() {
    let home = built("--seeds 4");
    build_in(home.path(), "--seeds 4 --rules pratt");
    let tables = home.path().join("tables");
    let foreign = tables.join("pratt-04.value.krou");
    fs::rename(foreign, tables.join("awari-04.value.krou")).unwrap();
    let parts = ["awari-04.value.krou", "pratt-04.value"];
    assert_damage_is_reported(home.path(), "awari", &parts);
    let build = call_in(home.path(), &words("build --seeds 5")).error();
    assert!(build.contains("pratt-04.value"), "{build}");
}

/// A layer is refused only if its table is damaged, or that of a layer which its moves lead to:
/// captures of `awale` take two seeds or more, those of `kalah` one.
#[test]
fn a_damaged_table_closes_no_other_layer() {
    let home = built("--seeds 12 --rules awale");
    build_in(home.path(), "--seeds 12 --rules kalah");
    let call = |line: &str| call_in(home.path(), &words(line));
    let cut = |name: &str| fs::write(home.path().join("tables").join(name), "").unwrap();
    let whole = call("stats --csv --rules awale").success();
    cut("awale-11.value.krou");
    cut("kalah-11.value.krou");
    let counted = call("stats --csv --rules awale");
    assert_eq!(counted.code, Some(2), "{counted:?}");
    let others = whole.lines().filter(|line| !line.starts_with("11,"));
    assert!(counted.stdout.lines().eq(others), "{}", counted.stdout);
    let told = "krou: the layers of 11 seeds are not counted: tables/awale-11.value.krou";
    assert!(counted.stderr.starts_with(told), "{counted:?}");
    assert_eq!(counted.stderr.lines().count(), 1, "{counted:?}");
    for (line, refused) in [
        ("query --count --rules awale --seeds 12", None),
        (
            "query --count --rules awale --seeds 10..12",
            Some("awale-11"),
        ),
        ("query --count --rules kalah --seeds 12", Some("kalah-11")),
        ("export --format csv --out - --rules awale --seeds 12", None),
        (
            "export --format csv --out - --rules kalah --seeds 12",
            Some("kalah-11"),
        ),
        ("puzzles --count 1 --rules awale --seeds 12", None),
        (
            "puzzles --count 1 --rules awale --seeds 11",
            Some("awale-11"),
        ),
        ("probe --rules awale 1 1 1 1 1 1 1 1 1 1 0 0", None),
        ("probe --rules awale 2 1 1 1 1 1 1 1 1 1 1 0", None),
    ] {
        let answer = call(line);
        assert_eq!(answer.stderr.lines().count(), 1, "{line}: {answer:?}");
        match refused {
            Some(file) => assert!(answer.error().contains(file), "{line}"),
            None => assert_eq!(answer.code, Some(0), "{line}"),
        }
    }
    assert_eq!(
        call("probe --rules awale 1 1 1 1 1 1 1 1 1 1 1 0").code,
        Some(1)
    );
    // Small layers are solved in memory.
    cut("awale-06.value.krou");
    assert_eq!(call("stats --csv --rules awale").stdout, counted.stdout);
}

/// More tables than the soft limit of descriptors.
#[cfg(unix)]
#[test]
fn the_soft_limit_of_descriptors_is_raised() {
    let home = built("--seeds 12 --distance");
    let krou = env!("CARGO_BIN_EXE_krou");
    let mut shell = crate::program::isolated("sh", home.path());
    shell.args([
        "-c",
        &format!("ulimit -Sn 16 && exec '{krou}' stats --csv --seeds 3"),
    ]);
    run(&mut shell).success();
}

#[test]
fn damaged_blocks_are_found_when_they_are_read() {
    let home = built("--seeds 4 --codec raw");
    damage(home.path().join("tables/awari-04.value.krou"));
    for command in ["probe 0 0 0 0 0 1 2 0 0 0 0 1", "build --seeds 5"] {
        let message = call_in(home.path(), &words(command)).error();
        assert!(message.contains("awari-04.value.krou"), "{message}");
    }
    let verify = call_in(home.path(), &["verify"]).exit_1();
    assert!(verify.contains("awari-04.value.krou"), "{verify}");
    // In a batch it is an error of one line; other layers can still be probed.
    let mut krou = krou_in(home.path());
    krou.args(["probe", "--batch"]);
    let boards = format!("{BOARD}\n1 0 0 0 0 0 0 0 0 0 0 0\n");
    let lines = run_with_input(&mut krou, boards).exit_1();
    assert!(lines.starts_with("{\"error\":\""), "{lines}");
    assert!(lines.lines().nth(1).unwrap().contains("\"value\":1"));
}

#[test]
fn other_files_named_like_a_table_are_rejected() {
    let home = built("--seeds 4");
    let path = home.path().join("tables/awari-02.value.krou");
    fs::write(&path, "not a table").unwrap();
    assert_damage_is_reported(home.path(), "awari", &["awari-02.value.krou"]);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_damage_is_reported(home.path(), "awari", &["awari-02.value.krou"]);
}

#[test]
fn a_gap_in_the_layers_is_filled_by_the_next_build() {
    let home = built("--seeds 5 --distance");
    let tables = home.path().join("tables");
    let whole = files(&tables);
    fs::remove_file(tables.join("awari-03.value.krou")).unwrap();
    let verify = call_in(home.path(), &["verify"]);
    assert_ne!(verify.code, Some(0), "{verify:?}");
    build_in(home.path(), "--seeds 5 --distance");
    assert_eq!(files(&tables), whole);
}
