//! `krou puzzles`: the JSON as a contract, the text, and wrong usage.

use serde_json::{Map, Value};

use crate::support::{call, words};

const FIELDS: [&str; 9] = [
    "board", "rules", "seeds", "theme", "grade", "goal", "solution", "moves", "line",
];

fn puzzles(options: &str) -> String {
    call(&words(&format!("puzzles {options}"))).success()
}

/// The puzzles of a call with `--json`.
fn objects(options: &str) -> Vec<Map<String, Value>> {
    let lines = puzzles(&format!("--json {options}"));
    let objects = lines.lines().map(serde_json::from_str);
    objects.collect::<Result<_, _>>().unwrap()
}

#[test]
fn json_has_the_fields_of_the_contract_in_order() {
    let lines = puzzles("--json --rules awari --seeds 6..8 --count 12 --seed 3");
    assert_eq!(lines.lines().count(), 12);
    for line in lines.lines() {
        let puzzle: Map<String, Value> = serde_json::from_str(line).unwrap();
        assert_eq!(puzzle.len(), FIELDS.len());
        let places = FIELDS.map(|field| line.find(&format!("\"{field}\":")).unwrap());
        assert!(places.is_sorted(), "{line}");
        let board: Vec<u64> = serde_json::from_value(puzzle["board"].clone()).unwrap();
        assert_eq!(board.iter().sum::<u64>(), puzzle["seeds"]);
        assert_eq!(puzzle["rules"], "awari");
        assert!((1..=5).contains(&puzzle["grade"].as_u64().unwrap()));
        assert!(["result", "value"].contains(&puzzle["goal"].as_str().unwrap()));
        let moves = puzzle["moves"].as_array().unwrap();
        assert_eq!(moves[0]["pit"], puzzle["solution"]);
        for m in moves {
            assert_eq!(m.as_object().unwrap().len(), 3);
            let letter = m["letter"].as_str().unwrap().as_bytes()[0];
            assert_eq!(u64::from(letter - b'A'), m["pit"]);
        }
        let line = puzzle["line"].as_str().unwrap();
        assert_eq!(line[..1], moves[0]["letter"]);
    }
    let again = puzzles("--json --rules awari --seeds 6..8 --count 12 --seed 3");
    assert_eq!(again, lines);
    assert_ne!(
        puzzles("--json --rules awari --seeds 6..8 --count 12"),
        lines
    );
}

/// What `krou probe` says of the same boards.
#[test]
fn values_are_those_of_probe() {
    for puzzle in objects("--count 5") {
        assert_eq!(puzzle["rules"], "abapa");
        let board = puzzle["board"].to_string();
        let probed = call(&["probe", "--json", "--rules", "abapa", &board]).success();
        let probed: Value = serde_json::from_str(&probed).unwrap();
        assert_eq!(probed["value"], puzzle["moves"][0]["value"]);
        let values = |moves: &Value| {
            let moves = moves.as_array().unwrap().iter();
            let mut moves: Vec<_> = moves
                .map(|m| (m["pit"].as_u64(), m["value"].as_i64()))
                .collect();
            moves.sort_unstable();
            moves
        };
        assert_eq!(values(&probed["moves"]), values(&puzzle["moves"]));
    }
}

#[test]
fn themes_and_grades_are_those_asked_for() {
    for puzzle in objects("--theme zugzwang --grade 2 --count 4") {
        assert_eq!(puzzle["theme"], "zugzwang");
        assert_eq!(puzzle["grade"], 2);
    }
}

#[test]
fn text_fits_a_terminal_and_ends_with_the_solutions() {
    let text = puzzles("--count 8");
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    let (boards, solutions) = text.split_once("Solutions, ").unwrap();
    assert_eq!(boards.matches("grade").count(), 8);
    assert_eq!(solutions.lines().count(), 9);
}

#[test]
fn all_boards_without_enough_puzzles_are_said() {
    let found = call(&words("puzzles --json --seeds 3..4 --theme loop-trap"));
    assert_eq!(found.code, Some(0));
    assert!(found.stdout.lines().count() < 10);
    assert!(found.stderr.contains("there are no more puzzles"));
}

#[test]
fn wrong_usage_is_one_sentence() {
    for (options, part) in [
        ("--theme mate", "win-by-one"),
        ("--grade 6", "from 1 to 5"),
        ("--count 0", "from 1 to"),
        ("--seed -1", "from 0 to"),
        ("--seeds 9..4", "4 is less than 9"),
        ("--seeds x", "3..6"),
        ("--rules oware2", "there is no ruleset"),
        ("--seeds 8..12", "krou build --rules abapa --seeds 12"),
        ("--dir nowhere", "nowhere"),
    ] {
        let error = call(&words(&format!("puzzles {options}"))).error();
        assert!(error.contains(part), "{options}: {error}");
    }
}

/// Nothing is looked at, and no table is asked for.
#[test]
fn themes_that_cannot_occur_are_said_at_once() {
    let answer = call(&words("puzzles --rules awari --theme loop-trap --seeds 40"));
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), ""));
    let note = "there are no loop-trap puzzles under awari";
    assert!(answer.stderr.contains(note), "{answer:?}");
}

/// It prints the puzzles so far, whole, and ends.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_search_in_order() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use crate::support::krou_in;

    let home = tempfile::tempdir().unwrap();
    let mut krou = krou_in(home.path());
    krou.args(["puzzles", "--json", "--count", "1000000"]);
    let mut krou = krou.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(krou.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let mut kill = Command::new("kill");
    kill.args(["-INT", &krou.id().to_string()]);
    assert!(kill.status().unwrap().success());
    for line in lines {
        serde_json::from_str::<Value>(&line.unwrap()).unwrap();
    }
    assert_eq!(krou.wait().unwrap().code(), Some(0));
}
