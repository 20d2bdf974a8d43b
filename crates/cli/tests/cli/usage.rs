//! Wrong usage: exit code 2, one sentence on stderr that names what is wrong, and nothing on
//! stdout.

use crate::support::{call, call_in, call_with_input, words};

/// The error message of a call.
fn error_of(line: &str) -> String {
    call(&words(line)).error()
}

#[test]
fn invalid_boards_are_rejected() {
    for (board, part) in [
        ("", "0 were given"),
        ("1 2 3", "3 were given"),
        ("0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
        ("-1 0 0 0 0 0 0 0 0 0 0 0", "'-1'"),
        ("0 0 0 0 0 -1 0 0 0 0 0 0", "'-1' (number 6"),
        ("4 4 4 4 4 4 4 4 4 4 4 5", "49 seeds"),
        ("4-4-4", "engine notation needs 15 parts"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds"),
    ] {
        for command in ["probe", "moves"] {
            for json in [&["--json"][..], &[]] {
                let message = call(&[&[command, board], json].concat()).error();
                assert!(message.contains(part), "{command} {board}: {message}");
            }
        }
    }
    // With each number as an argument of its own, a minus sign does not make it an option.
    for command in ["probe", "moves"] {
        let message = error_of(&format!("{command} -1 0 0 0 0 0 0 0 0 0 0 0"));
        assert!(message.contains("'-1'"), "{message}");
        let message = error_of(&format!("{command} 0 0 0 0 0 0 0 0 0 0 0 -1x"));
        assert!(message.contains("'-1"), "{message}");
    }
}

#[test]
fn missing_boards_are_rejected() {
    for command in ["probe", "moves"] {
        assert!(error_of(command).contains("a board is missing"));
        let both = call_with_input(&[command, "1", "--batch"], "").error();
        assert!(both.contains("--batch"), "{both}");
    }
}

#[test]
fn numbers_out_of_range_are_rejected() {
    for seeds in words("49 -1 255 256 99999999999999999999 x 4.5 0x4") {
        for command in ["build", "stats", "verify", "export", "compare"] {
            let message = call(&[command, "--seeds", seeds]).error();
            assert!(
                message.contains(seeds) && message.contains("0 to 48"),
                "{command}: {message}"
            );
        }
    }
    for (option, values) in [
        ("--threads", ["0", "-2", "x", "99999999999999999999"]),
        ("--memory", ["lots", "1.5G", "-1G", "99999999999T"]),
    ] {
        for value in values {
            let message = call(&["build", "--seeds", "3", option, value]).error();
            assert!(
                message.contains(option) && message.contains(value),
                "{message}"
            );
        }
    }
    for sample in ["-1", "x", "99999999999999999999"] {
        let message = call(&["verify", "--sample", sample]).error();
        assert!(message.contains("--sample"), "{message}");
    }
}

#[test]
fn sizes_of_table_memory_are_checked() {
    for command in ["probe 1", "review game.ogn", "engine"] {
        for size in ["-1", "much", "1.5G", "99999999T"] {
            let message = error_of(&format!("{command} --table-memory {size}"));
            assert!(
                message.contains("--table-memory") && message.contains(size),
                "{command}: {message}"
            );
        }
    }
}

#[test]
fn unknown_rulesets_are_rejected_with_a_list() {
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
        let message = error_of(&format!("{command} --rules awri"));
        assert!(
            message.contains("'awri': did you mean 'awari'?"),
            "{message}"
        );
        let message = error_of(&format!("{command} --rules chess"));
        assert!(
            message.contains("'chess': choose one of awari, awale"),
            "{message}"
        );
        let message = error_of(&format!("{command} --endless never"));
        assert!(
            message.contains("never") && message.contains("by-side"),
            "{message}"
        );
        let message = error_of(&format!("{command} --grand-slam big"));
        assert!(
            message.contains("big") && message.contains("illegal"),
            "{message}"
        );
        let message = error_of(&format!("{command} --leftovers me"));
        assert!(
            message.contains("me") && message.contains("nobody"),
            "{message}"
        );
        let message = error_of(&format!("{command} --rules kalah --grand-slam all"));
        assert!(message.contains("does not apply to kalah"), "{message}");
    }
    for (args, part) in [
        ("--rules Abap", "'Abap': did you mean 'abapa'?"),
        ("--rules mangla", "did you mean 'mangala'?"),
        (
            "--rules oware+illegal",
            "there is no ruleset 'oware+illegal': choose",
        ),
        (
            "--rules ifmg --feeding penalty",
            "--feeding does not apply to ifmg",
        ),
    ] {
        let message = error_of(&format!("moves {board} {args}"));
        assert!(message.contains(part), "{args}: {message}");
    }
}

#[test]
fn wrong_usage_gives_one_sentence() {
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
        let message = error_of(line);
        assert!(message.contains(part), "{line}: {message}");
    }
}

/// Words that are near to no other have no suggestion.
const SUGGESTIONS: &str = "\
prob => there is no command 'prob': did you mean 'probe'? See 'krou --help'
zzz => there is no command 'zzz'; see 'krou --help'
probe --jsn 1 => unexpected argument '--jsn' found: did you mean '--json'? See 'krou probe --help'
build --seeds 3 --codec smal => invalid value 'smal' for '--codec <WORD>' [possible values: raw, \
    zstd, packed, small]: did you mean 'small'? See 'krou build --help'
solve => there is no command 'solve'; see 'krou --help'
perft 3 => there is no command 'perft'; see 'krou --help'
version => there is no command 'version'; see 'krou --help'
build 12 => unexpected argument '12' found: did you mean '--seeds 12'? See 'krou build --help'
rules 12 => unexpected argument '12' found; see 'krou rules --help'
build --seeds 3 --checkpoint 1 => unexpected argument '1' found: did you mean \
    '--checkpoint=1'? See 'krou build --help'
verify --manifest file.csv => unexpected argument 'file.csv' found: did you mean \
    '--manifest=file.csv'? See 'krou verify --help'
rules --csv => unexpected argument '--csv' found; see 'krou rules --help'";

#[test]
fn misspelled_words_give_a_suggestion() {
    for row in SUGGESTIONS.lines() {
        let (line, expected) = row.split_once(" => ").unwrap();
        assert_eq!(error_of(line), expected);
    }
}

/// Quoted control characters neither break the line nor reach the terminal.
#[test]
fn control_characters_are_escaped_in_messages() {
    let board = "0 0 0 0 0 1 2 0 0 0 0 1";
    let mut failures = Vec::new();
    for text in ["a\nb", "a\rb", "a\u{1b}[31mb", "a\u{7}b\n\nc"] {
        for args in [
            vec![text],
            vec!["probe", text],
            vec!["moves", text],
            vec!["probe", "--rules", text, board],
            vec!["probe", "--endless", text, board],
            vec!["probe", "--dir", text, board],
            vec!["probe", "--batch", text],
            vec!["stats", "--dir", text],
            vec!["build", "--seeds", text],
            vec!["build", "--seeds", "3", "--memory", text],
            vec!["play", "--board", text],
            vec!["compare", "--seeds", "3", text],
            vec!["export", "--seeds", "3", "--format", text, "--out", "f"],
        ] {
            let outcome = call(&args);
            assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
            let sentence = outcome.stderr.strip_prefix("krou: ");
            let sentence = sentence.and_then(|message| message.strip_suffix('\n'));
            if sentence.is_none_or(|message| message.contains(char::is_control)) {
                failures.push(format!("{args:?}: {:?}", outcome.stderr));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_rejected() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let invalid = OsStr::from_bytes(b"\xff\xfe1");
    for args in [
        vec![invalid],
        vec![OsStr::new("probe"), invalid],
        vec![OsStr::new("build"), OsStr::new("--seeds"), invalid],
        vec![OsStr::new("stats"), OsStr::new("--rules"), invalid],
        vec![OsStr::new("stats"), OsStr::new("--dir"), invalid],
    ] {
        call(&args).error();
    }
}

#[test]
fn errors_of_the_system_say_what_to_do() {
    for (line, advice) in [
        ("review nosuch", "cannot read nosuch: "),
        ("review nosuch", ": check the name"),
        ("play --load nosuch", ": check the name"),
        ("verify --manifest=nosuch", ": check the name"),
        ("stats --plot nosuch/x.svg", ": check the name"),
        ("compare nosuch --seeds 3", ": name another file"),
        (
            "export --format npy --seeds 3 --out nosuch/x",
            ": make the folder first",
        ),
    ] {
        let message = error_of(line);
        assert!(message.contains(advice), "{line}: {message}");
        assert!(!message.contains("os error"), "{line}: {message}");
    }
}

/// A folder can be opened but not read.
#[test]
fn unreadable_batch_files_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("games")).unwrap();
    for command in ["probe", "moves"] {
        for file in ["no-such-file", "no-such-folder/file", "games"] {
            let message = call_in(home.path(), &[command, "--batch", file]).error();
            assert!(
                message.contains(file) && !message.contains("os error"),
                "{message}"
            );
        }
    }
}
