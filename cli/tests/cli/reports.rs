//! Games and positions as other programs and people write them: one row for each, with what
//! krou makes of it.

use serde_json::Value;

use crate::support::{call_with_input, words};

/// South wins the game with the first move, and both players play on.
const PLAYED_ON: &str = "[Variant \"Oware Abapa\"]\n\
    [FEN \"1-0-0-0-0-1-1-1-0-0-0-0-24-20-S\"]\n\n1. F+2 b 2. A c\n";

/// The review of a text as JSON.
fn review(text: &str, options: &str) -> Value {
    let line = format!("review - --json --depth 4 {options}");
    let answer = call_with_input(&words(&line), text).success();
    serde_json::from_str(&answer).unwrap()
}

#[test]
fn games_are_read_beyond_the_move_that_decides_them() {
    let review = review(PLAYED_ON, "");
    let moves = review["moves"].as_array().unwrap();
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
}
