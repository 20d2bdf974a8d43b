//! Games and opponents.

use fastrand::Rng;
use krou::engine::{Ending, Game};
use krou::rules::{Player, Position, Ruleset, Stores};
use krou::tablebase::Tablebase;
use serde_json::{Value, json};

use crate::support::Server;

/// A random game of at most a hundred moves, by the library: its moves, and the game after
/// each of them.
fn random_game(rules: Ruleset, start: &str, seed: u64) -> (String, Vec<Game>) {
    let mut random = Rng::with_seed(seed);
    let mut games = vec![Game::from_position(rules, start.parse::<Position>().unwrap()).unwrap()];
    let mut letters = String::new();
    while let Some(game) = games.last()
        && game.outcome().is_none()
        && letters.len() < 100
    {
        let legal: Vec<_> = game.moves().legal().collect();
        let pit = legal[random.usize(..legal.len())].pit;
        let mut game = game.clone();
        letters.push(game.play(pit).unwrap().letter());
        games.push(game);
    }
    (letters, games)
}

fn word(player: Player) -> &'static str {
    ["south", "north"][usize::from(player == Player::North)]
}

/// One answer says of the last position of a game what five others say.
#[test]
fn a_position_has_all_that_is_known_about_it() {
    let server = Server::start();
    let start = "0-2-0-1-0-1-2-1-0-0-1-1-20-19-N";
    for (seed, name) in (0..).zip(["awari", "abapa", "kalah", "awari", "abapa"]) {
        let rules = name.parse().unwrap();
        let (letters, games) = random_game(rules, start, seed);
        for (moves, game) in (0..=letters.len()).map(|n| &letters[..n]).zip(&games) {
            let asked = format!("start={start}&moves={moves}");
            let position = server.get_ok(&format!("/api/v1/{name}/position?{asked}"));
            let whole = server.get_ok(&format!("/api/v1/{name}/game?{asked}"));
            let last = whole["positions"].as_array().unwrap().last().unwrap();
            assert_eq!(position["moves"], moves);
            assert_eq!(position["position"], *last);
            assert_eq!(position["outcome"], whole["outcome"]);
            let board = format!("board={}", game.position());
            let ask = |what: &str| server.get_ok(&format!("/api/v1/{name}/{what}"));
            let sowings = match game.can_go_on() {
                true => ask(&format!("sowings?{board}")),
                false => json!({"moves": []}),
            };
            assert_eq!(position["sowings"], sowings);
            if game.outcome().is_some() {
                assert!(position["probe"].is_null() && position["line"].is_null());
                continue;
            }
            if last["value"].is_null() {
                assert!(position["probe"].is_null() && position["line"].is_null());
                continue;
            }
            assert_eq!(position["probe"], ask(&format!("probe?{board}")));
            let line = ask(&format!("mainline?{board}&plies=12"));
            for field in ["letters", "end", "line"] {
                assert_eq!(position["line"][field], line[field]);
            }
        }
    }
}

#[test]
fn games_equal_those_of_the_library() {
    let server = Server::start();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let (mut covered, mut ended) = (0, 0);
    let starts = [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "0-2-0-1-0-1-2-1-0-0-1-1-20-19-N",
    ];
    for (seed, (name, rules)) in (0..).zip(Ruleset::NAMED.repeat(2)) {
        let start = starts[usize::from(seed >= 9)];
        let (letters, games) = random_game(rules, start, seed);
        let answer = server.get_ok(&format!(
            "/api/v1/{name}/game?start={start}&moves={letters}"
        ));
        assert_eq!(answer["moves"], letters);
        let positions = answer["positions"].as_array().unwrap();
        assert_eq!(positions.len(), games.len());
        for (game, position) in games.iter().zip(positions) {
            let stores = game.stores();
            assert_eq!(position["to_move"], word(game.to_move()));
            assert_moves(game, position);
            if game.outcome().is_none() {
                assert_eq!(position["position"], game.position().to_string());
                let board = game.position().board_from_south();
                assert_eq!(position["board"], json!(board.pits()));
                assert_eq!(position["stores"], json_of(stores));
            }
            if rules == Ruleset::AWARI && game.outcome().is_none() {
                let value = tables.probe(&game.board()).ok().map(|result| result.value);
                let sign = match game.to_move() {
                    Player::South => 1,
                    Player::North => -1,
                };
                assert_eq!(position["value"], json!(value));
                let net = value.map(|value| lead(stores) + sign * value);
                assert_eq!(position["net"], json!(net));
                assert_eq!(position["seeds"], game.board().seeds());
                covered += usize::from(value.is_some());
            }
        }
        assert_eq!(positions[0]["turn"], Value::Null);
        for (position, letter) in positions[1..].iter().zip(letters.chars()) {
            assert_eq!(position["turn"]["letter"], letter.to_string());
        }
        let Some(outcome) = games.last().unwrap().outcome() else {
            assert_eq!(answer["outcome"], Value::Null);
            continue;
        };
        ended += 1;
        assert_eq!(
            answer["outcome"]["winner"],
            json!(outcome.winner().map(word))
        );
        assert_eq!(answer["outcome"]["stores"], json_of(outcome.stores));
        assert_eq!(positions.last().unwrap()["stores"], json_of(outcome.stores));
        assert!(answer["outcome"]["reason"].as_str().unwrap().ends_with('.'));
        let net = positions.last().unwrap()["net"].as_i64();
        match outcome.ending {
            // The players could still play for the other seeds.
            Ending::Majority(winner) => {
                let sign = if winner == Player::South { 1 } else { -1 };
                assert!(net.is_none_or(|net| net * sign > 0));
            }
            _ => assert_eq!(net, Some(lead(outcome.stores).into())),
        }
    }
    assert!(ended >= 10, "{ended} games ended");
    assert!(covered >= 5, "the tables covered {covered} boards");
}

fn json_of(stores: Stores) -> Value {
    json!({"south": stores.south, "north": stores.north})
}

/// Checks the moves of a position, which may be played after a majority as well, and the reasons against the others.
fn assert_moves(game: &Game, position: &Value) {
    let mut legal = String::new();
    let mut illegal = serde_json::Map::new();
    let player = game.to_move();
    for (pit, step) in (0..).zip(game.moves().by_pit()) {
        match step {
            _ if !game.can_go_on() => {}
            Ok(_) => legal.push(player.letter(pit)),
            Err(why) => {
                let sentence = why.named(|pit| player.letter(pit));
                illegal.insert(player.letter(pit).to_string(), json!(sentence));
            }
        }
    }
    assert_eq!(position["legal"], legal);
    assert_eq!(position["illegal"], json!(illegal));
    let codes = position["illegal_codes"].as_object().unwrap();
    assert!(codes.keys().eq(illegal.keys()));
}

#[test]
fn illegal_moves_have_codes() {
    let server = Server::start();
    for (rules, start, codes) in [
        (
            "awari",
            "1-1-0-0-0-2-0-0-0-0-0-0-20-20-S",
            json!({"A": "must-feed", "B": "must-feed", "C": "empty", "D": "empty", "E": "empty"}),
        ),
        (
            "awari",
            "1-0-0-0-0-1-1-0-0-0-0-0-20-20-S",
            json!({"B": "empty", "C": "empty", "D": "empty", "E": "empty", "F": "grand-slam"}),
        ),
    ] {
        let answer = server.get_ok(&format!("/api/v1/{rules}/game?start={start}"));
        assert_eq!(answer["positions"][0]["illegal_codes"], codes, "{start}");
    }
}

/// What the end of a game hands out is in the stores and not on the board as well.
#[test]
fn the_last_position_has_every_seed_once() {
    let server = Server::start();
    for (rules, start, moves, reason) in [
        (
            "awari",
            "1-0-1-0-1-0-1-0-1-0-2-2-20-19-S",
            "AeEcFdAeCf",
            "no-move",
        ),
        ("awari", "0-0-0-0-0-1-2-0-0-0-0-1-22-22-S", "F", "majority"),
        (
            "awari",
            "0-0-0-0-0-1-1-0-0-0-0-0-20-20-S",
            "F",
            "grand-slam",
        ),
        ("pratt", "1-0-0-0-0-1-0-0-0-0-0-0-20-20-S", "A", "starved"),
    ] {
        let answer = server.get_ok(&format!("/api/v1/{rules}/game?start={start}&moves={moves}"));
        let outcome = &answer["outcome"];
        assert_eq!(outcome["reason_code"], reason, "{answer}");
        let last = answer["positions"].as_array().unwrap().last().unwrap();
        let board = last["board"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap());
        let board: u64 = board.sum();
        let stores = ["south", "north"].map(|player| last["stores"][player].as_u64().unwrap());
        assert_eq!(last["stores"], outcome["stores"]);
        assert_eq!(last["seeds"], board);
        assert_eq!(board + stores[0] + stores[1], answer["total"], "{answer}");
        // A game may go on after a majority.
        let goes_on = reason == "majority";
        assert_eq!(last["legal"], if goes_on { "f" } else { "" });
        assert_eq!(last["illegal"] == json!({}), !goes_on);
    }
}

/// South's captured seeds minus North's.
fn lead(stores: Stores) -> i8 {
    stores.south.cast_signed() - stores.north.cast_signed()
}

#[test]
fn games_may_start_from_any_position() {
    let server = Server::start();
    let answer = server.get_ok("/api/v1/awari/game?start=2-0-0-0-0-1-0-0-0-0-0-1-3-5-N&moves=f");
    assert_eq!(answer["total"], 12);
    assert_eq!(
        answer["positions"][1]["stores"],
        json!({"south": 3, "north": 8})
    );
    let outcome = json!({
        "winner": "north", "stores": {"south": 3, "north": 8}, "unclaimed": 1,
        "reason_code": "majority",
        "reason": "North has more than half of the seeds: 8 of 12.",
        "result": "North wins 8 to 3.",
    });
    assert_eq!(answer["outcome"], outcome);
    // The value of the last position includes the last seed, which South would take.
    assert_eq!(answer["positions"][1]["net"], -6);
    // A board alone is seen from South, with empty stores.
    let answer = server.get_ok("/api/v1/awari/game?start=0,0,0,0,0,1,2,0,0,0,0,1");
    assert_eq!(answer["start"], "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S");
    assert_eq!(
        (
            &answer["positions"][0]["value"],
            &answer["positions"][0]["net"]
        ),
        (&json!(4), &json!(4))
    );
}

#[test]
fn opponents_play_legal_moves_to_the_end() {
    let server = Server::start();
    for (rules, opponent) in [
        ("awari", "engine&level=2"),
        ("kalah", "perfect"),
        ("abapa", "random"),
    ] {
        let start = "0-2-0-1-0-1-2-1-0-0-1-1-0-0-S";
        let mut moves = String::new();
        for seed in 0..40 {
            let query = format!("start={start}&moves={moves}");
            let answer = server.get_ok(&format!("/api/v1/{rules}/game?{query}"));
            if !answer["outcome"].is_null() {
                break;
            }
            let path = format!("/api/v1/{rules}/reply?{query}&opponent={opponent}&seed={seed}");
            let reply = server.get_ok(&path);
            assert_eq!(reply["player"], answer["positions"][moves.len()]["to_move"]);
            assert_eq!(
                server.get_ok(&path),
                reply,
                "the same seed gives the same move"
            );
            moves += reply["letter"].as_str().unwrap();
        }
        assert!(!moves.is_empty());
        // The game accepts all of the moves.
        server.get_ok(&format!("/api/v1/{rules}/game?start={start}&moves={moves}"));
    }
}
