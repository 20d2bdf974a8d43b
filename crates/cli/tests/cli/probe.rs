//! `krou probe`: the values of the library.

use std::collections::BTreeSet;

use krou::rules::{Board, Ruleset};
use serde_json::Value;

use crate::support::{built, krou_in, open, run_with_input};

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
        // Nothing that these boards need is missing, so nothing is solved.
        let tables = open(home.path(), rules);
        let boards: Vec<Board> = all_boards(3).chain(all_boards(5)).collect();
        let lines: Vec<String> = boards.iter().map(Board::to_string).collect();
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
