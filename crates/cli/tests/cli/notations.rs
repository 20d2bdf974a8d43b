//! Games and positions as other programs and people write them: one row for each, with what
//! krou makes of it.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{call, call_in, call_with_input, krou_in, run_with_input, words};

/// Commands with their input, and a part of the answer to each.
const ANSWERS: &str = "\
moves --json 1S,4,1S/2S,5 20 23 S 40 => [2,0,0,0,0,0,1,0,0,0,0,1]
moves --json -r Oware 1 2 0 0 0 0 / 0 0 0 0 0 0 => \"over\":true,\"result\":3
probe -r abapa 1 2 0 0 0 0 / 0 0 0 0 0 0 => (+3), the game is over
moves -r abapa 0 0 0 0 0 0 / 0 0 0 0 1 1 => value -2 for the mover
engine < position fen 0-0-0-0-1-1-0-0-0-0-0-0-22-24-N; go depth 2 => bestmove 0000
moves -r abapa 1-0-0-0-2-3-2-1-2-0-0-0-20-17-S => F (5): gains 0, leaves 3 2 3 0 0 0 / 1 0 0 0 2 0
moves -r abapa 2-1-1-2-2-2-3-0-0-8-0-1-13-13-N => d (3): gains 0, leaves
moves -r abapa 1-0-0-0-0-1-1-0-0-0-0-0-22-23-S => F (5): gains 0, leaves
moves -r kalah 0 0 0 0 0 1 / 0 3 0 0 2 0 => F (5): gains -4
probe -r kalah 5 5 5 5 5 5 / 5 5 5 5 5 5 => krou: there are 60 seeds
engine < setoption name TablePath value Échecs et jeux/d’awalé => Échecs et jeux/d’awalé is not a folder
engine < setoption name TablePath value .; setoption name Rules value awari; position fen \
   0-0-0-0-0-1-2-0-0-0-0-1-23-21-S; go depth 1 => the score is exact
export -d . -s 11 --format csv -o - => build --rules awari --seeds 11 --dir .
verify -d . -s 11 => --dir .
probe -j -r abapa 0 0 1 1 1 2 / 0 0 0 1 0 2 => \"value\":2,\"distance\":9,\"lower\":2,\"upper\":8
moves --json 1 3 2 1 4 2 4 0 1 0 2 0 3 9 => [1,3,2,1,4,2,0,1,0,2,0,3]
export -s 3 --format vu -o no/f => no/f";

#[test]
fn commands_answer_as_expected() {
    for row in ANSWERS.lines() {
        let (command, part) = row.split_once(" => ").unwrap();
        let (command, input) = command.split_once(" < ").unwrap_or((command, ""));
        let answer = call_with_input(&words(command), input.replace("; ", "\n") + "\n");
        let told = answer.stdout + &answer.stderr;
        assert!(told.contains(part), "{row}: {told}");
    }
}

/// South wins the game with the first move, and both players play on.
const PLAYED_ON: &str = "[Variant \"Oware Abapa\"]\n\
    [FEN \"1-0-0-0-0-1-1-1-0-0-0-0-24-20-S\"]\n\n1. F+2 b 2. A c\n";

/// Two seeds go once round the board.
const ROUND: &str = "[FEN \"0-0-0-0-0-1-0-0-0-0-0-1-23-23-S\"]\n\n\
    1. F f 2. A a 3. B b 4. C c 5. D d 6. E e\n";

/// The reviews of a text as JSON, and what is on stderr.
fn reviews(text: &[u8], options: &str) -> (Vec<Value>, String) {
    let line = format!("review - --json --depth 2 {options}");
    let answer = call_with_input(&words(&line), text);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let lines = answer.stdout.lines();
    let reviews = lines.map(|line| serde_json::from_str(line).unwrap());
    (reviews.collect(), answer.stderr)
}

/// The letters of the moves of a review.
fn letters(review: &Value) -> String {
    let moves = review["moves"].as_array().unwrap().iter();
    moves.map(|m| m["letter"].as_str().unwrap()).collect()
}

#[test]
fn games_are_read_beyond_the_move_that_decides_them() {
    let (reviews, _) = reviews(PLAYED_ON.as_bytes(), "");
    let moves = reviews[0]["moves"].as_array().unwrap();
    let endings: Vec<Option<&str>> = moves.iter().map(|m| m["ending"].as_str()).collect();
    assert_eq!(endings, [Some("majority"), None, None, None]);
    // The forecast after a move is that before the next one: there is no cliff.
    for pair in moves.windows(2) {
        assert_eq!(pair[0]["winner_after"], "south");
        if pair[0]["exact"] == true {
            assert_eq!(pair[0]["lead_after"], pair[1]["lead_before"]);
        }
    }
    let text = call_with_input(&["review", "-"], PLAYED_ON).success();
    assert!(text.contains("South has won"), "{text}");
    assert!(text.contains("South wins 26 to 20."), "{text}");
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("game.ogn"), PLAYED_ON).unwrap();
    let text = call_in(home.path(), &words("play --load game.ogn")).success();
    assert!(text.ends_with("South wins 26 to 20.\n"), "{text}");
}

#[test]
fn repetitions_are_a_choice() {
    // After a repetition the text may go on.
    let went_on = ROUND
        .replace("E e", "E e 7. F f")
        .replace("[FEN", "[Repetitions \"2\"] [FEN");
    let tagged = format!("[Repetitions \"2\"]\n{ROUND}");
    for (text, options, result) in [
        (ROUND, "--repetitions 2", Some(24)),
        (&tagged, "", Some(24)),
        (&tagged, "--repetitions 3", Some(24)),
        (ROUND, "", None),
        (&went_on, "", None),
    ] {
        let (reviews, _) = reviews(text.as_bytes(), options);
        assert_eq!(reviews[0]["result"]["south"].as_u64(), result, "{options}");
        assert_eq!(reviews[0]["result"]["north"].as_u64(), result, "{options}");
    }
    for options in ["--repetitions 1", "--repetitions 4", "--repetitions x"] {
        let line = format!("review - {options}");
        let message = call_with_input(&words(&line), "F").error();
        assert!(message.contains("--repetitions"), "{message}");
    }
}

#[test]
fn collections_are_reviewed_game_by_game() {
    let text = format!("[South \"Ama\"]\n1. F e 25-23\n\n{PLAYED_ON}[North \"Esi\"]\n\nC f *\n");
    let (all, _) = reviews(text.as_bytes(), "");
    assert_eq!(
        all.iter().map(letters).collect::<Vec<_>>(),
        ["Fe", "FbAc", "Cf"]
    );
    assert_eq!(reviews(text.as_bytes(), "--all").0, all);
    let (second, _) = reviews(text.as_bytes(), "--game 2");
    assert_eq!(second, all[1..2]);
    let message = call_with_input(&words("review - --game 4"), &*text).error();
    assert!(
        message.ends_with("it has no game 4: there are 3"),
        "{message}"
    );
    let message = call_with_input(&words("review - --plot x.svg"), &*text).error();
    assert!(
        message.ends_with("it has 3 games: choose one with --game N"),
        "{message}"
    );
    // A bad game does not hide the others.
    let bad = text.replace("F+2 b", "F+2 B");
    let answer = call_with_input(&words("review - --json --depth 2"), &*bad);
    assert_eq!(answer.code, Some(1));
    let lines: Vec<Value> = (answer.stdout.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!([letters(&lines[0]), letters(&lines[2])], ["Fe", "Cf"]);
    assert!(
        lines[1]["error"]
            .as_str()
            .unwrap()
            .contains("move 1... B: ")
    );
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("games.ogn"), text).unwrap();
    let line = "play --load games.ogn --game 2";
    assert!(call_in(home.path(), &words(line)).success().contains("26"));
    let message = call_in(home.path(), &words("play --load games.ogn")).error();
    assert!(message.contains("choose one with --game N"), "{message}");
}

#[test]
fn every_notation_and_encoding_of_a_game_is_read() {
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    for (bytes, expected) in [
        (b"[South \"Jos\xe9\"]\n1. F c".to_vec(), "Fc"),
        (utf16("\u{feff}F e C b", u16::to_le_bytes), "FeCb"),
        (utf16("\u{feff}F e C b", u16::to_be_bytes), "FeCb"),
        (utf16("F e C b", u16::to_le_bytes), "FeCb"),
        (b"\xef\xbb\xbf1. F e".to_vec(), "Fe"),
        (
            b"% made by hand\n[Event \"a\nb\"]\n1. F $1 e?! $14 24.5-23.5".to_vec(),
            "Fe",
        ),
        (b"d1e2 b2c1".to_vec(), "De"),
        (b"1. 64 64 2. 21 32".to_vec(), "FfBc"),
        (b"1. 53 (20) 42".to_vec(), "Ed"),
        (b"5 10 2 7".to_vec(), "FeCb"),
        (b"1. 5 0 2. 2 1".to_vec(), "FaCb"),
        (b"1. 6 5 2. 3 2".to_vec(), "FeCb"),
        (b"[Variant \"\"]\nF c".to_vec(), "Fc"),
        (b"[Variant \"OWARE\"]\nF c".to_vec(), "Fc"),
        (b"[Variant \"Mangala\"]\nA f".to_vec(), "Af"),
        (b"[FEN \"1S,4,1S/2S,5 20 23 S 40\"]\nA".to_vec(), "A"),
    ] {
        let (reviews, _) = reviews(&bytes, "");
        assert_eq!(letters(&reviews[0]), expected, "{bytes:?}");
    }
    let (reviews, _) = reviews(b"[South \"Jos\xe9\"]\n1. F c", "");
    assert_eq!(reviews[0]["south"], "José");
    let message = call_with_input(&["review", "-"], "1. 5 4 2. 3 2").error();
    assert!(
        message.contains("write letters instead of numbers"),
        "{message}"
    );
}

/// Texts, and what is told about them; ¶ ends a line.
const CLAIMS: &str = r#"1. F+3 f => line 1: 1. F: the move takes no seed
1. F e? => 
1. F f 20-28 => line 1: the result 20-28 is not that of the moves, which is 0-0 so far
1. F f 1-0 => 
1. F f 24-24 => 
d1a1 b2c1 => line 1: 1. D: the move ends in another pit
[Variant "awari"] [FEN "0-0-0-0-0-1-1-0-0-0-0-0-22-22-S"]¶F+2 24-22 => 
[Variant "awari"] [FEN "0-0-0-0-0-1-1-0-0-0-0-0-22-22-S"]¶F+2 23.5-24.5 => line 2: the result 23.5-24.5 is not
[Variant "awari"] [FEN "0-0-0-0-0-1-1-0-0-0-0-0-22-22-S"]¶F 0-1 => line 2: the result 0-1 is not
[Result "1-2"]¶F => line 1: the result 1-2 is not that of the moves"#;

#[test]
fn claims_that_the_moves_contradict_are_told() {
    let home = TempDir::new().unwrap();
    let played_on = |result: &str| PLAYED_ON.replace("A c", &format!("A c {result}"));
    let cases = CLAIMS.lines().map(|row| row.split_once(" => ").unwrap());
    let mut cases: Vec<_> = cases.map(|(t, n)| (t.replace('¶', "\n"), n)).collect();
    cases.push((played_on("28-20"), ""));
    cases.push((played_on("25-23"), "the result 25-23 is not"));
    for (text, note) in cases {
        let (reviews, stderr) = reviews(text.as_bytes(), "");
        assert!(stderr.contains(note), "{text}: {stderr}");
        assert_eq!(stderr.is_empty(), note.is_empty(), "{text}: {stderr}");
        fs::write(home.path().join("game.ogn"), &text).unwrap();
        let mut play = krou_in(home.path());
        let played = run_with_input(play.args(["play", "--load", "game.ogn"]), "q\n").stderr;
        assert!(
            played.contains(note) && played.is_empty() == note.is_empty(),
            "{played}"
        );
        let notes = reviews[0]["notes"].as_array().unwrap();
        assert_eq!(notes.is_empty(), note.is_empty(), "{text}");
    }
}

#[test]
fn every_notation_of_a_board_is_read() {
    let board = |args: &[&str]| -> String {
        let answer = call(&[&["moves", "--json"], args].concat()).success();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        answer["board"].to_string()
    };
    for (text, expected) in [
        ("startpos", "[4,4,4,4,4,4,4,4,4,4,4,4]"),
        ("startpos moves FeC b", "[6,6,0,5,5,1,6,0,6,6,1,6]"),
        (
            "fen 2-0-0-0-0-0-1-0-0-0-0-1-20-23-S moves A",
            "[1,0,0,0,0,1,0,1,1,0,0,0]",
        ),
        ("1S,4,1S/2S,5 20 23 S 40", "[2,0,0,0,0,0,1,0,0,0,0,1]"),
        ("1 3 2 1 4 2 4 0 1 0 2 0 3 9", "[1,3,2,1,4,2,0,1,0,2,0,3]"),
        (
            "[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1]",
            "[0,0,0,0,0,1,2,0,0,0,0,1]",
        ),
    ] {
        assert_eq!(board(&[text]), expected, "{text}");
    }
    assert_eq!(
        board(&["-r", "Mangala", "startpos"]),
        "[4,4,4,4,4,4,4,4,4,4,4,4]"
    );
    for (text, part) in [
        ("1 1 1 1 1 2 4 / 2 3 0 0 0", "a '/' stands between the rows"),
        ("startpos moves FF", "move 2, 'F': it is North's turn"),
        (
            "startpos moves Fx",
            "move 2, 'x': pits are A to F for South",
        ),
        ("1S,4,1S/2S,5 20 23 S40 1", "'S40' is not a side"),
    ] {
        let message = call(&["moves", text]).error();
        assert!(message.contains(part), "{text}: {message}");
    }
}

/// What krou prints, krou reads.
#[test]
fn batches_read_what_krou_prints() {
    let home = TempDir::new().unwrap();
    let export = words("export --seeds 2 --format csv --out -");
    let csv = call_in(home.path(), &export).success();
    let boards = csv.lines().count() - 1;
    let cut: String = (csv.lines())
        .map(|line| line.split(',').take(12).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    let first = call_with_input(&words("probe --batch"), format!("# two seeds\n\n{cut}"));
    assert_eq!(first.code, Some(0), "{first:?}");
    let lines: Vec<&str> = first.stdout.lines().collect();
    assert_eq!(lines.len(), boards + 3);
    assert!(lines[..3].iter().all(|&line| line == "{}"));
    let again = call_with_input(&words("probe --batch"), first.stdout.clone()).success();
    assert_eq!(again, first.stdout);
    // Columns after the pits are left out, but two of them might be stores.
    let whole = call_with_input(&words("probe --batch"), csv.clone()).success();
    assert!(lines[3..].iter().copied().eq(whole.lines().skip(1)));
    let headless = csv.lines().nth(1).unwrap();
    let pits = cut.lines().nth(1).unwrap();
    for (columns, is_read) in [
        (&headless[pits.len()..], false),
        (",4", true),
        (",4,,1,1", true),
        (",4,4,,,1,2,1,1,4,3", true),
        (",1,1,1,1,1", false),
        (",x", false),
        (", 4", false),
    ] {
        let answer = call_with_input(&words("probe --batch"), format!("{pits}{columns}"));
        assert_eq!(answer.stdout.trim_end() == lines[3], is_read, "{columns}");
        assert_eq!(answer.code, Some(i32::from(!is_read)), "{columns}");
    }
}
