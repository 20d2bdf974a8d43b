//! `krou probe --batch`: many lines, long lines, and answers at once.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Outcome, call, call_with_input, krou_in};

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

/// Lines as spreadsheets write them: with semicolons, quotes, decimal points, and a carriage
/// return alone at their ends.
#[test]
fn lines_of_spreadsheets_are_read() {
    let one = single(ONE);
    for line in [
        "0;0;0;0;0;1;2;0;0;0;0;1",
        "\"0\",\"0\",\"0\",\"0\",\"0\",\"1\",\"2\",\"0\",\"0\",\"0\",\"0\",\"1\"",
        "\"0\";\"0\";\"0\";\"0\";\"0\";\"1\";\"2\";\"0\";\"0\";\"0\";\"0\";\"1\"",
        "0.0,0.0,0,0,0,1.0,2,0,0,0,0,1",
        "0 0 0 0 0 1 2 0 0 0 0 1 ; a comment",
        "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S; a comment",
    ] {
        assert_eq!(batch(line).success(), one, "{line}");
    }
    let head = "sep=;\np0;p1;p2;p3;p4;p5;p6;p7;p8;p9;p10;p11;value\n0;0;0;0;0;1;2;0;0;0;0;1;4\n";
    assert_eq!(batch(head).success(), format!("{{}}\n{{}}\n{one}"));
    assert_eq!(
        batch(format!("{ONE}\r{TWO}\r")).success(),
        one + &single(TWO)
    );
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
