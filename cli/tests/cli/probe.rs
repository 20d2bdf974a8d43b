//! `krou probe`: the exact JSON text, and its values.

use krou::rules::{Board, Ruleset};
use serde_json::Value;

use crate::support::{built, call, call_in, krou_in, open, run_with_input, words};

/// The exact output of `probe --json`.
fn json(board: &str) -> String {
    call(&["probe", "--json", board]).success()
}

#[test]
fn json_has_the_documented_fields() {
    assert_eq!(
        json("0 0 0 0 0 1 / 2 0 0 0 0 1"),
        "{\"board\":[0,0,0,0,0,1,2,0,0,0,0,1],\"seeds\":4,\"rules\":\"awari\",\"value\":4,\
         \"distance\":1,\"lower\":null,\"upper\":null,\"moves\":[{\"pit\":5,\"captured\":3,\
         \"value\":4,\"distance\":1,\"best\":true}]}\n"
    );
    // A value of 0 has no distance.
    assert_eq!(
        json("1 0 0 0 0 1 / 0 0 0 0 0 0"),
        "{\"board\":[1,0,0,0,0,1,0,0,0,0,0,0],\"seeds\":2,\"rules\":\"awari\",\"value\":0,\
         \"distance\":null,\"lower\":null,\"upper\":null,\"moves\":[{\"pit\":5,\"captured\":0,\
         \"value\":0,\"distance\":null,\"best\":true}]}\n"
    );
}

#[test]
fn a_terminal_position_has_no_moves_and_distance_0() {
    assert_eq!(
        json("0 0 0 0 0 0 / 1 2 0 0 0 0"),
        "{\"board\":[0,0,0,0,0,0,1,2,0,0,0,0],\"seeds\":3,\"rules\":\"awari\",\"value\":-3,\
         \"distance\":0,\"lower\":null,\"upper\":null,\"moves\":[]}\n"
    );
    assert_eq!(
        json("0 0 0 0 0 0 / 0 0 0 0 0 0"),
        "{\"board\":[0,0,0,0,0,0,0,0,0,0,0,0],\"seeds\":0,\"rules\":\"awari\",\"value\":0,\
         \"distance\":null,\"lower\":null,\"upper\":null,\"moves\":[]}\n"
    );
}

#[test]
fn missing_layers_are_reported() {
    let board = "1 1 1 1 1 2 / 0 0 0 0 0 0";
    let home = built("--seeds 3 --rules pratt");
    for rules in ["awale", "pratt"] {
        let json = call_in(home.path(), &["probe", "--json", "--rules", rules, board]).exit_1();
        assert_eq!(
            json,
            format!(
                "{{\"board\":[1,1,1,1,1,2,0,0,0,0,0,0],\"seeds\":7,\"rules\":\"{rules}\",\
                 \"value\":null,\"distance\":null,\"lower\":null,\"upper\":null,\"missing\":7,\
                 \"moves\":[{}]}}\n",
                unknown_moves(rules)
            )
        );
    }
    // Moves that end the game are known without a table.
    let slam = [
        "probe",
        "--json",
        "--rules",
        "pratt",
        "0 0 0 0 0 1 / 1 0 0 0 0 5",
    ];
    let answer: Value = serde_json::from_str(&call_in(home.path(), &slam).exit_1()).unwrap();
    assert_eq!(answer["missing"], 7);
    assert_eq!(answer["moves"][0]["captured"], 2);
}

/// The legal moves of the board above. Under `pratt` moves that starve the opponent are
/// legal too.
fn unknown_moves(rules: &str) -> String {
    let unknown = |pit: u8, value: &str| {
        format!(
            "{{\"pit\":{pit},\"captured\":0,\"value\":{value},\"distance\":null,\"best\":false}}"
        )
    };
    match rules {
        "pratt" => {
            let starving = (0..5).map(|pit| unknown(pit, "-7"));
            let moves: Vec<String> = starving.chain([unknown(5, "null")]).collect();
            moves.join(",")
        }
        _ => unknown(5, "null"),
    }
}

#[test]
fn by_side_rulesets_have_bounds() {
    let home = built("--seeds 4 --distance --rules abapa");
    let json = |board| call_in(home.path(), &["probe", "--json", "--rules=abapa", board]).success();
    // Two seeds that can chase each other forever.
    assert_eq!(
        json("1 0 0 0 0 1 / 0 0 0 0 0 0"),
        "{\"board\":[1,0,0,0,0,1,0,0,0,0,0,0],\"seeds\":2,\"rules\":\"abapa\",\"value\":0,\
         \"distance\":null,\"lower\":-2,\"upper\":2,\"moves\":[{\"pit\":5,\"captured\":0,\
         \"value\":0,\"distance\":null,\"best\":true}]}\n"
    );
    // The opponent must feed the mover with the last seed; the mover then has both.
    assert_eq!(
        json("1 0 0 0 0 0 / 0 0 0 0 0 1"),
        "{\"board\":[1,0,0,0,0,0,0,0,0,0,0,1],\"seeds\":2,\"rules\":\"abapa\",\"value\":2,\
         \"distance\":2,\"lower\":2,\"upper\":2,\"moves\":[{\"pit\":0,\"captured\":0,\
         \"value\":2,\"distance\":2,\"best\":true}]}\n"
    );
}

#[test]
fn distances_are_null_without_a_distance_table() {
    let home = built("--seeds 4");
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    assert_eq!(
        call_in(home.path(), &["probe", "--json", board]).success(),
        json(board).replace("\"distance\":1", "\"distance\":null")
    );
    let terminal = "0 0 0 0 0 0 / 1 2 0 0 0 0";
    assert_eq!(
        call_in(home.path(), &["probe", "--json", terminal]).success(),
        json(terminal).replace("\"distance\":0", "\"distance\":null")
    );
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
        // South's pits come first, also with North to move; stores do not matter.
        "2-0-0-0-0-1-0-0-1-0-0-1-20-23-N",
    ] {
        assert_eq!(json(board), plain, "{board}");
    }
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
        let tables = open(home.path(), rules);
        let boards: Vec<Board> = all_boards(3).chain(all_boards(5)).collect();
        let lines: Vec<String> = boards.iter().map(Board::notation).collect();
        let mut krou = krou_in(home.path());
        krou.args(["probe", "--batch", "--rules", &rules.to_string()]);
        let answers = run_with_input(&mut krou, lines.join("\n")).success();
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

/// The moves are the legal ones in order, and the best have the value of the board.
fn check_moves(rules: Ruleset, board: &Board, answer: &Value) {
    let moves = answer["moves"].as_array().unwrap();
    let pits: Vec<u8> = rules.moves(board).legal().map(|step| step.pit).collect();
    let listed: Vec<Value> = moves.iter().map(|m| m["pit"].clone()).collect();
    assert_eq!(Value::from(listed), Value::from(pits), "{answer}");
    let best = moves.iter().filter_map(|m| m["value"].as_i64()).max();
    for m in moves {
        assert_eq!(m["best"], m["value"].as_i64() == best, "{answer}");
    }
    if let Some(best) = best {
        assert_eq!(answer["value"], best, "{answer}");
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
    assert!(out.contains("* pit 5   +4  captures 3\n"), "{out}");
    let start = "4 4 4 4 4 4 / 4 4 4 4 4 4";
    let missing = call(&["probe", start]).exit_1();
    let advice = "build it with 'krou build --rules awari --seeds 48'";
    assert!(missing.contains(advice), "{missing}");
    let missing = call(&["probe", start, "--dir", "."]).exit_1();
    let advice = "build it with 'krou build --rules awari --seeds 48 --dir .'";
    assert!(missing.contains(advice), "{missing}");
}
