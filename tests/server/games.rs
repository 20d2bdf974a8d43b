//! Whole games and opponents.

use fastrand::Rng;
use krou::engine::{Ending, Game, Player, Stores};
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;
use serde_json::{Value, json};

use crate::random;
use crate::support::Server;

/// Plays at most a hundred random moves with the library.
fn random_game(rules: Ruleset, start: &str, seed: u64) -> (String, Vec<Game>) {
    let mut random = Rng::with_seed(seed);
    let mut games = vec![Game::at(rules, &start.parse().unwrap()).unwrap()];
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

#[test]
fn games_equal_those_of_the_library() {
    let server = Server::start();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let (mut known, mut ended) = (0, 0);
    let starts = [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "0-2-0-1-0-1-2-1-0-0-1-1-20-19-N",
    ];
    for (seed, (name, rules)) in (0..).zip(Ruleset::NAMED.repeat(2)) {
        let start = starts[usize::from(seed >= 9)];
        let (letters, games) = random_game(rules, start, seed);
        let told = server.good(&format!("/{name}/game?start={start}&moves={letters}"));
        assert_eq!(told["moves"], letters);
        let positions = told["positions"].as_array().unwrap();
        assert_eq!(positions.len(), games.len());
        for (game, told) in games.iter().zip(positions) {
            let stores = game.stores();
            assert_eq!(told["position"], game.position().to_string());
            assert_eq!(told["board"], json!(game.board_from_south().pits()));
            assert_eq!(told["stores"]["south"], stores.south);
            assert_eq!(told["stores"]["north"], stores.north);
            assert_eq!(told["to_move"], word(game.to_move()));
            if rules == Ruleset::AWARI && game.outcome().is_none() {
                let worth = tables.probe(&game.board()).ok().map(|worth| worth.value);
                let sign = match game.to_move() {
                    Player::South => 1,
                    Player::North => -1,
                };
                assert_eq!(told["value"], json!(worth));
                let net = worth.map(|worth| lead(stores) + sign * worth);
                assert_eq!(told["net"], json!(net));
                assert_eq!(told["seeds"], game.board().seeds());
                known += usize::from(worth.is_some());
            }
        }
        assert_eq!(positions[0]["turn"], Value::Null);
        for (told, letter) in positions[1..].iter().zip(letters.chars()) {
            assert_eq!(told["turn"]["letter"], letter.to_string());
        }
        let Some(outcome) = games.last().unwrap().outcome() else {
            assert_eq!(told["outcome"], Value::Null);
            continue;
        };
        ended += 1;
        assert_eq!(told["outcome"]["winner"], json!(outcome.winner().map(word)));
        assert_eq!(told["outcome"]["stores"]["south"], outcome.stores.south);
        assert!(told["outcome"]["reason"].as_str().unwrap().ends_with('.'));
        let net = positions.last().unwrap()["net"].as_i64();
        match outcome.ending {
            // The other seeds would still be played for.
            Ending::Majority(winner) => {
                let sign = if winner == Player::South { 1 } else { -1 };
                assert!(net.is_none_or(|net| net * sign > 0));
            }
            _ => assert_eq!(net, Some(lead(outcome.stores).into())),
        }
    }
    assert!(ended >= 10, "{ended} games ended");
    assert!(known >= 5, "{known} boards were in the tables");
}

/// South's seeds less North's.
fn lead(stores: Stores) -> i8 {
    stores.south.cast_signed() - stores.north.cast_signed()
}

#[test]
fn a_game_may_start_from_any_position() {
    let server = Server::start();
    let told = server.good("/awari/game?start=2-0-0-0-0-1-0-0-0-0-0-1-3-5-N&moves=f");
    assert_eq!(told["total"], 12);
    assert_eq!(
        told["positions"][1]["stores"],
        json!({"south": 3, "north": 8})
    );
    let outcome = json!({
        "winner": "north", "stores": {"south": 3, "north": 8}, "unclaimed": 1,
        "reason": "North has more than half of the seeds: 8 of 12.",
        "result": "North wins 8 to 3.",
    });
    assert_eq!(told["outcome"], outcome);
    // The last seed goes to South: the game could be played on.
    assert_eq!(told["positions"][1]["net"], -6);
    // A board alone is seen from South, with empty stores.
    let told = server.good("/awari/game?start=0,0,0,0,0,1,2,0,0,0,0,1");
    assert_eq!(told["start"], "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S");
    assert_eq!(
        (&told["positions"][0]["value"], &told["positions"][0]["net"]),
        (&json!(4), &json!(4))
    );
}

#[test]
fn opponents_play_legal_moves_to_the_end() {
    let server = Server::start();
    for (rules, opponent) in [
        ("awari", "engine"),
        ("kalah", "perfect"),
        ("abapa", "random"),
    ] {
        let start = "0-2-0-1-0-1-2-1-0-0-1-1-0-0-S";
        let mut moves = String::new();
        for seed in 0..40 {
            let query = format!("start={start}&moves={moves}");
            let told = server.good(&format!("/{rules}/game?{query}"));
            if !told["outcome"].is_null() {
                break;
            }
            let path = format!("/{rules}/reply?{query}&opponent={opponent}&level=2&seed={seed}");
            let reply = server.good(&path);
            assert_eq!(reply["player"], told["positions"][moves.len()]["to_move"]);
            assert_eq!(server.good(&path), reply, "the same seed, the same move");
            moves += reply["letter"].as_str().unwrap();
        }
        assert!(!moves.is_empty());
        // The game accepts all of the moves.
        server.good(&format!("/{rules}/game?start={start}&moves={moves}"));
    }
}

#[test]
fn a_perfect_opponent_keeps_the_value() {
    let server = Server::start();
    let mut random = Rng::with_seed(5);
    for _ in 0..10 {
        let position = krou::rules::Position::from(random::board(&mut random, 8));
        let moves = server.good(&format!("/awari?board={position}"));
        if moves["over"] == true {
            continue;
        }
        let reply = server.good(&format!("/awari/reply?start={position}&opponent=perfect"));
        let all = moves["moves"].as_array().unwrap();
        let played = all.iter().find(|m| m["pit"] == reply["pit"]).unwrap();
        assert_eq!(played["best"], true, "{position}");
    }
}
