//! `krou moves`: its output under every kind of ruleset.

use crate::support::{call, call_with_input, krou_in};

fn json(rules: &str, board: &str) -> String {
    call(&["moves", "--json", "--rules", rules, board]).success()
}

#[test]
fn json_has_the_documented_fields() {
    let start = json("awari", "1 1 0 0 0 1 / 2 0 0 0 0 1");
    assert_eq!(
        start,
        "{\"board\":[1,1,0,0,0,1,2,0,0,0,0,1],\"over\":false,\"result\":null,\"moves\":[\
         {\"pit\":0,\"letter\":\"A\",\"captured\":0,\"gain\":0,\"board\":[2,0,0,0,0,1,0,2,0,0,0,1],\
         \"again\":false,\"ends\":false},\
         {\"pit\":1,\"letter\":\"B\",\"captured\":0,\"gain\":0,\"board\":[2,0,0,0,0,1,1,0,1,0,0,1],\
         \"again\":false,\"ends\":false},\
         {\"pit\":5,\"letter\":\"F\",\"captured\":3,\"gain\":3,\"board\":[0,0,0,0,0,1,1,1,0,0,0,0],\
         \"again\":false,\"ends\":false}]}\n"
    );
}

#[test]
fn the_game_is_over_without_a_legal_move() {
    let board = "0 0 0 0 0 0 / 1 2 0 0 0 0";
    for (rules, result) in [("awari", -3), ("awale-c", 0), ("kalah", -3), ("ifmg", 3)] {
        assert_eq!(
            json(rules, board),
            format!(
                "{{\"board\":[0,0,0,0,0,0,1,2,0,0,0,0],\"over\":true,\"result\":{result},\
                 \"moves\":[]}}\n"
            ),
            "{rules}"
        );
    }
    // The mover cannot feed the opponent.
    let unfed = json("awari", "1 0 0 0 0 0 / 0 0 0 0 0 0");
    assert!(
        unfed.contains("\"over\":true,\"result\":1,\"moves\":[]"),
        "{unfed}"
    );
}

#[test]
fn grand_slams_follow_the_ruleset() {
    let board = "0 0 0 0 1 1 / 1 0 0 0 0 0";
    let pit_5 = |captured, gain, board: &str, ends| {
        format!(
            "{{\"pit\":5,\"letter\":\"F\",\"captured\":{captured},\"gain\":{gain},\"board\":[{board}],\
             \"again\":false,\"ends\":{ends}}}"
        )
    };
    let captures_nothing = pit_5(0, 0, "2,0,0,0,0,0,0,0,0,0,1,0", false);
    for rules in ["abapa", "awale-c"] {
        assert!(json(rules, board).contains(&captures_nothing), "{rules}");
    }
    for rules in ["awari", "awale", "awale-info"] {
        assert!(!json(rules, board).contains("\"pit\":5"), "{rules}");
    }
    let captures_all = pit_5(2, 3, "0,0,0,0,0,0,0,0,0,0,0,0", true);
    assert!(json("pratt", board).contains(&captures_all));
    // A grand slam is legal if it is the only move.
    let forced = json("awari", "0 0 0 0 0 1 / 1 0 0 0 0 0");
    let captures = pit_5(2, 2, "0,0,0,0,0,0,0,0,0,0,0,0", true);
    assert!(forced.contains(&captures), "{forced}");
    let illegal = json("awale-info", "0 0 0 0 0 1 / 1 0 0 0 0 0");
    assert!(
        illegal.ends_with("\"over\":true,\"result\":0,\"moves\":[]}\n"),
        "{illegal}"
    );
}

#[test]
fn starving_moves_are_legal_with_a_penalty() {
    assert_eq!(
        json("pratt", "1 0 0 0 0 1 / 0 0 0 0 0 0"),
        "{\"board\":[1,0,0,0,0,1,0,0,0,0,0,0],\"over\":false,\"result\":null,\"moves\":[\
         {\"pit\":0,\"letter\":\"A\",\"captured\":0,\"gain\":-2,\"board\":[0,0,0,0,0,0,0,0,0,0,0,0],\
         \"again\":false,\"ends\":true},\
         {\"pit\":5,\"letter\":\"F\",\"captured\":0,\"gain\":0,\"board\":[1,0,0,0,0,0,1,0,0,0,0,0],\
         \"again\":false,\"ends\":false}]}\n"
    );
}

#[test]
fn store_games_report_moving_again_and_empty_rows() {
    // The board is not turned, because the same player moves again.
    let again = "{\"pit\":5,\"letter\":\"F\",\"captured\":0,\"gain\":1,\"board\":[0,0,3,0,0,0,0,0,2,0,0,3],\
                 \"again\":true,\"ends\":false}";
    for rules in ["kalah", "ifmg"] {
        let moves = json(rules, "0 0 3 0 0 1 / 0 0 2 0 0 3");
        assert!(moves.contains(again), "{rules}: {moves}");
    }
    // One seed goes to the store, and five to the opponent or to the owner of the empty
    // row.
    for (rules, gain) in [("kalah", -4), ("ifmg", 6)] {
        let moves = json(rules, "0 0 0 0 0 1 / 0 0 2 0 0 3");
        let ends = format!(
            "\"gain\":{gain},\"board\":[0,0,0,0,0,0,0,0,0,0,0,0],\"again\":false,\"ends\":true"
        );
        assert!(moves.contains(&ends), "{rules}: {moves}");
    }
}

#[test]
fn batches_are_answered_line_by_line() {
    let boards = ["0 0 0 0 0 1 / 2 0 0 0 0 1", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"];
    let each: String = boards.iter().map(|board| json("awari", board)).collect();
    assert_eq!(
        call_with_input(&["moves", "--batch"], boards.join("\n")).success(),
        each
    );
    let bad = call_with_input(
        &["moves", "--json", "--batch"],
        format!("{}\nx\n", boards[0]),
    );
    let lines = bad.exit_1();
    assert_eq!(lines.lines().count(), 2);
    assert!(
        lines.lines().nth(1).unwrap().starts_with("{\"error\":\""),
        "{lines}"
    );
}

#[test]
fn text_names_pits_by_letter_and_number() {
    let board = "0-0-0-0-0-0-1-5-0-0-0-0-20-22-N";
    let out = call(&["moves", board]).success();
    let moves: Vec<&str> = out.lines().skip(5).collect();
    assert_eq!(
        moves,
        [
            "b (1): gains 0, leaves 1 0 0 0 0 0 / 1 0 1 1 1 1",
            "not legal:",
            "  pit a (0) would leave the opponent without seeds while pit b (1) would not",
            "  pit c (2) is empty",
            "  pit d (3) is empty",
            "  pit e (4) is empty",
            "  pit f (5) is empty",
        ]
    );
}

/// Not even a folder that is named is opened.
#[test]
fn moves_needs_no_tables() {
    let home = tempfile::tempdir().unwrap();
    let mut krou = krou_in(home.path());
    krou.env("KROU_DIR", "/no/such/folder");
    krou.args(["moves", "4 4 4 4 4 4 / 4 4 4 4 4 4"]);
    let out = String::from_utf8(krou.output().unwrap().stdout).unwrap();
    assert!(
        out.contains("F (5): gains 0, leaves 5 5 5 5 4 4 / 4 4 4 4 4 0"),
        "{out}"
    );
}
