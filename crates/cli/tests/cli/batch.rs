//! `krou probe --batch`: one line of output for each line of input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Outcome, call, call_in, call_with_input, krou_in};

fn batch(input: impl Into<Vec<u8>>) -> Outcome {
    call_with_input(&["probe", "--batch"], input)
}

fn single(board: &str) -> String {
    call(&["probe", "--json", board]).success()
}

/// The error message of an answer, which must have no other field.
fn error_of(line: &str) -> String {
    let answer: Value = serde_json::from_str(line).unwrap();
    let answer = answer.as_object().unwrap();
    assert_eq!(answer.len(), 1, "{line}");
    answer["error"].as_str().unwrap().to_owned()
}

const ONE: &str = "0 0 0 0 0 1 / 2 0 0 0 0 1";
const TWO: &str = "1 0 0 0 0 1 / 0 0 0 0 0 0";

#[test]
fn a_line_is_answered_like_a_single_board() {
    let both = single(ONE) + &single(TWO);
    // The last line may lack a line feed, and lines may end in CR LF.
    for input in [
        format!("{ONE}\n{TWO}\n"),
        format!("{ONE}\n{TWO}"),
        format!("{ONE}\r\n{TWO}\r\n"),
        "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S\n1-0-0-0-0-1-0-0-0-0-0-0-9-9-S\n".to_owned(),
    ] {
        assert_eq!(batch(input.clone()).success(), both, "{input:?}");
    }
    let json = call_with_input(&["probe", "--batch", "--json"], format!("{ONE}\n{TWO}\n"));
    assert_eq!(json.success(), both);
    let utf16 = format!("\u{feff}{ONE}\n{TWO}\n");
    let utf16: Vec<u8> = utf16.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(batch(utf16).success(), both);
    assert_eq!(batch("").success(), "");
}

#[test]
fn answers_are_in_the_order_of_the_lines() {
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
    let out = batch(input).success();
    assert_eq!(out.lines().count(), boards.len());
    for (board, line) in boards.iter().zip(out.lines()) {
        let text = format!("{{\"board\":{board:?},").replace(' ', "");
        assert!(line.starts_with(&text), "{line}");
    }
}

#[test]
fn invalid_lines_get_errors_and_other_lines_answers() {
    let invalid: [(&[u8], &str); 10] = [
        (b"1 2 3", "3 were given"),
        (b"0 0 0 0 0 0 0 0 0 0 0 0 0", "13 were given"),
        (b"0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
        (b"-1 0 0 0 0 0 0 0 0 0 0 0", "'-1' (number 1"),
        (b"0 0 99999999999999999999999 0 0 0 0 0 0 0 0 0", "number 3"),
        (b"48 1 0 0 0 0 0 0 0 0 0 0", "49 seeds"),
        (b"4-4-4", "engine notation needs 15 parts"),
        (b"4-4-4-4-4-4-4-4-4-4-4-4-0-0-W", "'W' is not a side"),
        (b"\xff\xfe0 0 0 0 0 0 0 0 0 0 0 1", "not UTF-8 text"),
        (b"0 0 0 0 0 0 0 0 0 0 0 \0", "number 12"),
    ];
    let mut input = Vec::new();
    for (line, _) in invalid {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(ONE.as_bytes());
        input.push(b'\n');
    }
    let out = batch(input).exit_1();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2 * invalid.len());
    for ((line, part), answers) in invalid.iter().zip(lines.chunks(2)) {
        let message = error_of(answers[0]);
        assert!(message.contains(part), "{}: {message}", line.escape_ascii());
        assert!(!message.contains(char::is_control));
        assert_eq!(format!("{}\n", answers[1]), single(ONE));
    }
}

#[test]
fn missing_layers_give_exit_code_1() {
    let out = batch(format!("4 4 4 4 4 4 4 4 4 4 4 4\n{ONE}\n")).exit_1();
    let (missing, answered) = out.split_once('\n').unwrap();
    let missing: Value = serde_json::from_str(missing).unwrap();
    assert_eq!(missing["missing"], 48);
    assert_eq!(missing["value"], Value::Null);
    assert_eq!(answered, single(ONE));
}

#[test]
fn a_file_is_read_like_standard_input() {
    let home = tempfile::tempdir().unwrap();
    let input = format!("{ONE}\n\nnonsense\r\n{TWO}");
    std::fs::write(home.path().join("boards.txt"), &input).unwrap();
    let from_file = call_in(home.path(), &["probe", "--batch", "boards.txt"]);
    assert_eq!(from_file, batch(input.clone()));
    assert_eq!(from_file.exit_1().lines().count(), 4);
    let dash = call_with_input(&["probe", "--batch", "-"], input.clone());
    assert_eq!(dash, batch(input));
}

#[test]
fn a_line_of_a_megabyte_is_one_invalid_line() {
    let input = format!("{}\n{ONE}\n{}", "7".repeat(1 << 20), "1 ".repeat(1 << 19));
    let out = batch(input).exit_1();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        error_of(lines[0]).len() < 200,
        "the message repeats a long line"
    );
    assert_eq!(format!("{}\n", lines[1]), single(ONE));
    for line in [lines[0], lines[2]] {
        assert_eq!(error_of(line), "the line is too long");
    }
    // The longest line that is read, with and without its end.
    let longest = format!("{ONE}{}", " ".repeat(4096 - ONE.len()));
    let out = batch(format!("{longest} \n{longest}\n{longest}")).exit_1();
    let (first, others) = out.split_once('\n').unwrap();
    assert_eq!(error_of(first), "the line is too long");
    assert_eq!(others, single(ONE).repeat(2));
}

/// A program that waits for each answer before it sends the next board.
#[test]
fn answers_do_not_wait_for_the_next_line() {
    let home = tempfile::tempdir().unwrap();
    let mut krou = krou_in(home.path())
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
