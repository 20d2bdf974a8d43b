//! `krou probe`: the exact JSON text, and its values.

use std::collections::BTreeSet;

use krou::rules::{Board, Ruleset};
use serde_json::{Value, json};

use crate::support::{built, call, call_in, krou_in, open, run_with_input, words};

/// The exact output of `probe --json`.
fn json(board: &str) -> String {
    call(&["probe", "--json", board]).success()
}

/// The head of an answer, and its moves without their boards.
fn answer(json: &str) -> (Value, Vec<Value>) {
    let mut answer: Value = serde_json::from_str(json).unwrap();
    let mut moves = answer["moves"].as_array().unwrap().clone();
    answer.as_object_mut().unwrap().remove("moves");
    for m in &mut moves {
        m.as_object_mut().unwrap().remove("board").unwrap();
    }
    (answer, moves)
}

#[test]
fn json_has_the_documented_fields() {
    assert_eq!(
        json("0 0 0 0 0 1 / 2 0 0 0 0 1"),
        "{\"board\":[0,0,0,0,0,1,2,0,0,0,0,1],\"seeds\":4,\"rules\":\"awari\",\"value\":4,\
         \"distance\":1,\"lower\":null,\"upper\":null,\"over\":false,\"moves\":[{\"pit\":5,\
         \"letter\":\"F\",\"captured\":3,\"gain\":3,\"board\":[0,0,0,0,0,1,0,0,0,0,0,0],\
         \"again\":false,\"ends\":false,\"value\":4,\"distance\":1,\"lower\":null,\
         \"upper\":null,\"best\":true}]}\n"
    );
    // A value of 0 has no distance.
    let (head, moves) = answer(&json("1 0 0 0 0 1 / 0 0 0 0 0 0"));
    for known in [&head, &moves[0]] {
        assert_eq!(
            (&known["value"], &known["distance"]),
            (&json!(0), &Value::Null)
        );
    }
}

#[test]
fn a_terminal_position_has_no_moves_and_distance_0() {
    for (board, value, distance) in [
        ("0 0 0 0 0 0 / 1 2 0 0 0 0", -3, json!(0)),
        ("0 0 0 0 0 0 / 0 0 0 0 0 0", 0, Value::Null),
    ] {
        let (head, moves) = answer(&json(board));
        assert_eq!(
            (&head["value"], &head["distance"]),
            (&json!(value), &distance)
        );
        assert_eq!((&head["over"], moves.len()), (&json!(true), 0));
    }
}

#[test]
fn moves_are_listed_best_first() {
    let (_, moves) = answer(&json("0 1 1 0 2 2 / 0 1 0 1 1 0"));
    let listed = |field: &str| -> Vec<Value> { moves.iter().map(|m| m[field].clone()).collect() };
    assert_eq!(listed("letter"), ["C", "E", "F", "B"]);
    assert_eq!(listed("value"), [-5, -5, -5, -9]);
    // The loser delays.
    assert_eq!(listed("distance"), [11, 11, 1, 60]);
    assert_eq!(listed("best"), [true, true, true, false]);
}

#[test]
fn missing_layers_are_reported() {
    // With fewer seeds they would be solved in memory.
    let board = "2 2 2 1 2 2 / 0 0 0 0 0 0";
    let home = built("--seeds 3 --rules pratt");
    for rules in ["awale", "pratt"] {
        let json = call_in(home.path(), &["probe", "--json", "--rules", rules, board]).exit_1();
        let (head, moves) = answer(&json);
        assert_eq!(
            head,
            json!({
                "board": [2, 2, 2, 1, 2, 2, 0, 0, 0, 0, 0, 0], "seeds": 11, "rules": rules,
                "value": null, "distance": null, "lower": null, "upper": null, "missing": 11,
                "over": false,
            })
        );
        // Under `pratt` moves that starve the opponent are legal too, and end the game.
        let known = |m: &&Value| m["value"] == -11;
        let ends = moves.iter().filter(known).count();
        assert_eq!(ends, if rules == "pratt" { 4 } else { 0 });
        let unknown = moves.iter().filter(|m| m["value"].is_null()).count();
        assert_eq!(ends + unknown, moves.len());
        assert!(moves.iter().all(|m| m["best"] == false));
    }
    // Moves that end the game are known without a table.
    let slam = words("probe --json --rules pratt 0 0 0 0 0 1 / 1 0 0 0 0 9");
    let answer: Value = serde_json::from_str(&call_in(home.path(), &slam).exit_1()).unwrap();
    assert_eq!(answer["missing"], 11);
    assert_eq!(answer["moves"][0]["captured"], 2);
}

#[test]
fn by_side_rulesets_have_bounds() {
    let home = built("--seeds 4 --distance --rules abapa");
    for (board, value, distance, lower, upper) in [
        // Two seeds that can chase each other forever: the mover has both in their row or one.
        ("1 0 0 0 0 1 / 0 0 0 0 0 0", 0, Value::Null, 0, 2),
        // The opponent must feed the mover with the last seed; the mover then has both.
        ("1 0 0 0 0 0 / 0 0 0 0 0 1", 2, json!(2), 2, 2),
    ] {
        let args = ["probe", "--json", "--rules=abapa", board];
        let (head, moves) = answer(&call_in(home.path(), &args).success());
        for known in [&head, &moves[0]] {
            assert_eq!(known["value"], value);
            assert_eq!(known["distance"], distance);
            assert_eq!(
                (&known["lower"], &known["upper"]),
                (&json!(lower), &json!(upper))
            );
        }
        assert_eq!(moves.len(), 1);
    }
}

#[test]
fn distances_are_null_without_a_distance_table() {
    let home = built("--seeds 4 --rules awale");
    for board in ["0 0 0 0 0 1 / 2 0 0 0 0 1", "0 0 0 0 0 0 / 1 2 0 0 0 0"] {
        let args = ["probe", "--json", "--rules=awale", board];
        let answer = call_in(home.path(), &args).success();
        assert!(answer.contains("\"distance\":null"), "{answer}");
        assert!(!answer.contains("\"value\":null"), "{answer}");
    }
}

/// What the library has is not hidden by a folder that has less.
#[test]
fn a_folder_with_values_alone_hides_no_distance() {
    let home = built("--seeds 6");
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    let answer = call_in(home.path(), &["probe", "--json", board]).success();
    assert_eq!(answer, json(board));
}

#[test]
fn boards_are_read_in_every_notation() {
    let plain = json("0 0 1 0 0 1 / 2 0 0 0 0 1");
    for board in [
        "0,0,1,0,0,1,2,0,0,0,0,1",
        "0,0,1,0,0,1/2,0,0,0,0,1",
        " 0 0 1 0 0 1\t2 0 0 0 0 1 ",
        "00 0 1 0 0 1 / 2 0 0 0 0 01",
        "0-0-1-0-0-1-2-0-0-0-0-1-0-0-S",
    ] {
        assert_eq!(json(board), plain, "{board}");
    }
    // South's pits come first, also with North to move; stores do not matter.
    let north = json("2-0-0-0-0-1-0-0-1-0-0-1-20-23-N");
    let of_south = ["\"F\"", "\"C\""].into_iter().fold(north, |json, letter| {
        json.replace(&letter.to_lowercase(), letter)
    });
    assert_eq!(of_south, plain);
    let separate = call(&words("probe --json 0 0 1 0 0 1 / 2 0 0 0 0 1"));
    assert_eq!(separate.success(), plain);
}

/// Every board with 3 and 5 seeds, including those that no move leads to.
#[test]
fn results_equal_those_of_the_library() {
    for (rules, options) in [
        (Ruleset::AWARI, ""),
        (Ruleset::ABAPA, "--distance"),
        (Ruleset::AWALE_INFO, ""),
        (Ruleset::PRATT, "--distance"),
        (Ruleset::KALAH, "--distance"),
    ] {
        let home = built(&format!("--seeds 5 --rules {rules} {options}"));
        let mut tables = open(home.path(), rules);
        // A batch has boards of any layer.
        tables.solve_missing(10).unwrap();
        let boards: Vec<Board> = all_boards(3).chain(all_boards(5)).collect();
        let lines: Vec<String> = boards.iter().map(Board::to_string).collect();
        let mut krou = krou_in(home.path());
        krou.args(["probe", "--batch", "--rules", &rules.to_string()]);
        let answers = run_with_input(&mut krou, lines.join("\n")).stdout;
        assert_eq!(answers.lines().count(), boards.len());
        for (board, answer) in boards.iter().zip(answers.lines()) {
            let answer: Value = serde_json::from_str(answer).unwrap();
            let result = tables.probe(board).unwrap();
            assert_eq!(answer["board"], serde_json::json!(board.pits()));
            assert_eq!(answer["seeds"], board.seeds());
            assert_eq!(answer["value"], result.value);
            assert_eq!(answer["distance"], serde_json::json!(result.distance));
            let lower = result.bounds.map(|bounds| bounds.lower);
            let upper = result.bounds.map(|bounds| bounds.upper);
            assert_eq!(answer["lower"], serde_json::json!(lower));
            assert_eq!(answer["upper"], serde_json::json!(upper));
            check_moves(rules, board, &answer);
        }
    }
}

/// The moves are the legal ones, best first, and the best have the value of the board.
fn check_moves(rules: Ruleset, board: &Board, answer: &Value) {
    let moves = answer["moves"].as_array().unwrap();
    let legal: BTreeSet<u64> = (rules.moves(board).legal())
        .map(|step| step.pit.into())
        .collect();
    let listed: BTreeSet<u64> = moves.iter().map(|m| m["pit"].as_u64().unwrap()).collect();
    assert_eq!(
        (listed, moves.len()),
        (legal.clone(), legal.len()),
        "{answer}"
    );
    let values: Vec<Option<i64>> = moves.iter().map(|m| m["value"].as_i64()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{answer}");
    for m in moves {
        assert_eq!(m["best"], m["value"] == answer["value"], "{answer}");
    }
    if let Some(best) = moves.first() {
        assert_eq!(answer["value"], best["value"], "{answer}");
    }
}

/// All C(seeds + 11, 11) boards with this many seeds.
fn all_boards(seeds: u8) -> impl Iterator<Item = Board> {
    // Each board is an arrangement of its seeds and eleven bars between the pits.
    let slots = u32::from(seeds) + 11;
    let bars = (0..1_u32 << slots).filter(|bars| bars.count_ones() == 11);
    bars.map(move |bars| {
        let mut pits = [0; 12];
        let mut pit = 0;
        for slot in 0..slots {
            match bars >> slot & 1 {
                1 => pit += 1,
                _ => pits[pit] += 1,
            }
        }
        Board::new(pits).unwrap()
    })
}

#[test]
fn text_output_describes_the_value() {
    let out = call(&["probe", "0 0 0 0 0 1 / 2 0 0 0 0 1"]).success();
    assert!(
        out.contains("the mover takes 4 seeds more (+4), next capture or end in 1 ply"),
        "{out}"
    );
    assert!(out.contains("* F (5)   +4  captures 3\n"), "{out}");
    assert!(!out.contains("stores"), "{out}");
    let start = "4 4 4 4 4 4 / 4 4 4 4 4 4";
    let missing = call(&["probe", start]).exit_1();
    // Nobody can build these layers at once.
    let advice = format!("'krou analyse --rules awari \"{start}\"' estimates it");
    assert!(missing.contains(&advice), "{missing}");
}

/// The words of all kinds of bounds are tested beside the function that chooses them.
#[test]
fn text_output_says_what_bounds_and_stores_decide() {
    let of = |board: &str| call(&["probe", "--rules", "abapa", board]).success();
    let out = of("0 0 0 0 0 1 / 0 0 0 0 2 1");
    let open = "abapa, 4 seeds: the opponent takes 2 to 4 seeds more (-4 to -2),\n\
                depending on where a repetition is stopped, next capture or end in 4 plies\n\
                * F (5)   -2  next capture or end in 4 plies, -4 to -2\n";
    assert!(out.ends_with(open), "{out}");
    // The same board for South with 24 and 20 seeds in the stores, and for North.
    let ending = |board: &str| {
        let out = of(board);
        let line = out.lines().find(|line| line.starts_with("with "));
        line.unwrap_or_else(|| panic!("{out}")).to_owned()
    };
    for (board, text) in [
        (
            "0-0-0-0-0-1-0-0-0-0-2-1-24-20-S",
            "with 24 and 20 in the stores: South wins by up to 2 seeds or draws",
        ),
        (
            "0 0 0 0 0 1 21 / 0 0 0 0 2 1 23",
            "with 21 and 23 in the stores: North wins by 4 to 6 seeds",
        ),
        (
            "0-0-0-0-2-1-0-0-0-0-0-1-20-23-N",
            "with 20 and 23 in the stores: North ends between 1 seed behind and 1 ahead",
        ),
        (
            "1-0-0-0-0-0-0-0-0-0-0-1-24-22-S",
            "with 24 and 22 in the stores: South wins by 4 seeds",
        ),
    ] {
        assert_eq!(ending(board), text, "{board}");
    }
    assert!(!of("1 0 0 0 0 0 / 0 0 0 0 0 1").contains("depending"));
}

/// The longest board of 10 seeds, and where built-in tables reach, a line to the end.
#[test]
fn lines_are_printed_whole() {
    let home = built("--seeds 12 --distance");
    let board = "1 0 1 0 0 3 / 0 0 1 3 1 0";
    let line = "AcBdAfAeAfFcCdDeAaEaFaBaEfAbAeDdBcEdCfAeAfFaDbBdAeCcBeDdCeDfFbCaBbAcE";
    let json = call_in(home.path(), &["probe", "--json", "--line=69", board]).success();
    let answer: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&answer["letters"], &answer["end"]),
        (&json!(line), &json!("length"))
    );
    assert_eq!(answer["line"][68]["captured"], 2);
    let text = call_in(home.path(), &["probe", "--line", board]).success();
    assert!(text.contains("ply 69, E: captures 2"), "{text}");
    let letters: String = text
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .collect();
    assert!(letters.contains(line), "{text}");

    let text = call(&["probe", "--line", "0 0 0 0 0 1 / 2 0 0 0 0 1"]).success();
    assert!(
        text.contains("best line, 2 plies, to the end of the game"),
        "{text}"
    );
    let missing = call(&["probe", "--line", "4 4 4 4 4 4 / 4 4 4 4 4 4"]).exit_1();
    assert!(
        missing.contains("best line, 0 plies, then no table"),
        "{missing}"
    );
}
