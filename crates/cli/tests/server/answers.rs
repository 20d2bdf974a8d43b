//! Boards, best lines and rulesets: the answers equal the library's.

use std::collections::BTreeSet;

use fastrand::Rng;
use krou::rules::{Next, Player, Ruleset};
use krou::tablebase::Tablebase;
use serde_json::{Value, json};

use crate::program::{krou_in, run};
use crate::random;
use crate::support::{Server, encoded};

/// The output of `krou probe --json` for a board.
fn probe_json(server: &Server, rules: &str, board: &str) -> Value {
    let mut krou = krou_in(server.home());
    let probe = krou.args(["probe", "--json", "--rules", rules, board]);
    // A missing layer is an answer too.
    serde_json::from_str(&run(probe).stdout).unwrap()
}

#[test]
fn boards_are_read_in_every_notation() {
    let server = Server::start();
    let expected = probe_json(&server, "awari", "0 0 0 0 0 1 / 2 0 0 0 0 1");
    for text in [
        "0+0+0+0+0+1+2+0+0+0+0+1",
        "0,0,0,0,0,1,2,0,0,0,0,1",
        "0-0-0-0-0-1-2-0-0-0-0-1-30-14-S",
    ] {
        assert_eq!(
            server.get_ok(&format!("/awari?board={text}")),
            expected,
            "{text}"
        );
    }
    // North's board is turned, and North's letters are lower case.
    let north = server.get_ok("/awari?board=2-0-0-0-0-1-0-0-0-0-0-1-0-0-N");
    assert_eq!(north["moves"][0]["letter"], "f");
    assert_eq!(north["board"], expected["board"]);
}

#[test]
fn answers_equal_those_of_the_command_line() {
    let server = Server::with_tables(&[
        "--seeds 6 --distance",
        "--seeds 5 --rules abapa",
        "--seeds 7 --rules kalah",
    ]);
    let mut random = Rng::with_seed(1);
    for n in 0..60 {
        let rules = ["awari", "abapa", "kalah"][usize::from(n) % 3];
        // The command line solves missing layers up to 10 seeds; with 12 they stay missing.
        let seeds = if n % 10 == 9 { 12 } else { 1 + n % 7 };
        let board = random::board(&mut random, seeds).to_string();
        let response = server.get(&format!("/{rules}?board={}", encoded(&board)));
        let mut answer = response.json();
        if answer["value"].is_null() {
            assert_eq!(response.status, 404);
            let fields = answer.as_object_mut().unwrap();
            fields.remove("error").unwrap();
            assert_eq!(fields.remove("code"), Some(json!("missing-table")));
        } else {
            assert_eq!(response.status, 200);
        }
        let printed = probe_json(&server, rules, &board);
        assert_eq!(answer, printed, "{rules} {board}");
        let path = format!("/api/v1/{rules}/probe?board={}", encoded(&board));
        assert_eq!(server.get_ok(&path), printed, "{rules} {board}");
    }
}

#[test]
fn a_missing_layer_returns_404_with_the_moves() {
    let server = Server::start();
    let response = server.get("/awari?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    assert_eq!(response.status, 404);
    let answer = response.json();
    assert_eq!(answer["missing"], 48);
    assert_eq!(answer["error"], "there is no table for awari with 48 seeds");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 6);
    // The same for a best line, and for a ruleset without tables.
    for path in ["/api/v1/awari/mainline", "/pratt"] {
        let response = server.get(&format!("{path}?board=0,0,0,9,0,1,2,0,0,0,0,1"));
        assert_eq!(
            (response.status, &response.json()["missing"]),
            (404, &json!(13))
        );
    }
}

#[test]
fn the_events_of_a_move_name_pits_and_stores() {
    let server = Server::start();
    let events = |rules: &str, board: &str| {
        let answer = server.get_ok(&format!("/api/v1/{rules}/sowings?board={board}"));
        let moves = answer["moves"].as_array().unwrap().iter();
        let shown = moves.map(|sowing| {
            let events = sowing["events"].as_array().unwrap().iter();
            let events = events.map(|event| {
                let [event, from, to] = ["event", "from", "to"].map(|name| event[name].as_str());
                [event, from, to].map(Option::unwrap).join(" ")
            });
            let letter = sowing["letter"].as_str().unwrap();
            format!("{letter}: {}", events.collect::<Vec<_>>().join(", "))
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        events("abapa", "0-0-0-0-0-2-1-1-0-0-0-2-20-22-S"),
        ["F: lift F hand, sow hand a, sow hand b, capture b south, capture a south"]
    );
    assert_eq!(
        events("kalah", "1-0-0-0-0-0-0-0-0-0-0-2-20-25-N"),
        ["f: lift f hand, sow hand north, sow hand A, collect A south"]
    );
    let seeds = server.get_ok("/api/v1/awari/sowings?board=0,0,0,0,0,2,0,1,0,1,0,0");
    assert_eq!(seeds["moves"][0]["events"][0]["seeds"], 2);
    // Nobody has to move where the game is over.
    assert!(events("awari", "0,0,0,0,0,0,1,1,0,0,0,0").is_empty());
}

#[test]
fn values_in_the_form_of_other_tablebases() {
    let server = Server::start();
    let get = |rules: &str, fen: &str| {
        server.get_ok(&format!("/api/v1/{rules}/tablebase?fen={}", encoded(fen)))
    };
    // The capture takes the majority.
    let after = json!({
        "uci": "F", "san": "Fx3", "zeroing": true, "category": "loss", "wdl": -2, "dtz": -1,
        "net": -4, "variant_win": false, "variant_loss": true, "stalemate": false,
        "checkmate": false, "insufficient_material": false
    });
    let mut answer = json!({
        "category": "win", "wdl": 2, "dtz": 1, "net": 4, "variant_win": false,
        "variant_loss": false, "stalemate": false, "checkmate": false,
        "insufficient_material": false, "moves": [after]
    });
    let position = "0-0-0-0-0-1-2-0-0-0-0-1-22-22-S";
    assert_eq!(get("awari", position), answer);
    assert_eq!(server.get_ok(&format!("/oware?fen={position}")), answer);
    let squares = "1S,4,2S/5,1S_22_22_S_1";
    answer["moves"][0]["uci"] = json!("f1f2");
    assert_eq!(get("awari", squares), answer);
    // The stores decide who wins the game, and the distance leads to the other player's gain.
    let behind = get("awari", "0-0-0-0-0-1-2-0-0-0-0-1-10-34-S");
    assert_eq!(
        (&behind["category"], &behind["dtz"]),
        (&json!("loss"), &Value::Null)
    );
    assert_eq!(
        (&behind["net"], &behind["moves"][0]["category"]),
        (&json!(-20), &json!("win"))
    );
    let unknown = get("awari", "startpos");
    assert_eq!(
        (&unknown["category"], &unknown["net"]),
        (&json!("unknown"), &Value::Null)
    );
    assert_eq!(unknown["moves"].as_array().unwrap().len(), 6);
    // The order of the moves, the best ones and the values are those of `probe`.
    let mut random = Rng::with_seed(3);
    for n in 0..200 {
        let rules = ["awari", "abapa"][n % 2];
        let board = encoded(&random::board(&mut random, 2 + n as u8 % 8).to_string());
        let probed = server.get_ok(&format!("/api/v1/{rules}/probe?board={board}"));
        let answer = server.get_ok(&format!("/api/v1/{rules}/tablebase?fen={board}"));
        assert_eq!(server.get_ok(&format!("/{rules}?fen={board}")), answer);
        let bounds = if rules == "abapa" {
            ["lower", "upper"]
        } else {
            ["value", "value"]
        };
        let category =
            |fields: &Value, names: [&str; 2]| match names.map(|name| fields[name].as_i64()) {
                [Some(1..), _] => "win",
                [_, Some(..=-1)] => "loss",
                [Some(0), Some(0)] => "draw",
                _ => "unknown",
            };
        assert_eq!(
            answer["category"],
            category(&probed, bounds),
            "{rules} {board}"
        );
        let moves = answer["moves"].as_array().unwrap().iter();
        for (m, expected) in moves.zip(probed["moves"].as_array().unwrap()) {
            assert_eq!(m["uci"], expected["letter"]);
            let opposite = match category(expected, bounds) {
                "win" => "loss",
                "loss" => "win",
                other => other,
            };
            assert_eq!(m["category"], opposite, "{rules} {board}");
            assert_eq!(
                m["net"].as_i64(),
                expected["value"].as_i64().map(|value| -value)
            );
        }
    }
}

#[test]
fn combined_rulesets_are_accepted() {
    let server = Server::with_tables(&["--seeds 4 --endless nobody"]);
    for name in [
        "oware+forced+required+owner+nobody",
        "oware%2Bforced%2Brequired%2Bowner%2Bnobody",
    ] {
        let answer = server.get_ok(&format!("/{name}?board=0,0,0,0,0,1,2,0,0,0,0,1"));
        assert_eq!(
            (&answer["value"], &answer["rules"]),
            (&json!(4), &json!("oware+forced+required+owner+nobody"))
        );
    }
}

#[test]
fn best_lines_equal_those_of_the_library() {
    let server = Server::with_tables(&["--seeds 9 --distance", "--seeds 6 --rules kalah"]);
    let mut random = Rng::with_seed(2);
    let mut ends = BTreeSet::new();
    let mut again = 0;
    for n in 0..100 {
        let rules = [Ruleset::AWARI, Ruleset::KALAH][usize::from(n) % 2];
        let tables = Tablebase::builder(rules)
            .without_embedded()
            .folder(server.home().join("tables"))
            .open()
            .unwrap();
        let board = random::board(&mut random, 2 + n % 5);
        let line = tables.best_line(&board, 12).unwrap();
        let board = encoded(&board.to_string());
        let answer = server.get_ok(&format!("/api/v1/{rules}/mainline?board={board}&plies=12"));
        let mut letters = answer["letters"].as_str().unwrap().chars();
        let mut player = Player::South;
        for (step, ply) in line.steps.iter().zip(answer["line"].as_array().unwrap()) {
            assert_eq!(ply["board"], json!(step.board.pits()));
            assert_eq!(ply["again"], step.next == Next::Again);
            assert_eq!(letters.next(), Some(player.letter(step.pit)));
            match step.next {
                Next::Opponent => player = player.opponent(),
                Next::Again | Next::Over => again += usize::from(step.next == Next::Again),
            }
        }
        assert_eq!(letters.next(), None);
        let end = line.end.as_str();
        assert_eq!(answer["end"], end);
        ends.insert(end);
    }
    assert!(ends.len() >= 3 && again > 3, "{ends:?}, {again}");
}

#[test]
fn rulesets_list_their_tables() {
    let server = Server::with_tables(&[
        "--seeds 3 --distance",
        "--seeds 2 --rules abapa",
        "--seeds 1 --leftovers nobody",
    ]);
    assert!(
        server
            .first_line()
            .contains("awari up to 9 seeds, abapa up to 9 seeds")
    );
    let answer = server.get_ok("/api/v1/rulesets");
    let rulesets = answer["rulesets"].as_array().unwrap();
    let names: Vec<&str> = rulesets
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    assert!(
        names
            .iter()
            .zip(Ruleset::NAMED)
            .all(|(name, named)| *name == named.0)
    );
    assert_eq!(names[9..], ["oware+forced+required+nobody+even"]);
    assert_eq!(rulesets[0]["highest"], 9);
    assert_eq!(
        rulesets[0]["layers"][3],
        json!({"seeds": 3, "tables": ["value", "distance"]})
    );
    assert_eq!(
        rulesets[2]["layers"][2],
        json!({"seeds": 2, "tables": ["value", "distance", "bounds"]})
    );
    assert_eq!(
        (&rulesets[8]["highest"], &rulesets[8]["layers"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(rulesets[2]["bounds"], true);
}

/// The rows of lichess' panel in which a move stands; 0 is the row of winning moves, 1 that of
/// drawn, 2 that of losing and 3 that of unknown ones, and 4 are those that doubt a result by the
/// rule of fifty moves. `since` is what the panel takes for the plies since a capture.
fn rows(m: &Value, since: i64) -> Vec<usize> {
    let flag = |name: &str| m[name].as_bool().unwrap();
    let (wdl, dtz) = (m["wdl"].as_i64(), m["dtz"].as_i64());
    let ends = ["checkmate", "variant_win", "variant_loss", "zeroing"]
        .iter()
        .any(|name| flag(name));
    let plies = dtz.map(|dtz| if ends { 0 } else { dtz });
    let has_won = flag("checkmate") || flag("variant_loss");
    let is_drawn = flag("stalemate") || flag("insufficient_material");
    // What is left of a hundred plies for a win and a loss.
    let left = |sign: i64| match (wdl, plies) {
        (Some(wdl), Some(plies)) if wdl == -2 * sign => Some(if since == 1 {
            1
        } else {
            100 + sign * plies - since
        }),
        _ => None,
    };
    let is_doubted = plies.is_some() && wdl.is_some_and(|wdl| wdl.abs() == 1);
    [
        has_won || left(1).is_some_and(|left| left > 0),
        !has_won && !flag("variant_win") && (is_drawn || wdl == Some(0)),
        flag("variant_win") || left(-1).is_some_and(|left| left > 0),
        !has_won && !flag("variant_win") && !is_drawn && wdl.is_none() && dtz.is_none(),
        is_doubted || [left(1), left(-1)].iter().flatten().any(|&left| left <= 0),
    ]
    .iter()
    .enumerate()
    .filter_map(|(row, &stands)| stands.then_some(row))
    .collect()
}

/// Each move stands in one row, the right one, however long the game is.
#[test]
fn moves_stand_in_the_right_row_of_a_panel() {
    let server = Server::start();
    let mut random = Rng::with_seed(8);
    let mut seen = [0; 4];
    for n in 0..400 {
        let rules = ["awari", "abapa", "oware"][n % 3];
        let number = [0, 1, 40, 90, 97, 98, 120][n % 7];
        let seeds = 1 + n as u8 % 11;
        let pits = random::board(&mut random, seeds).pits();
        let row = |row: Vec<u8>| {
            let cells = row.iter().map(|&seeds| match seeds {
                0 => "1".to_owned(),
                seeds => format!("{seeds}S"),
            });
            cells.collect::<Vec<_>>().join(",")
        };
        let (south, north) = (
            pits[..6].to_vec(),
            pits[6..].iter().rev().copied().collect(),
        );
        let store = [(48 - seeds) / 2, random.u8(0..=48 - seeds)][n % 2];
        let other = 48 - seeds - store;
        let fen = format!("{}/{} {store} {other} S {number}", row(north), row(south));
        let answer = server.get_ok(&format!("/{rules}?fen={}", encoded(&fen)));
        for m in answer["moves"].as_array().unwrap() {
            let category = m["category"].as_str().unwrap();
            let right = ["loss", "draw", "win", "unknown"]
                .iter()
                .position(|word| *word == category);
            assert_eq!(rows(m, number + 1), [right.unwrap()], "{rules} {fen} {m}");
            assert_eq!(m["uci"].as_str().unwrap().len(), 4, "{m}");
            seen[right.unwrap()] += 1;
        }
    }
    assert!(seen.iter().all(|&moves| moves > 10), "{seen:?}");
}
