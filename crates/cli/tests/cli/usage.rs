//! Wrong usage with hostile arguments: exit code 2, one sentence on stderr, and nothing on stdout.

use crate::support::call;

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
