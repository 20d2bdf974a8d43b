//! Games of `krou play` between two people.

use std::process::{Output, Stdio};

use crate::support::{call, call_with_input, krou_in};

/// Plays with this input and returns the output.
fn play(args: &[&str], input: impl Into<Vec<u8>>) -> String {
    call_with_input(&[&["play"], &rules(args)[..], args].concat(), input).success_without_tables()
}

/// The option for `awari`, unless the arguments name other rules.
fn rules(args: &[&str]) -> Vec<&'static str> {
    if args.contains(&"--rules") {
        vec![]
    } else {
        vec!["--rules", "awari"]
    }
}

fn input_of(pits: &[usize]) -> String {
    let pits: Vec<String> = pits.iter().map(usize::to_string).collect();
    pits.join("\n") + "\n"
}

#[test]
fn a_capture_of_the_majority_wins() {
    let expected = "\
Rules: awari. South begins.
More than half of the seeds win. Type ? for help.

            f11  e10   d9   c8   b7   a6
  North   0 [ 1] [ 0] [ 0] [ 0] [ 0] [ 2]
> South   0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 1]
             A0   B1   C2   D3   E4   F5

South to move (A-F or 0-5, q quits): 5
South plays F (5) and captures 3.

            f11  e10   d9   c8   b7   a6
  North   0 [ 1] [ 0] [ 0] [ 0] [ 0] [ 0]
  South   3 [ 0] [ 0] [ 0] [ 0] [ 0] [ 0]
             A0   B1   C2   D3   E4   F5

South has more than half of the seeds: 3 of 4.
Final score: South 3, North 0.
South wins 3 to 0.
";
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    assert_eq!(play(&["--board", board], "5\n"), expected);
}

#[test]
fn north_can_win_and_games_can_be_drawn() {
    let board = ["--board", "0 0 0 1 0 0 / 2 0 0 0 0 1", "--rules"];
    let won = play(&[&board[..], &["kalah"]].concat(), "3\n11\n");
    assert!(won.contains("North plays f (11) and moves again."));
    assert!(won.contains("> North   1 [ 0]"), "North moves again: {won}");

    let out = play(&["--board", "0 0 0 0 0 0 / 1 2 0 0 0 0"], "");
    assert!(out.contains("South has no legal move: each player takes the seeds in their own row."));
    assert!(out.ends_with("Final score: South 0, North 3.\nNorth wins 3 to 0.\n"));
    let nobody = [
        "--leftovers",
        "nobody",
        "--board",
        "0 0 0 0 0 0 / 1 2 0 0 0 0",
    ];
    let out = play(&nobody, "");
    assert!(out.contains("the 3 seeds left count for neither.\nFinal score: South 0, North 0."));
    assert!(out.ends_with("Drawn, 0 each.\n"));
}

/// Two seeds chase each other: after these moves the position is the same again.
const ROUND: [usize; 12] = [5, 6, 0, 7, 1, 8, 2, 9, 3, 10, 4, 11];

#[test]
fn endless_play_is_settled_by_the_ruleset() {
    let board = "1 0 0 0 0 1 / 0 0 0 0 0 0";
    let twice = input_of(&[ROUND, ROUND].concat());
    let end = |args: &[&str]| {
        let args = [args, &["--board", board]].concat();
        // The game does not end before the third time.
        let short = play(&args, input_of(&[&ROUND[..], &ROUND[..11]].concat()));
        assert!(short.contains("Game stopped."));
        let out = play(&args, twice.clone());
        let end = out.split("The position occurred for the third time: ");
        end.last().unwrap().to_owned()
    };
    assert_eq!(
        end(&["--rules", "awari"]),
        "the 2 seeds left are shared evenly.\nFinal score: South 1, North 1.\nDrawn, 1 each.\n"
    );
    assert_eq!(
        end(&["--rules", "abapa"]),
        "each player takes the seeds in their own row.\n\
         Final score: South 2, North 0.\nSouth wins 2 to 0.\n"
    );
    assert_eq!(
        end(&["--endless", "nobody"]),
        "the 2 seeds left count for neither.\nFinal score: South 0, North 0.\nDrawn, 0 each.\n"
    );
}

#[test]
fn slams_starving_and_empty_rows_end_the_game() {
    let slam = play(&["--board", "0 0 0 0 0 1 / 1 0 0 0 0 0"], "5\n");
    // South also has a majority then, but the grand slam ends the game first.
    assert!(slam.contains("South captured North's last seeds and takes the seeds left"));
    assert!(slam.ends_with("South wins 2 to 0.\n"));
    let starving = ["--rules", "pratt", "--board", "1 0 0 0 0 1 / 0 0 0 0 0 0"];
    let starved = play(&starving, "0\n");
    assert!(starved.contains("South left North without seeds"));
    assert!(starved.ends_with("North wins 2 to 0.\n"));
    for (rules, result) in [
        ("kalah", "North wins 5 to 1."),
        ("ifmg", "South wins 6 to 0."),
    ] {
        let out = play(
            &["--rules", rules, "--board", "0 0 0 0 0 1 0 0 2 0 0 3"],
            "5\n",
        );
        assert!(out.contains("A row is empty: "), "{out}");
        assert!(out.trim_end().ends_with(result), "{out}");
    }
}

#[test]
fn illegal_moves_are_explained_in_pit_numbers() {
    let out = play(&["--board", "1 0 0 0 0 1 / 0 0 0 0 0 0"], "0\n1\n5\n");
    let expected =
        "Not played: pit A (0) would leave the opponent without seeds while pit F (5) would not.";
    assert!(out.contains(expected), "{out}");
    assert!(out.contains("Not played: pit B (1) is empty."));
    assert!(out.contains("South plays F (5)."));
    // The same for North, whose pits are 6 to 11.
    let out = play(&["--board", "0 0 0 0 0 1 / 0 0 0 0 0 1"], "5\n6\n7\n11\n");
    let expected =
        "Not played: pit a (6) would leave the opponent without seeds while pit f (11) would not.";
    assert!(out.contains(expected), "{out}");
    assert!(out.contains("Not played: pit b (7) is empty."));
    assert!(out.contains("North plays f (11)."));
}

#[test]
fn north_plays_6_to_11() {
    let out = play(&[], "6\n0\n3\n12\n6\nq\n");
    assert!(out.contains("Not played: pit 6 is North's: type a pit from A to F or 0 to 5, or q."));
    assert!(out.contains("North to move (a-f or 6-11, q quits): 3\nNot played: pit 3 is South's"));
    assert!(
        out.contains("Not played: '12' is not a pit: type a pit from a to f or 6 to 11, or q.")
    );
    assert!(out.contains("North plays a (6)."));
}

#[test]
fn invalid_input_does_not_end_the_game() {
    let mut input = b"99\n-1\nabc\n\n\xff\xfe\n\x1b[2J\n".to_vec();
    input.extend(vec![b'7'; 1 << 20]);
    input.extend(b"\n0\n");
    let out = play(&[], input);
    assert_eq!(out.matches("Not played: ").count(), 7, "{out}");
    assert!(out.contains("Not played: the line is empty"));
    assert!(out.contains("Not played: the line is not UTF-8 text"));
    assert!(out.contains("Not played: the line is too long"));
    assert!(!out.contains('\x1b'));
    assert!(out.contains("South plays A (0)."));
}

#[test]
fn q_and_end_of_input_stop_the_game() {
    let board = ["--board", "0 0 0 0 1 1 / 2 1 0 0 0 9"];
    let expected = "Game stopped. Score so far: South 3, North 0.\n";
    for input in ["5\nq\n", "5\nQ", "5\n", "5"] {
        let out = play(&board, input);
        assert!(out.ends_with(expected), "{input:?}: {out}");
    }
    assert!(play(&[], "").ends_with("\nGame stopped. Score so far: South 0, North 0.\n"));
}

#[test]
fn show_values_needs_no_table_for_the_last_move() {
    let out = play(
        &["--show-values", "--board", "0 0 0 0 0 1 / 1 0 0 0 0 0"],
        "",
    );
    let values = out
        .lines()
        .find(|line| line.starts_with("  value"))
        .unwrap();
    assert_eq!(values, "  value                               +2*");
}

#[test]
fn invalid_arguments_give_one_sentence() {
    for (args, part) in [
        (
            vec!["--board", "1 2 3"],
            "--board: a board needs 12 numbers",
        ),
        (
            vec!["--board", "-1 0 0 0 0 0 0 0 0 0 0 0"],
            "'-1' (number 1",
        ),
        (vec!["--board", "48 1 0 0 0 0 0 0 0 0 0 0"], "49 seeds"),
        (vec!["--rules", "awri"], "there is no ruleset 'awri'"),
        (
            vec!["--rules", "kalah", "--endless", "even"],
            "--endless does not apply to kalah",
        ),
        (
            vec!["--dir", "/no/such/folder"],
            "/no/such/folder is not a folder",
        ),
    ] {
        let error = call(&[&["play"], &args[..]].concat()).error();
        assert!(error.contains(part), "{args:?}: {error}");
    }
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

/// The notation of engines includes the stores and the player to move.
#[test]
fn engine_notation_sets_stores_and_player() {
    let args = ["--board", "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N"];
    let out = play(&args, "q\n");
    assert!(out.contains("North begins"), "{out}");
    assert!(out.contains("20") && out.contains('7'), "{out}");
}
