//! The positions and games of `data/vectors`: the program agrees, and each branch of the rules is
//! there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use krou::engine::Game;
use krou::rules::{Board, Player, Position, Ruleset, Stores};
use serde_json::Value;

use crate::support::call_with_input;

/// The lines of a file, of a ruleset.
fn lines(file: &str, rules: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/vectors");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .filter(|line: &Value| line["rules"] == rules)
        .collect()
}

fn stores(line: &Value) -> Stores {
    let [south, north] = serde_json::from_value(line["stores"].clone()).unwrap();
    Stores { south, north }
}

fn board(line: &Value) -> Board {
    Board::new(serde_json::from_value(line["board"].clone()).unwrap()).unwrap()
}

fn assert_ended(game: &Game, ends: &Value) {
    let outcome = game.outcome().map(|outcome| {
        let Stores { south, north } = outcome.stores;
        serde_json::json!({
            "reason": outcome.ending.as_str(),
            "stores": [south, north],
            "unclaimed": outcome.unclaimed,
        })
    });
    assert_eq!(outcome.unwrap_or_default(), *ends);
}

#[test]
fn moves_of_positions_are_those_of_the_program() {
    for &(name, rules) in Ruleset::NAMED {
        let positions = lines("positions.jsonl", name);
        let boards: Vec<String> = positions.iter().map(|at| board(at).to_string()).collect();
        let input = boards.join("\n");
        let out = call_with_input(&["moves", "--batch", "--rules", name], input).success();
        let (mut reasons, mut again) = (BTreeSet::new(), false);
        assert_eq!(out.lines().count(), positions.len());
        for (at, line) in positions.iter().zip(out.lines()) {
            let answer: Value = serde_json::from_str(line).unwrap();
            let (ours, theirs) = (answer["moves"].as_array().unwrap(), at["moves"].as_array());
            assert_eq!(ours.len(), theirs.unwrap().len(), "{at}");
            for (m, expected) in ours.iter().zip(theirs.unwrap()) {
                for field in ["pit", "captured", "board", "again"] {
                    assert_eq!(m[field], expected[field], "{field}: {at}");
                }
                again |= expected["again"] == true;
                let (stores, to_move) = (stores(at), Player::South);
                let before = Position {
                    board: board(at),
                    stores,
                    to_move,
                };
                let mut game = Game::from_position(rules, before).unwrap();
                let _ = game.play(m["pit"].as_u64().unwrap() as u8);
                assert_ended(&game, &expected["ends"]);
                reasons.extend(expected["ends"]["reason"].as_str().map(str::to_owned));
            }
            for (_, why) in at["illegal"].as_object().unwrap() {
                reasons.insert(why.as_str().unwrap().to_owned());
            }
            reasons.extend(at["over"]["reason"].as_str().map(str::to_owned));
        }
        let expected: &[&str] = match rules {
            Ruleset::Stores(_) => &["empty", "empty-row", "majority"],
            _ => &["empty", "must-feed", "cannot-feed", "no-move", "majority"],
        };
        // Under `penalty` a move that starves may be played.
        let is_there = |word: &&str| reasons.contains(*word) || reasons.contains("starved");
        assert!(expected.iter().all(is_there), "{name}: {reasons:?}");
        assert_eq!(again, matches!(rules, Ruleset::Stores(_)), "{name}");
    }
}

#[test]
fn games_end_as_their_lines_say() {
    for &(name, rules) in Ruleset::NAMED {
        let mut reasons = BTreeSet::new();
        for line in lines("games.jsonl", name) {
            let (stores, to_move) = (stores(&line), Player::South);
            let start = Position {
                board: board(&line),
                stores,
                to_move,
            };
            let game = Game::from_position(rules, start).unwrap();
            let repetitions = line["repetitions"].as_u64().unwrap() as u8;
            let mut game = game.with_repetitions(repetitions);
            for letter in line["moves"].as_str().unwrap().chars() {
                assert!(game.outcome().is_none(), "{line}");
                let (player, pit) = Player::from_letter(letter).unwrap();
                assert_eq!(player, game.to_move(), "{line}");
                game.play(pit).unwrap();
            }
            assert_ended(&game, &line["ends"]);
            reasons.insert(format!(
                "{} {repetitions}",
                line["ends"]["reason"].as_str().unwrap()
            ));
        }
        let repeats = ["repetition 2", "repetition 3"].map(|word| reasons.contains(word));
        assert_eq!(repeats, [rules.oware().is_some(); 2], "{name}: {reasons:?}");
    }
}
