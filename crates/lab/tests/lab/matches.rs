//! `krou-lab match`: krou against itself, and against engines that fail.

use std::fs;
use std::path::Path;

use krou::ogn::SavedGame;
use krou::rules::Ruleset;

use crate::support::{Run, krou, lab, lab_in, run};

/// The command of krou's own engine.
fn own() -> String {
    format!("'{}' engine --hash 1", krou().display())
}

/// Plays a match between two commands.
fn play(folder: &Path, a: &str, b: &str, options: &str) -> Run {
    lab(folder, &format!("match {options}"), &["--a", a, "--b", b])
}

/// The moves of the games in an archive.
fn games(archive: &Path) -> Vec<String> {
    let text = fs::read_to_string(archive).unwrap();
    let games = text.replace("\n\n[", "\n\n\0[");
    let games = games.split('\0');
    games
        .map(|game| SavedGame::parse(game, Ruleset::AWARI).unwrap())
        .map(|game| game.record().letters())
        .collect()
}

#[test]
fn krou_plays_itself_from_random_openings() {
    let home = tempfile::tempdir().unwrap();
    let options = "--games 6 --nodes 300 --concurrency 2 --rules abapa --ogn games.ogn";
    let (a, b) = (format!("one={}", own()), format!("two={}", own()));
    let text = play(home.path(), &a, &b, &format!("{options} --set Threads=1")).success();
    let table = text.rsplit("engine ").next().unwrap();
    for (row, name) in table.lines().skip(1).zip(["one", "two"]) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words[..2], [name, "6"], "{text}");
    }
    assert!(
        table.contains("\npairs of games by points of one: "),
        "{text}"
    );
    // Each opening is played with both sides, and all games can be replayed.
    let openings = |south: &str| {
        let mut lines: Vec<&str> = text.lines().filter(|line| line.contains(south)).collect();
        lines.sort_unstable();
        let openings = lines.iter().map(|line| line.split(": ").next().unwrap());
        openings.filter_map(|line| line.split(", ").nth(1)).count()
    };
    assert_eq!([openings(": one - two"), openings(": two - one")], [3, 3]);
    assert_eq!(games(&home.path().join("games.ogn")).len(), 6);
    // The games of the next match take their place.
    play(home.path(), &a, &b, &options.replace('6', "2")).success();
    assert_eq!(games(&home.path().join("games.ogn")).len(), 2);
}

/// With one thread and limited nodes, the engine always plays the same.
#[test]
fn the_same_seed_gives_the_same_match() {
    let home = tempfile::tempdir().unwrap();
    let moves = |seed: u32, file: &str| {
        let options = format!("--games 4 --nodes 100 --seed {seed} --ogn {file}");
        let text = play(home.path(), &own(), &own(), &options).success();
        assert!(text.contains("\nkrou-2 "), "{text}");
        games(&home.path().join(file))
    };
    let first = moves(7, "first");
    assert_eq!(first, moves(7, "again"));
    assert_ne!(first, moves(8, "other"));
}

/// The command of a model, with its name.
fn model(name: &str) -> String {
    format!("{name}='{}' model {name}", env!("CARGO_BIN_EXE_krou-lab"))
}

#[test]
fn models_are_of_different_strength() {
    let home = tempfile::tempdir().unwrap();
    let options = "--games 8 --nodes 1 --rules abapa";
    for (a, b) in [("greedy", "random"), ("careful", "greedy")] {
        let text = play(home.path(), &model(a), &model(b), options).success();
        let row = text.rsplit("engine ").next().unwrap().lines().nth(1);
        let words: Vec<&str> = row.unwrap().split_whitespace().collect();
        let won: u32 = words[2].parse().unwrap();
        assert!(words[..2] == [a, "8"] && won > 5, "{text}");
    }
}

#[test]
fn a_match_of_a_level_with_seeds_can_be_repeated() {
    let home = tempfile::tempdir().unwrap();
    let play = |seed: &str| {
        let (a, b, seed) = (own(), model("greedy"), format!("Skill Seed={seed}"));
        let level = [
            "--a",
            &a,
            "--b",
            &b,
            "--set-a",
            "Skill Level=2",
            "--set-a",
            &seed,
        ];
        let line = "match --games 2 --nodes 1000 --rules abapa --ogn games.ogn";
        lab(home.path(), line, &level).success();
        games(&home.path().join("games.ogn"))
    };
    let first = play("1");
    assert_eq!(first, play("1"));
    assert_ne!(first, play("2"));
}

#[test]
fn every_time_control_and_openings_of_a_file_are_played() {
    let home = tempfile::tempdir().unwrap();
    let openings = "FaBc\n1-0-0-0-0-1-2-0-0-0-0-1-20-23-N\n0-0-0-0-1-1-2-0-0-0-0-1-23-20-S\n";
    fs::write(home.path().join("openings"), openings).unwrap();
    for limits in ["--movetime 5", "--clock 2+0.01", "--depth 2 --nodes 100"] {
        // The grace is longer than any pause of the machine.
        let options = format!("--games 6 --openings openings --grace 20000 {limits}");
        let text = play(home.path(), &own(), &own(), &options).success();
        let games = text.lines().filter(|line| line.starts_with("game "));
        assert_eq!(games.count(), 6, "{text}");
    }
}

#[test]
fn a_sequential_test_ends_the_match() {
    let home = tempfile::tempdir().unwrap();
    for (options, code, result) in [
        // A wide gap of hypotheses is decided after a few pairs.
        (
            "--games 200 --sprt elo0=-900 elo1=-700",
            0,
            "elo1 = -700 is accepted",
        ),
        (
            "--games 200 --sprt elo0=700 elo1=900",
            1,
            "elo0 = 700 is accepted",
        ),
        // A test that is not decided is no success.
        ("--games 2 --sprt", 1, "undecided"),
    ] {
        let played = play(
            home.path(),
            &own(),
            &own(),
            &format!("--nodes 50 {options}"),
        );
        assert_eq!(played.code, Some(code), "{played:?}");
        assert!(played.stdout.contains(result), "{played:?}");
    }
}

#[test]
fn invalid_matches_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    let own = own();
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
        ("true", "", "ended before it answered 'uci'"),
    ] {
        let options = format!("--games 2 --nodes 10 {options}");
        let error = play(home.path(), &own, b, &options).error();
        assert!(error.contains(part), "{b} {options}: {error}");
    }
}

#[cfg(unix)]
mod failing {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

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
    fn engines_that_fail_lose_the_game() {
        let home = tempfile::tempdir().unwrap();
        for (go, fault) in [
            ("exit 3", "crash"),
            ("echo bestmove Z", "illegal move \"Z\""),
            ("echo bestmove", "illegal move \"\""),
            ("exec 1>&-", "crash"),
            (":", "timeout"),
            // A flood of lines is no answer.
            ("while :; do echo info; done", "timeout"),
        ] {
            let fake = engine(home.path(), "fake", go);
            let options = "--games 2 --nodes 50 --timeout 200";
            let text = play(home.path(), &fake, &own(), options).success();
            let lost = text
                .matches(&format!("krou wins ({fault} by fake, "))
                .count();
            assert_eq!(lost, 2, "{text}");
        }
    }

    #[test]
    fn an_interrupted_match_prints_its_table_and_ends_the_engines() {
        let home = tempfile::tempdir().unwrap();
        let started = home.path().join("started");
        let go = format!("echo $$ > '{}'", started.display());
        let fake = engine(home.path(), "fake", &go);
        let mut command = lab_in(home.path());
        command.args([
            "match",
            "--a",
            &fake,
            "--b",
            &own(),
            "--plies",
            "0",
            "--nodes",
            "50",
        ]);
        let running = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let running = running.spawn().unwrap();
        let engine_id = loop {
            match fs::read_to_string(&started) {
                Ok(id) if id.ends_with('\n') => break id.trim().to_owned(),
                _ => thread::sleep(Duration::from_millis(5)),
            }
        };
        // Every shell has `kill`.
        let kill = |signal: &str, id: &str| {
            run(Command::new("sh").args(["-c", &format!("kill -{signal} {id}")])).code
        };
        assert_eq!(kill("0", &engine_id), Some(0));
        assert_eq!(kill("INT", &running.id().to_string()), Some(0));
        let output = running.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("The match was interrupted."), "{text}");
        assert_ne!(
            kill("0", &engine_id),
            Some(0),
            "the engine is still running"
        );
    }
}
