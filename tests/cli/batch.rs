//! `krou probe --batch`: one line of output for each line of input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Ended, call, call_in, call_with, krou_in};

fn batch(input: impl Into<Vec<u8>>) -> Ended {
    call_with(&["probe", "--batch"], input)
}

fn single(board: &str) -> String {
    call(&["probe", "--json", board]).good()
}

/// The error in the answer to a bad line, which has nothing else.
fn complaint(line: &str) -> String {
    let answer: Value = serde_json::from_str(line).unwrap();
    let answer = answer.as_object().unwrap();
    assert_eq!(answer.len(), 1, "{line}");
    answer["error"].as_str().unwrap().to_owned()
}

const ONE: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";
const TWO: &str = "1 0 0 0 0 1 / 0 0 0 0 0 0";

#[test]
fn each_line_gets_the_answer_of_a_single_board() {
    let both = single(ONE) + &single(TWO);
    // The last line may lack its line feed, and lines may end as on Windows.
    for input in [
        format!("{ONE}\n{TWO}\n"),
        format!("{ONE}\n{TWO}"),
        format!("{ONE}\r\n{TWO}\r\n"),
        "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S\n0-0-0-0-0-0-1-0-0-0-0-1-9-9-N\n".to_owned(),
    ] {
        assert_eq!(batch(input.clone()).good(), both, "{input:?}");
    }
    let json = call_with(&["probe", "--batch", "--json"], format!("{ONE}\n{TWO}\n"));
    assert_eq!(json.good(), both);
    assert_eq!(batch("").good(), "");
}

#[test]
fn answers_keep_the_order_of_the_lines() {
    let boards: Vec<[u8; 12]> = (0..20_000_u32)
        .map(|i| {
            let mut pits = [0; 12];
            for pit in [i % 12, i / 12 % 12, i / 144 % 12, i / 1728 % 12] {
                pits[pit as usize] += 1;
            }
            pits
        })
        .collect();
    let lines: Vec<String> = boards.iter().map(|b| format!("{b:?}")).collect();
    let input: String = lines.join("\n").replace(['[', ']'], "");
    let out = batch(input).good();
    assert_eq!(out.lines().count(), boards.len());
    for (board, line) in boards.iter().zip(out.lines()) {
        let text = format!("{{\"board\":{board:?},").replace(' ', "");
        assert!(line.starts_with(&text), "{line}");
    }
}

#[test]
fn bad_lines_get_an_error_and_the_others_an_answer() {
    let bad: [(&[u8], &str); 13] = [
        (b"", "0 were given"),
        (b"   ", "0 were given"),
        (b"1 2 3", "3 were given"),
        (b"0 0 0 0 0 0 0 0 0 0 0 0 0", "13 were given"),
        (b"0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
        (b"-1 0 0 0 0 0 0 0 0 0 0 0", "'-1' (number 1"),
        (b"0 0 99999999999999999999999 0 0 0 0 0 0 0 0 0", "number 3"),
        (b"48 1 0 0 0 0 0 0 0 0 0 0", "49 seeds"),
        (b"4-4-4", "engine notation needs 15 parts"),
        (b"4-4-4-4-4-4-4-4-4-4-4-4-0-0-W", "'W' is not a side"),
        (b"\xff\xfe0 0 0 0 0 0 0 0 0 0 0 1", "not UTF-8 text"),
        (b"{\"board\":[0,0,0,0,0,0,0,0,0,0,0,1]}", "number 1"),
        (b"0 0 0 0 0 0 0 0 0 0 0 \0", "number 12"),
    ];
    let mut input = Vec::new();
    for (line, _) in bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(ONE.as_bytes());
        input.push(b'\n');
    }
    let out = batch(input).no();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2 * bad.len());
    for ((line, part), answers) in bad.iter().zip(lines.chunks(2)) {
        let said = complaint(answers[0]);
        assert!(said.contains(part), "{}: {said}", line.escape_ascii());
        assert!(!said.contains(char::is_control));
        assert_eq!(format!("{}\n", answers[1]), single(ONE));
    }
}

#[test]
fn a_missing_layer_gives_exit_code_1() {
    let out = batch(format!("4 4 4 4 4 4 4 4 4 4 4 4\n{ONE}\n")).no();
    let (missing, answered) = out.split_once('\n').unwrap();
    let missing: Value = serde_json::from_str(missing).unwrap();
    assert_eq!(missing["missing"], 48);
    assert_eq!(missing["value"], Value::Null);
    assert_eq!(answered, single(ONE));
}

#[test]
fn a_file_is_read_like_standard_input() {
    let place = tempfile::tempdir().unwrap();
    let input = format!("{ONE}\n\nnonsense\r\n{TWO}");
    std::fs::write(place.path().join("boards.txt"), &input).unwrap();
    let from_file = call_in(place.path(), &["probe", "--batch", "boards.txt"]);
    assert_eq!(from_file, batch(input.clone()));
    assert_eq!(from_file.no().lines().count(), 4);
    let dash = call_with(&["probe", "--batch", "-"], input.clone());
    assert_eq!(dash, batch(input));
}

#[test]
fn a_line_of_a_megabyte_is_one_bad_line() {
    let input = format!("{}\n{ONE}\n{}", "7".repeat(1 << 20), "1 ".repeat(1 << 19));
    let out = batch(input).no();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        complaint(lines[0]).len() < 200,
        "a long line is not repeated"
    );
    assert_eq!(format!("{}\n", lines[1]), single(ONE));
    for line in [lines[0], lines[2]] {
        assert_eq!(complaint(line), "the line is too long");
    }
}

/// A program that sends one board after another gets each answer at once.
#[test]
fn an_answer_does_not_wait_for_the_next_line() {
    let place = tempfile::tempdir().unwrap();
    let mut krou = krou_in(place.path())
        .args(["probe", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = krou.stdin.take().unwrap();
    let mut answers = BufReader::new(krou.stdout.take().unwrap());
    for board in [ONE, TWO, ONE] {
        writeln!(input, "{board}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, single(board));
    }
    drop(input);
    assert_eq!(krou.wait().unwrap().code(), Some(0));
}
