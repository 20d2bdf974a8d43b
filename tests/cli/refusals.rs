//! Bad usage: exit code 2, one sentence on stderr that names the bad part, and nothing
//! on stdout.

use crate::support::{call, call_in, call_with, words};

/// The sentence of a call that is refused.
fn refused(line: &str) -> String {
    call(&words(line)).refused()
}

#[test]
fn bad_boards_are_refused_with_the_bad_part() {
    for (board, part) in [
        ("", "0 were given"),
        ("1 2 3", "3 were given"),
        ("0 0 0 0 0 0 0 0 0 0 0 0 0", "13 were given"),
        ("0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
        ("-1 0 0 0 0 0 0 0 0 0 0 0", "'-1'"),
        ("0 0 0 0 0 -1 0 0 0 0 0 0", "'-1' (number 6"),
        ("1.5 0 0 0 0 0 0 0 0 0 0 0", "'1.5' (number 1"),
        ("1e1 0 0 0 0 0 0 0 0 0 0 0", "'1e1' (number 1"),
        ("+1 0 0 0 0 0 0 0 0 0 0 0", "'+1' (number 1"),
        ("49 0 0 0 0 0 0 0 0 0 0 0", "'49' (number 1"),
        ("256 0 0 0 0 0 0 0 0 0 0 0", "'256' (number 1"),
        (
            "99999999999999999999999999 0 0 0 0 0 0 0 0 0 0 0",
            "(number 1 of the board)",
        ),
        ("4 4 4 4 4 4 4 4 4 4 4 5", "49 seeds"),
        ("48 48 48 48 48 48 48 48 48 48 48 48", "576 seeds"),
        ("4-4-4", "engine notation needs 15 parts"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "'X' is not a side"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds"),
    ] {
        for command in ["probe", "moves"] {
            for json in [&["--json"][..], &[]] {
                let said = call(&[&[command, board], json].concat()).refused();
                assert!(said.contains(part), "{command} {board}: {said}");
            }
        }
    }
    // With each number as an argument of its own, a minus sign does not make it an option.
    for command in ["probe", "moves"] {
        let said = refused(&format!("{command} -1 0 0 0 0 0 0 0 0 0 0 0"));
        assert!(said.contains("'-1'"), "{said}");
        let said = refused(&format!("{command} 0 0 0 0 0 0 0 0 0 0 0 -1x"));
        assert!(said.contains("'-1"), "{said}");
    }
}

#[test]
fn a_missing_board_is_refused() {
    for command in ["probe", "moves"] {
        assert!(refused(command).contains("a board is missing"));
        let both = call_with(&[command, "1", "--batch"], "").refused();
        assert!(both.contains("--batch"), "{both}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for seeds in [
        "49",
        "-1",
        "255",
        "256",
        "99999999999999999999",
        "x",
        "4.5",
        "0x4",
    ] {
        for command in ["build", "stats", "verify", "export", "compare"] {
            let said = call(&[command, "--seeds", seeds]).refused();
            assert!(
                said.contains(seeds) && said.contains("0 to 48"),
                "{command}: {said}"
            );
        }
    }
    for (option, values) in [
        ("--threads", ["0", "-2", "x", "99999999999999999999"]),
        ("--memory", ["lots", "1.5G", "8X", "99999999999T"]),
    ] {
        for value in values {
            let said = call(&["build", "--seeds", "3", option, value]).refused();
            assert!(said.contains(option) && said.contains(value), "{said}");
        }
    }
    for sample in ["-1", "x", "99999999999999999999"] {
        let said = call(&["verify", "--sample", sample]).refused();
        assert!(said.contains("--sample"), "{said}");
    }
}

/// A minus sign does not make the size an option.
#[test]
fn negative_memory_is_a_bad_value() {
    let said = refused("build --seeds 3 --memory -1G");
    assert!(said.contains("--memory") && said.contains("-1G"), "{said}");
}

#[test]
fn unknown_rules_are_refused_with_a_list() {
    let board = "0 0 0 0 0 1 2 0 0 0 0 1";
    for command in [
        &format!("probe {board}"),
        &format!("moves {board}"),
        "stats",
        "verify",
        "build --seeds 3",
        "export --format csv --seeds 3 --out -",
        "compare scores.3 --seeds 3",
        "play",
    ] {
        let said = refused(&format!("{command} --rules awri"));
        assert!(said.contains("'awri'") && said.contains("awari"), "{said}");
        let said = refused(&format!("{command} --endless never"));
        assert!(said.contains("never") && said.contains("by-side"), "{said}");
        let said = refused(&format!("{command} --grand-slam big"));
        assert!(said.contains("big") && said.contains("illegal"), "{said}");
        let said = refused(&format!("{command} --leftovers me"));
        assert!(said.contains("me") && said.contains("nobody"), "{said}");
        let said = refused(&format!("{command} --rules kalah --grand-slam all"));
        assert!(said.contains("does not apply to kalah"), "{said}");
    }
}

#[test]
fn bad_usage_gives_one_sentence() {
    for (line, part) in [
        ("nonsense", "nonsense"),
        ("build", "--seeds"),
        ("build --seeds", "--seeds"),
        ("build --seeds 3 --speed 9", "--speed"),
        ("build --seeds 3 --seeds 4", "--seeds"),
        ("build 3", "3"),
        ("probe --jsn 1", "--jsn"),
        ("stats --csv yes", "yes"),
        ("rules --csv", "--csv"),
        ("verify --rules", "--rules"),
        ("moves --dir tables 1", "--dir"),
        ("probe --dir", "--dir"),
    ] {
        let said = refused(line);
        assert!(said.contains(part), "{line}: {said}");
    }
}

/// Quoted control characters neither break the sentence nor reach the terminal.
#[test]
fn control_characters_stay_out_of_messages() {
    let board = "0 0 0 0 0 1 2 0 0 0 0 1";
    let mut broken = Vec::new();
    for strange in ["a\nb", "a\rb", "a\u{1b}[31mb", "a\u{7}b\n\nc"] {
        for args in [
            vec![strange],
            vec!["probe", strange],
            vec!["moves", strange],
            vec!["probe", "--rules", strange, board],
            vec!["probe", "--endless", strange, board],
            vec!["probe", "--dir", strange, board],
            vec!["probe", "--batch", strange],
            vec!["stats", "--dir", strange],
            vec!["build", "--seeds", strange],
            vec!["build", "--seeds", "3", "--memory", strange],
            vec!["play", "--board", strange],
            vec!["compare", "--seeds", "3", strange],
            vec!["export", "--seeds", "3", "--format", strange, "--out", "f"],
        ] {
            let ended = call(&args);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
            let sentence = ended.stderr.strip_prefix("krou: ");
            let sentence = sentence.and_then(|said| said.strip_suffix('\n'));
            if sentence.is_none_or(|said| said.contains(char::is_control)) {
                broken.push(format!("{args:?}: {:?}", ended.stderr));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let broken = OsStr::from_bytes(b"\xff\xfe1");
    for args in [
        vec![broken],
        vec![OsStr::new("probe"), broken],
        vec![OsStr::new("build"), OsStr::new("--seeds"), broken],
        vec![OsStr::new("stats"), OsStr::new("--rules"), broken],
        vec![OsStr::new("stats"), OsStr::new("--dir"), broken],
    ] {
        call(&args).refused();
    }
}

#[test]
fn an_unreadable_batch_file_is_refused() {
    for command in ["probe", "moves"] {
        let said = refused(&format!("{command} --batch no-such-file"));
        assert!(said.contains("no-such-file"), "{said}");
        let said = refused(&format!("{command} --batch no-such-folder/file"));
        assert!(said.contains("no-such-folder/file"), "{said}");
    }
}

/// A folder can be opened but not read.
#[test]
fn a_folder_as_a_batch_file_is_refused() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("games")).unwrap();
    for command in ["probe", "moves"] {
        let args = [command, "--batch", "games"];
        let said = call_in(place.path(), &args).refused();
        assert!(said.contains("games"), "{said}");
    }
}
