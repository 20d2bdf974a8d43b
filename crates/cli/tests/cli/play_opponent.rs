//! Games of `krou play` against the program: hints, taking moves back, saving and loading.

use std::fs;
use std::path::Path;

use krou::engine::Game;
use krou::engine::Record;
use krou::ogn::SavedGame;
use krou::rules::{Player, Ruleset};
use krou::tablebase::Tablebase;

use crate::support::{Outcome, call, krou_in, run_with_input, words};

/// Plays in a folder and returns the output. Stderr is empty: the note that the opponent is
/// thinking is for terminals only.
fn play_in(folder: &Path, args: &[&str], input: &str) -> String {
    let named = args.contains(&"--rules") || args.contains(&"--load");
    let rules: &[&str] = if named { &[] } else { &["--rules", "awari"] };
    run_with_input(krou_in(folder).arg("play").args(rules).args(args), input)
        .success_without_tables()
}

fn play(args: &[&str], input: &str) -> String {
    play_in(tempfile::tempdir().unwrap().path(), args, input)
}

/// The first line with this prefix.
fn line<'t>(out: &'t str, prefix: &str) -> &'t str {
    let line = out.lines().find(|line| line.starts_with(prefix));
    line.unwrap_or_else(|| panic!("no '{prefix}' in:\n{out}"))
}

/// A board with nine seeds, whose moves the embedded tables cover.
const COVERED_BOARD: &str = "0 1 1 0 2 2 / 0 1 0 1 1 0";
const COVERED: [&str; 2] = ["--board", "0-1-1-0-2-2-0-1-0-1-1-0-19-20-S"];

fn covered<'t>(args: &[&'t str]) -> Vec<&'t str> {
    [args, &COVERED].concat()
}

#[test]
fn finished_games_can_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let board = [
        "--opponent",
        "perfect",
        "--board",
        "0 0 0 0 1 1 / 2 0 0 0 0 0",
    ];
    let expected = "\
Rules: awari. South begins.
You are South; North is perfect up to 9 seeds. Type ? for help.

           f11  e10   d9   c8   b7   a6
  North  0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 2]
> South  0 [ 0] [ 0] [ 0] [ 0] [ 1] [ 1]
            A0   B1   C2   D3   E4   F5

South to move (A-F or 0-5, q quits): 4
South plays E (4).

           f11  e10   d9   c8   b7   a6
> North  0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 2]
  South  0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 2]
            A0   B1   C2   D3   E4   F5

North plays a (6).

           f11  e10   d9   c8   b7   a6
  North  0 [ 0] [ 0] [ 0] [ 1] [ 1] [ 0]
> South  0 [ 0] [ 0] [ 0] [ 0] [ 0] [ 2]
            A0   B1   C2   D3   E4   F5

South to move (A-F or 0-5, q quits): 5
South plays F (5) and captures 2.
";
    let out = play_in(folder.path(), &board, "4\n5\ns end.ogn\n5\nq\n");
    assert!(out.starts_with(expected), "{out}");
    let end = &out[expected.len()..];
    assert!(end.contains("The game is over (s FILE saves, u takes back, q quits): s end.ogn\n"));
    assert!(end.contains("Saved to end.ogn.\n"), "{end}");
    assert!(
        end.contains("q quits): 5\nNot played: the game is over.\n"),
        "{end}"
    );
    let saved = fs::read_to_string(folder.path().join("end.ogn")).unwrap();
    let saved = SavedGame::parse(&saved, Ruleset::KALAH).unwrap();
    assert_eq!(saved.record().letters(), "EaF");
    assert!(saved.record().game().outcome().is_some());
    assert!(saved.tag("North").unwrap().contains("perfect"));
}

#[test]
fn opponents_may_begin() {
    let args = ["--opponent", "random", "--seed", "7", "--side", "north"];
    let out = play(&args, "q\n");
    assert!(out.contains("You are North; South is a random player."));
    assert!(out.contains("\nSouth plays "), "{out}");
    assert!(out.contains("North to move (a-f or 6-11, q quits): q\n"));
    // The same seed gives the same moves; other seeds give others.
    assert_eq!(play(&args, "q\n"), out);
    let others = (0..20).map(|seed| {
        let seed = seed.to_string();
        play(
            &["--opponent", "random", "--seed", &seed, "--side", "north"],
            "",
        )
    });
    assert!(others.collect::<std::collections::HashSet<_>>().len() > 1);
}

/// The number of a pit that is shown as `F (5)`.
fn number_of(pit: &str) -> u8 {
    let digits = pit.trim_matches(|c: char| !c.is_ascii_digit());
    digits.parse().unwrap()
}

#[test]
fn hints_show_move_value_and_best_line() {
    let out = play(&covered(&[]), "h\nq\n");
    let hint = line(&out, "Hint: ").strip_prefix("Hint: ").unwrap();
    let (pit, rest) = hint.split_once(", value ").unwrap();
    let (value_text, best_line) = rest.split_once(" (exact). Best line: ").unwrap();
    let (best_line, ending) = best_line.split_once(". ").unwrap();
    assert!(best_line.starts_with(&pit[..1]), "{hint}");
    let board = COVERED_BOARD.parse().unwrap();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let value = tables.probe(&board).unwrap().value;
    assert_eq!(value_text, format!("{value:+}"));
    assert_eq!((value, ending), (-5, "North wins by 6 seeds."));
    let played = Ruleset::AWARI.play(&board, number_of(pit)).unwrap();
    let child = tables.probe(&played.board).unwrap().value;
    assert_eq!(played.value(child), value);
    // Bounds decide that South, two seeds of four behind on the board, does not lose the game.
    let board = [
        "--rules",
        "abapa",
        "--board",
        "0-0-0-0-0-1-0-0-0-0-2-1-24-20-S",
    ];
    let out = play(&board, "h\nq\n");
    let hint = line(&out, "Hint: ");
    assert!(hint.contains(". South wins by up to "), "{hint}");
    assert!(hint.ends_with(" seeds or draws."), "{hint}");
    // Without tables the value is an estimate.
    let out = play(&["--rules", "kalah"], "h\nq\n");
    let hint = line(&out, "Hint: ");
    assert!(hint.contains(" (estimate). Best line: "), "{hint}");
}

#[test]
fn v_lists_the_values_of_moves_best_first() {
    let out = play(&covered(&[]), "v\nq\n");
    let lines: Vec<&str> = out
        .lines()
        .skip_while(|line| !line.starts_with("Value of each move for South"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .collect();
    let values: Vec<(usize, i8)> = lines
        .iter()
        .map(|line| {
            let mut words = line.split_whitespace();
            let (_, pit) = (words.next(), words.next().unwrap());
            let pit = usize::from(number_of(pit));
            let value = words.next().unwrap().parse().unwrap();
            assert_eq!(words.next(), Some("(exact)"), "{line}");
            (pit, value)
        })
        .collect();
    assert!(values.is_sorted_by_key(|&(_, value)| -value), "{values:?}");
    let board = COVERED_BOARD.parse().unwrap();
    let expected = Tablebase::embedded(Ruleset::AWARI).moves(&board).unwrap();
    assert_eq!(values.len(), expected.len());
    for m in expected {
        let pit = usize::from(m.step.pit);
        assert!(
            values.contains(&(pit, m.result.unwrap().value)),
            "{values:?}"
        );
    }
}

#[test]
fn u_takes_moves_back_to_the_players_own_turn() {
    // Between two people: one move at a time.
    let out = play(&[], "0\n6\nu\nu\nu\nq\n");
    assert!(
        out.contains("Move taken back: North is to move again."),
        "{out}"
    );
    assert!(out.contains("Move taken back: South is to move again."));
    assert!(out.contains("Not taken back: you have not made a move."));
    assert!(out.ends_with("Score so far: South 0, North 0.\n"));
    // Against the program: its reply is taken back as well.
    let args = ["--opponent", "random", "--seed", "1"];
    let out = play(&args, "u\n0\nu\n1\nq\n");
    assert_eq!(
        out.matches("Not taken back: you have not made a move.")
            .count(),
        1
    );
    assert_eq!(
        out.matches("Move taken back: South is to move again.")
            .count(),
        1
    );
    assert!(out.contains("South plays B (1)."), "{out}");
    // North cannot take back South's first move.
    let args = [&args[..], &["--side", "north"]].concat();
    let out = play(&args, "u\nq\n");
    assert!(
        out.contains("Not taken back: you have not made a move."),
        "{out}"
    );
    // Moves can be taken back after the end of the game.
    let board = [
        "--opponent",
        "perfect",
        "--board",
        "0 0 0 0 0 1 / 2 0 0 0 0 1",
    ];
    let out = play(&board, "5\nu\nq\n");
    assert!(out.contains("The game is over (s FILE saves, u takes back, q quits): u\n"));
    assert!(
        out.ends_with("Game stopped. Score so far: South 0, North 0.\n"),
        "{out}"
    );
}

#[test]
fn saved_games_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let out = play_in(path, &["--rules", "abapa"], "0\n6\n1\ns game.ogn\nq\n");
    assert!(out.contains("Saved to game.ogn."), "{out}");
    let saved = fs::read_to_string(path.join("game.ogn")).unwrap();
    let record = SavedGame::parse(&saved, Ruleset::KALAH)
        .unwrap()
        .into_record();
    assert_eq!(
        (record.letters().as_str(), record.game().rules()),
        ("AaB", Ruleset::ABAPA)
    );
    // The file names the ruleset, and its moves can be taken back.
    let out = play_in(path, &["--load", "game.ogn"], "u\nq\n");
    assert!(out.starts_with("Rules: abapa. South begins.\n"), "{out}");
    assert!(out.contains(
        "North to move (a-f or 6-11, q quits): u\nMove taken back: South is to move again."
    ));
    // Loading during another game changes the opponent to the ruleset of the file.
    let args = ["--opponent", "engine", "--level", "1", "--side", "north"];
    let out = play_in(path, &args, "l game.ogn\n6\nq\n");
    assert!(
        out.contains("Rules: abapa. South begins.\nYou are North"),
        "{out}"
    );
    // The three moves of the file, then one move of each player.
    assert!(
        out.contains("North to move (a-f or 6-11, q quits): 6\nNorth plays a (6)."),
        "{out}"
    );
}

/// Options that the file of a game overrules are not dropped in silence.
#[test]
fn rules_that_a_file_overrules_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[Variant \"Awari\"]\n[Repetitions \"2\"]\n1. F a 2. B";
    fs::write(folder.path().join("game.ogn"), game).unwrap();
    let notes = |line: &str| {
        let mut krou = krou_in(folder.path());
        let Outcome { code, stderr, .. } = run_with_input(krou.args(words(line)), "q\n");
        assert_eq!(code, Some(0), "{line}: {stderr}");
        stderr
    };
    let rules = "krou: the game names its rules: awari counts, not abapa\n";
    let repetitions = "krou: the game names its repetitions: 2 counts\n";
    for command in ["play --load game.ogn", "review game.ogn --depth 2"] {
        for (options, expected) in [
            ("", String::new()),
            ("--rules awari --repetitions 2", String::new()),
            ("--rules abapa", rules.to_owned()),
            ("--repetitions 3", repetitions.to_owned()),
            (
                "--rules abapa --repetitions 3",
                format!("{rules}{repetitions}"),
            ),
        ] {
            assert_eq!(
                notes(&format!("{command} {options}")),
                expected,
                "{options}"
            );
        }
        let other = notes(&format!("{command} --endless nobody"));
        assert!(
            other.starts_with("krou: the game names its rules: awari"),
            "{other}"
        );
    }
}

/// Escapes are for terminals.
#[test]
fn text_in_a_pipe_has_no_styles() {
    let out = play(&[], "F\na\nq\n");
    assert!(
        !out.contains('\x1b') && out.contains("South plays F (5)."),
        "{out}"
    );
}

#[test]
fn failed_saving_and_loading_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("old.ogn"), "precious").unwrap();
    fs::write(path.join("bad.ogn"), "1. Z").unwrap();
    fs::write(path.join("bytes.ogn"), [0xff, 0xfe]).unwrap();
    fs::write(path.join("long.ogn"), vec![b' '; SavedGame::MAX_BYTES + 1]).unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    let input = "3\ns old.ogn\ns! folder\ns no/where.ogn\nl none.ogn\nl bad.ogn\nl folder\n\
                 l bytes.ogn\nl long.ogn\nq\n";
    let out = play_in(path, &[], input);
    for part in [
        "Not saved: old.ogn exists: 's! old.ogn' overwrites it.",
        "Not saved: folder is not a regular file.",
        "Not saved: no/where.ogn cannot be written: ",
        "Not loaded: none.ogn cannot be read as a game: ",
        "Not loaded: bad.ogn cannot be read as a game: line 1: 'Z' is not a move",
        "Not loaded: folder cannot be read as a game: it is not a regular file.",
        "Not loaded: bytes.ogn cannot be read as a game: the text has neither tags nor moves",
        "Not loaded: long.ogn cannot be read as a game: it has more than 1048576 bytes.",
    ] {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    assert!(!out.contains(".krou-"), "a temporary file is named: {out}");
    assert_eq!(
        fs::read_to_string(path.join("old.ogn")).unwrap(),
        "precious"
    );
    // South's move is still played, and no file was added.
    assert_eq!(out.matches("North to move").count(), 9, "{out}");
    assert_eq!(fs::read_dir(path).unwrap().count(), 5);
    let out = play_in(path, &[], "3\ns! old.ogn\nq\n");
    assert!(out.contains("Saved to old.ogn."), "{out}");
    let saved = fs::read_to_string(path.join("old.ogn")).unwrap();
    assert!(saved.contains("1. D"), "{saved}");
    assert_eq!(fs::read_dir(path).unwrap().count(), 5);
}

#[cfg(unix)]
#[test]
fn saved_games_have_the_usual_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    symlink("/dev/null", path.join("link")).unwrap();
    let out = play_in(path, &[], "s! link\ns game\nq\n");
    assert!(
        out.contains("Not saved: link is not a regular file."),
        "{out}"
    );
    fs::write(path.join("usual"), "").unwrap();
    let mode = |name| fs::metadata(path.join(name)).unwrap().permissions().mode();
    assert_eq!(mode("game"), mode("usual"));
}

#[test]
fn help_lists_every_command() {
    let out = play(&["--opponent", "random", "--side", "north"], "?\nq\n");
    for part in ["a-f", "h", "v", "u", "s FILE", "l FILE", "q"] {
        assert!(out.contains(&format!("\n  {part} ")), "{part}: {out}");
    }
}

#[test]
fn invalid_arguments_give_one_sentence() {
    for (args, part) in [
        ("--opponent nobody", "'nobody'"),
        ("--opponent engine --level 0", "number from 1 to 10"),
        ("--opponent engine --level 11", "number from 1 to 10"),
        ("--opponent engine --side east", "'east'"),
        ("--level 3", "--opponent"),
        ("--load /no/such/file", "file cannot be read as a game"),
        ("--load a --board b", "cannot be used with"),
    ] {
        let error = call(&words(&format!("play {args}"))).error();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_same_seed_gives_the_moves_of_the_library() {
    use krou::engine::{Level, Opponent, Style};
    use std::sync::atomic::AtomicBool;
    let level = Level::new(1).unwrap();
    let rules = Ruleset::AWARI;
    let mut opponent = Opponent::new(Style::Random, level, rules, None, 5);
    let mut record = Record::new(Game::new(rules));
    record.play(0).unwrap();
    let pit = opponent
        .choose(record.game(), &AtomicBool::new(false))
        .unwrap();
    let out = play(&["--opponent", "random", "--seed", "5"], "0\nq\n");
    let played = format!("North plays {}", Player::North.letter(pit));
    assert!(out.contains(&played), "{played}: {out}");
}

#[test]
fn a_loaded_game_goes_on_against_the_same_opponent() {
    let home = tempfile::tempdir().unwrap();
    let play = |args: &str, input: &str| -> String {
        let args = words(args);
        run_with_input(krou_in(home.path()).arg("play").args(args), input).success_without_tables()
    };
    for (options, title) in [
        (
            "--opponent engine --level 2",
            "You are South; North is the engine, level 2.",
        ),
        (
            "--opponent random --side north",
            "You are North; South is a random player.",
        ),
        (
            "--opponent perfect --rules awari",
            "You are South; North is perfect up to 9 seeds.",
        ),
    ] {
        play(options, "s! game.ogn\nq\n");
        let text = fs::read_to_string(home.path().join("game.ogn")).unwrap();
        assert!(
            text.contains("[Date \"20") && !text.contains("[Date \"?"),
            "{text}"
        );
        let out = play("--load game.ogn", "s! game.ogn\nq\n");
        assert!(out.contains(title), "{out}");
        assert_eq!(
            fs::read_to_string(home.path().join("game.ogn")).unwrap(),
            text
        );
        assert!(!play("--load game.ogn --opponent random --seed 1", "q\n").contains("engine"));
    }
}
