//! `krou play`: hostile input, a closed pipe, and the moves of an opponent.

use std::process::{Output, Stdio};
use std::sync::atomic::AtomicBool;

use krou::engine::{Game, Level, Opponent, Record, Style};
use krou::rules::{Player, Ruleset};

use crate::support::{call_with_input, krou_in, words};

#[test]
fn hostile_lines_are_explained_and_do_not_end_the_game() {
    let long = "x".repeat(100_000);
    let digits = "9".repeat(150);
    let cases = [
        (&b"\x1b[2J\0"[..], "'?[2J?' is not a pit"),
        ("\u{663}".as_bytes(), "'\u{663}' is not a pit"),
        (b"\xff\xfe", "the line is not UTF-8 text"),
        (long.as_bytes(), "the line is too long"),
        (digits.as_bytes(), "'99999999999999999999...' is not a pit"),
    ];
    let mut input = Vec::new();
    for (line, _) in cases {
        input.extend([line, b"\n"].concat());
    }
    input.extend(b"0\n");
    let out = call_with_input(&["play"], input).success();
    let told = out.lines().filter(|line| line.starts_with("Not played: "));
    let reasons = cases.iter().map(|(_, reason)| {
        format!("Not played: {reason}: type a pit from A to F or 0 to 5, or q.")
    });
    assert!(told.eq(reasons), "{out}");
    assert!(!out.contains('\x1b'));
    assert!(out.contains("South plays A (0)."));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let home = tempfile::tempdir().unwrap();
    let mut krou = krou_in(home.path())
        .arg("play")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(krou.stdout.take());
    let Output { status, stderr, .. } = krou.wait_with_output().unwrap();
    assert_eq!((status.code(), stderr), (Some(0), Vec::new()));
}

#[test]
fn the_same_seed_gives_the_moves_of_the_library() {
    let level = Level::new(1).unwrap();
    let rules = Ruleset::AWARI;
    let mut opponent = Opponent::new(Style::Random, level, rules, None, 5);
    let mut record = Record::new(Game::new(rules));
    record.play(0).unwrap();
    let pit = opponent
        .choose(record.game(), &AtomicBool::new(false))
        .unwrap();
    let line = "play --rules awari --opponent random --seed 5";
    let out = call_with_input(&words(line), "0\nq\n").success();
    let played = format!("North plays {}", Player::North.letter(pit));
    assert!(out.contains(&played), "{played}: {out}");
}
