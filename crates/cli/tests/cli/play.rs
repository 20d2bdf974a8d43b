//! Games of `krou play` between two people.

use std::process::{Output, Stdio};

use crate::support::{call, call_with_input, krou_in, run_with_input, words};

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
  North  0 [ 1] [ 0] [ 0] [ 0] [ 0] [ 2]
> South  0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 1]
            A0   B1   C2   D3   E4   F5

South to move (A-F or 0-5, q quits): 5
South plays F (5) and captures 3.

           f11  e10   d9   c8   b7   a6
  North  0 [ 1] [ 0] [ 0] [ 0] [ 0] [ 0]
  South  3 [ 0] [ 0] [ 0] [ 0] [ 0] [ 0]
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
    assert!(won.contains("> North  1 [ 0]"), "North moves again: {won}");

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
fn players_choose_their_own_pits() {
    let south = [
        ("0", "A (0)"),
        (" 5 \r", "F (5)"),
        ("05", "F (5)"),
        ("A", "A (0)"),
        ("f", "F (5)"),
    ];
    for (line, pit) in south {
        let out = play(&[], format!("{line}\nq\n"));
        assert!(
            out.contains(&format!("South plays {pit}.")),
            "{line}: {out}"
        );
    }
    for (line, pit) in [
        ("6", "a (6)"),
        ("11", "f (11)"),
        ("a", "a (6)"),
        ("F", "f (11)"),
    ] {
        let out = play(&[], format!("F\n{line}\nq\n"));
        assert!(
            out.contains(&format!("North plays {pit}.")),
            "{line}: {out}"
        );
    }
    for line in ["FaB", "F a B"] {
        let out = play(&[], format!("{line}\nQuit\n"));
        assert_eq!(out.matches(" plays ").count(), 3, "{out}");
    }
}

#[test]
fn invalid_input_is_explained_and_does_not_end_the_game() {
    let long = "x".repeat(100_000);
    let digits = "9".repeat(150);
    let cases = [
        (&b""[..], "the line is empty"),
        (b"   \r", "the line is empty"),
        (b"abg", "'abg' is not a pit"),
        (b"-1", "'-1' is not a pit"),
        (b"+1", "'+1' is not a pit"),
        (b"1.0", "'1.0' is not a pit"),
        (b"12", "'12' is not a pit"),
        (b"99", "'99' is not a pit"),
        (b"3 4", "'3 4' is not a pit"),
        (b"q 4", "'q 4' is not a pit"),
        (b"\x1b[2J\0", "'?[2J?' is not a pit"),
        ("\u{663}".as_bytes(), "'\u{663}' is not a pit"),
        (b"6", "pit 6 is North's"),
        (b"\xff\xfe", "the line is not UTF-8 text"),
        (long.as_bytes(), "the line is too long"),
        (digits.as_bytes(), "'99999999999999999999...' is not a pit"),
    ];
    let mut input = Vec::new();
    for (line, _) in cases {
        input.extend([line, b"\n"].concat());
    }
    input.extend(b"s! \n0\n5\n");
    let out = play(&[], input);
    let told = out.lines().filter(|line| line.starts_with("Not played: "));
    let told: Vec<&str> = told.collect();
    let ask = [
        "type a pit from A to F or 0 to 5, or q",
        "type a pit from a to f or 6 to 11, or q",
    ];
    for ((_, reason), told) in cases.iter().zip(&told) {
        assert_eq!(*told, format!("Not played: {reason}: {}.", ask[0]));
    }
    let last = [
        "Not played: 's!' needs a file: type s! FILE.".to_owned(),
        format!("Not played: pit 5 is South's: {}.", ask[1]),
    ];
    assert_eq!(told[cases.len()..], last);
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

/// The board as it is drawn first.
fn drawn(args: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let out = run_with_input(krou_in(home.path()).arg("play").args(args), "q\n");
    let out = out.success_without_tables();
    let (_, board) = out.split_once("\n\n").unwrap();
    board.split_once("\n\n").unwrap().0.to_owned()
}

#[test]
fn new_games_have_four_seeds_in_each_pit() {
    let text = "
           f11  e10   d9   c8   b7   a6
  North  0 [ 4] [ 4] [ 4] [ 4] [ 4] [ 4]
> South  0 [ 4] [ 4] [ 4] [ 4] [ 4] [ 4]
            A0   B1   C2   D3   E4   F5";
    assert_eq!(drawn(&[]), text[1..]);
}

#[test]
fn the_board_keeps_its_orientation_and_shows_the_movers_values() {
    let board = "1-1-0-0-0-2-0-0-0-2-0-1-7-12-N";
    let text = "
  value     +1*       -3
           f11  e10   d9   c8   b7   a6
> North 12 [ 1] [ 0] [ 2] [ 0] [ 0] [ 0]
  South  7 [ 1] [ 1] [ 0] [ 0] [ 0] [ 2]
            A0   B1   C2   D3   E4   F5";
    let shown = drawn(&["--rules", "kalah", "--show-values", "--board", board]);
    assert_eq!(shown, text[1..]);
    // Values that are not known are not shown.
    let unknown = drawn(&["--show-values", "--board", "0 0 0 0 1 12 / 2 0 0 0 0 1"]);
    assert!(
        !unknown.contains("value") && !unknown.contains('?'),
        "{unknown}"
    );
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
    assert_eq!(values, "  value                              +2*");
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

/// Arguments, what a player types, and what is answered.
const PLAYED: &str = "\
play < F b q => South plays F (5).
play < FaB q => North plays a (6).
play < FF q => Not played: F is South's, and North is to move.
play --board 1-0-0-0-2-3-2-1-2-0-0-0-20-17-S < F q => South plays F (5), a grand slam, which captures nothing.
play --rules pratt --board 1-0-0-0-0-1-0-0-0-0-0-0-0-0-S < q => Careful: A (0) leaves North no seeds, and North would take every seed.
play --rules awari --repetitions 2 < q => Rules: awari. South begins.
play < q => Rules: abapa. South begins.
play --show-values < q => > South  0 [ 4] [ 4]";

#[test]
fn players_type_letters_and_are_told_why_nothing_is_taken() {
    for row in PLAYED.lines() {
        let (typed, part) = row.split_once(" => ").unwrap();
        let (args, input) = typed.split_once(" < ").unwrap();
        let input = input.replace(' ', "\n") + "\n";
        let out = call_with_input(&words(args), input).success_without_tables();
        assert!(out.contains(part), "{args}: {out}");
        assert!(!out.contains('?') || out.matches('?').count() == 1, "{out}");
    }
}
