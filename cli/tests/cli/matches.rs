//! `krou match`: krou against itself, and against engines that fail.

use std::path::Path;

use krou::engine::SavedGame;
use krou::rules::Ruleset;
use serde_json::Value;

use crate::support::{Outcome, call_in, krou_in};

/// The command of krou's own engine.
fn own(options: &str) -> String {
    let program = env!("CARGO_BIN_EXE_krou");
    format!("'{program}' engine --hash 1 {options}")
}

/// Plays a match between two commands.
fn play(folder: &Path, a: &str, b: &str, options: &str) -> Outcome {
    let mut args = vec!["match", "--a", a, "--b", b];
    args.extend(options.split_whitespace());
    call_in(folder, &args)
}

fn json(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn krou_plays_itself_from_random_openings() {
    let home = tempfile::tempdir().unwrap();
    let options = "--games 6 --nodes 300 --concurrency 2 --rules abapa --json --ogn games.ogn";
    let (a, b) = (format!("strong={}", own("")), format!("weak={}", own("")));
    let outcome = play(home.path(), &a, &b, &format!("{options} --set Threads=1"));
    let report = json(&outcome.success());
    assert_eq!(report["rules"], "abapa");
    assert_eq!(
        (&report["games"], &report["complete"]),
        (&6.into(), &true.into())
    );
    let engines = report["engines"].as_array().unwrap();
    assert_eq!(engines[0]["name"], "strong");
    let points = |number: usize| engines[number]["points"].as_f64().unwrap();
    assert!((points(0) + points(1) - 6.0).abs() < 1e-9);
    assert_eq!(engines[0]["won"], engines[1]["lost"]);
    assert_eq!(engines[0]["faults"], 0);
    assert!(engines[0]["elo"].is_number() && engines[0]["elo_low"].is_number());
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 3);
    // Each opening is played with both sides, and all games can be replayed.
    let played = report["played"].as_array().unwrap();
    let mut sides: Vec<String> = Vec::new();
    for game in played {
        sides.push(format!("{} {}", game["opening"], game["south"]));
        let moves = game["moves"].as_str().unwrap();
        let saved = SavedGame::parse(moves, Ruleset::ABAPA).unwrap();
        let stores = saved.record().game().outcome().unwrap().stores;
        assert_eq!(game["seeds"][0], stores.south, "{game}");
        assert_eq!(game["fault"], Value::Null);
    }
    sides.sort();
    sides.dedup();
    assert_eq!(sides.len(), 6);
    let archive = std::fs::read_to_string(home.path().join("games.ogn")).unwrap();
    let games: Vec<&str> = archive.split("\n\n[").collect();
    assert_eq!(
        archive.matches("[Event \"krou match\"]").count(),
        6,
        "{games:?}"
    );
    let first = archive.split("\n[Variant").next().unwrap();
    let saved = SavedGame::parse(first, Ruleset::AWARI).unwrap();
    assert_eq!(saved.record().game().rules(), Ruleset::ABAPA);
    // An archive is not overwritten.
    let error = play(home.path(), &a, &b, options).error();
    assert!(error.contains("cannot create games.ogn"), "{error}");
}

/// With one thread and limited nodes, the engine always plays the same.
#[test]
fn the_same_seed_gives_the_same_match() {
    let home = tempfile::tempdir().unwrap();
    let moves = |seed: u32| -> Vec<String> {
        let options = format!("--games 4 --nodes 100 --json --seed {seed}");
        let engine = own("");
        let report = json(&play(home.path(), &engine, &engine, &options).success());
        assert_eq!(report["engines"][1]["name"], "krou-2");
        let played = report["played"].as_array().unwrap();
        let moves = played.iter().map(|game| game["moves"].as_str().unwrap());
        moves.map(str::to_owned).collect()
    };
    let first = moves(7);
    assert_eq!(first, moves(7));
    assert_ne!(first, moves(8));
}

#[test]
fn every_time_control_and_openings_of_a_file_are_played() {
    let home = tempfile::tempdir().unwrap();
    let openings = "FaBc\n1-0-0-0-0-1-2-0-0-0-0-1-20-23-N\n0-0-0-0-1-1-2-0-0-0-0-1-23-20-S\n";
    std::fs::write(home.path().join("openings"), openings).unwrap();
    for limits in ["--movetime 5", "--clock 2+0.01", "--depth 2 --nodes 100"] {
        // The grace is longer than any pause of the machine.
        let options = format!("--games 6 --openings openings --grace 20000 {limits}");
        let text = play(home.path(), &own(""), &own(""), &options).success();
        let games = text
            .lines()
            .filter(|line| line.starts_with("game "))
            .count();
        assert_eq!(games, 6, "{text}");
        let table = text.split("\n\n").nth(1).unwrap();
        assert!(table.starts_with("engine "), "{text}");
        assert_eq!(table.lines().count(), 3, "{text}");
    }
}

#[test]
fn a_sequential_test_ends_the_match() {
    let home = tempfile::tempdir().unwrap();
    // A wide gap of hypotheses is decided after a few pairs.
    let options = "--games 200 --nodes 50 --sprt elo0=-900 elo1=-700 --json";
    let report = json(&play(home.path(), &own(""), &own(""), options).success());
    assert_eq!(report["sprt"]["accepted"], "elo1");
    assert!(report["games"].as_u64().unwrap() < 200, "{report}");
    let options = "--games 200 --nodes 50 --sprt elo0=700 elo1=900";
    let text = play(home.path(), &own(""), &own(""), options).exit_1();
    assert!(text.contains("elo0 = 700 is accepted"), "{text}");
    // A test that is not decided is no success.
    let options = "--games 2 --nodes 50 --sprt";
    let text = play(home.path(), &own(""), &own(""), options).exit_1();
    assert!(
        text.contains("SPRT elo0=0 elo1=5 alpha=0.05 beta=0.05: LLR"),
        "{text}"
    );
    assert!(text.contains("undecided"), "{text}");
}

#[test]
fn invalid_matches_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    let own = own("");
    for (b, options, part) in [
        ("/no/such/engine", "", "cannot start /no/such/engine"),
        ("", "", "--b: '' is not a command"),
        ("x=krou 'engine", "", "is not a command"),
        (&own, "--set Hash", "'Hash' is not of the form NAME=VALUE"),
        (&own, "--set-b Speed=9", "has no option 'Speed'"),
        (&own, "--sprt elo0=5", "--sprt: elo0 must be less than elo1"),
        (&own, "--openings none", "cannot read none"),
        (&own, "--clock soon", "a clock is a number of seconds"),
        (&own, "--games 0", "--games"),
        (&own, "--rules awri", "there is no ruleset 'awri'"),
        (&own, "--repetitions 4", "--repetitions"),
        ("true", "", "ended before it answered 'uci'"),
    ] {
        let error = play(
            home.path(),
            &own,
            b,
            &format!("--games 2 --nodes 10 {options}"),
        )
        .error();
        assert!(error.contains(part), "{b} {options}: {error}");
    }
}

#[cfg(unix)]
mod failing {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    use std::{fs, thread};

    use super::*;

    /// A script that speaks the protocol, and answers `go` with a shell command.
    fn engine(folder: &Path, name: &str, go: &str) -> String {
        let path = folder.join(name);
        let script = format!(
            "while read -r word rest; do case $word in uci) echo uciok;; \
             isready) echo readyok;; quit) exit;; go) {go};; esac; done\n"
        );
        fs::write(&path, script).unwrap();
        format!("{name}=sh '{}'", path.display())
    }

    #[test]
    fn crashes_and_illegal_moves_lose_the_game() {
        let home = tempfile::tempdir().unwrap();
        for (go, fault) in [
            ("exit 3", "crash"),
            ("echo bestmove Z", "illegal move 'Z'"),
            ("echo bestmove 0000", "illegal move '0000'"),
            ("echo bestmove", "illegal move ''"),
            ("exec 1>&-", "crash"),
        ] {
            let fake = engine(home.path(), "fake", go);
            let options = "--games 4 --nodes 50 --json";
            let report = json(&play(home.path(), &fake, &own(""), options).success());
            let engines = &report["engines"];
            assert_eq!(
                (&engines[0]["lost"], &engines[0]["faults"]),
                (&4.into(), &4.into())
            );
            assert_eq!(
                (&engines[1]["won"], &engines[1]["faults"]),
                (&4.into(), &0.into())
            );
            for game in report["played"].as_array().unwrap() {
                assert_eq!(
                    (game["end"].as_str(), game["fault"].as_str()),
                    (Some(fault), Some("fake"))
                );
                assert_eq!(game["winner"], "krou");
            }
        }
    }

    /// The engine that hangs is to move at once, so the other one need not be fast.
    #[test]
    fn engines_that_hang_lose_by_time() {
        let home = tempfile::tempdir().unwrap();
        for go in [":", "while :; do echo info string busy; done"] {
            let fake = engine(home.path(), "fake", go);
            let options = "--games 1 --plies 0 --nodes 50 --timeout 300";
            let text = play(home.path(), &fake, &own(""), options).success();
            assert!(
                text.contains("krou wins (timeout by fake, 0 moves)"),
                "{text}"
            );
        }
    }

    #[test]
    fn an_interrupted_match_prints_its_table_and_ends_the_engines() {
        let home = tempfile::tempdir().unwrap();
        let started = home.path().join("started");
        let fake = engine(
            home.path(),
            "fake",
            &format!("echo $$ > '{}'", started.display()),
        );
        let running = krou_in(home.path())
            .args([
                "match",
                "--a",
                &fake,
                "--b",
                &own(""),
                "--plies",
                "0",
                "--nodes",
                "50",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let engine_id = loop {
            match fs::read_to_string(&started) {
                Ok(id) if id.ends_with('\n') => break id.trim().to_owned(),
                _ => thread::sleep(Duration::from_millis(5)),
            }
        };
        let kill = |arguments: &[&str]| {
            let mut command = Command::new("kill");
            command.args(arguments).stderr(Stdio::null());
            command.status().unwrap().success()
        };
        assert!(kill(&["-0", &engine_id]));
        assert!(kill(&["-INT", &running.id().to_string()]));
        let output = running.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("The match was interrupted."), "{text}");
        assert!(text.contains("fake "), "{text}");
        assert!(!kill(&["-0", &engine_id]), "the engine is still running");
    }
}
