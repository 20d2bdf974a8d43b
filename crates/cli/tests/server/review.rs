//! Reviews as server-sent events.

use krou::engine::Reviewer;
use krou::engine::{EngineOptions, Limits};
use krou::ogn::SavedGame;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;
use krou_answers::ReviewAnswer;
use serde_json::{Value, json};

use crate::support::Server;

/// The data of all events of a kind.
fn of_kind<'e>(events: &'e [(String, Value)], kind: &str) -> Vec<&'e Value> {
    let found = events.iter().filter(|(name, _)| name == kind);
    found.map(|(_, data)| data).collect()
}

#[test]
fn reviews_inside_the_tables_equal_those_of_the_library() {
    let server = Server::start();
    let start = "0-2-0-1-0-1-2-1-0-0-1-1-20-19-S";
    let moves = "BaDbFc";
    let events = server.events(&format!("/api/v1/awari/review?start={start}&moves={moves}"));

    let text = format!("[FEN \"{start}\"]\n{moves}");
    let saved = SavedGame::parse(&text, Ruleset::AWARI).unwrap();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let options = EngineOptions::default().with_hash_mib(1);
    let mut reviewer = Reviewer::new(tables, options, Limits::default());
    let review = reviewer.review(saved.record(), |_| ());
    let reviewed = review.moves.clone();
    let last = reviewer.review_position(saved.record().game());

    let positions = of_kind(&events, "position");
    assert_eq!(positions.len(), reviewed.len() + 1);
    assert_eq!(
        positions[0]["net"].as_f64(),
        Some(f64::from(last.forecast.hundredths()) / 100.0)
    );
    let steps = of_kind(&events, "move");
    let review = json!(ReviewAnswer::new(&saved, review));
    let printed = review["moves"].as_array().unwrap();
    for (n, expected) in reviewed.iter().enumerate() {
        // From the last to the first.
        let position = positions[reviewed.len() - n];
        let net = f64::from(expected.before.hundredths()) / 100.0;
        assert_eq!(
            (position["ply"].as_u64(), position["net"].as_f64()),
            (Some(n as u64), Some(net))
        );
        assert_eq!(
            (&position["exact"], &position["line"]),
            (&json!(true), &json!(expected.pv))
        );
        assert_eq!(position["best"], expected.pv[..1]);
        // The move as `krou review --json` prints it, and three fields more.
        let mut step = steps[reviewed.len() - 1 - n].clone();
        let fields = step.as_object_mut().unwrap();
        assert_eq!(fields.remove("ply"), Some(json!(n + 1)));
        assert_eq!(
            fields.remove("loss"),
            Some(printed[n]["given_away"].clone())
        );
        let mark = expected.is_turning_point().then_some("turning-point");
        assert_eq!(fields.remove("mark"), Some(json!(mark)));
        assert_eq!(step, printed[n]);
    }
    let turning: Vec<_> = (1..)
        .zip(&reviewed)
        .filter(|(_, reviewed)| reviewed.is_turning_point())
        .map(|(ply, _)| ply)
        .collect();
    assert!(!turning.is_empty());
    let moments = review["key_moments"].as_array().unwrap().iter();
    let moments: Vec<u64> = moments.map(|place| place.as_u64().unwrap() + 1).collect();
    let done = json!({
        "turning_point": turning.last(),
        "turning_points": turning,
        "key_moments": moments,
        "players": review["players"],
    });
    assert_eq!(*events.last().unwrap(), ("done".to_owned(), done));
}

#[test]
fn reviews_beyond_the_tables_are_estimates() {
    let server = Server::start();
    let events = server.events("/api/v1/abapa/review?moves=FeC&movetime=20");
    let plies = |kind| -> Vec<u64> {
        let found = of_kind(&events, kind).into_iter();
        found.map(|data| data["ply"].as_u64().unwrap()).collect()
    };
    assert_eq!(plies("position"), [3, 2, 1, 0]);
    assert_eq!(plies("move"), [3, 2, 1]);
    for position in of_kind(&events, "position") {
        assert_eq!(position["exact"], false);
        assert!(position["net"].is_f64() && position["best"] != "");
    }
    let losses = of_kind(&events, "move")
        .into_iter()
        .map(|data| data["loss"].as_f64().unwrap());
    assert!(losses.into_iter().all(|loss| loss >= 0.0));
    let (name, done) = events.last().unwrap();
    assert_eq!(name, "done");
    assert_eq!(done["turning_points"], json!([]));
    assert!(done["turning_point"].is_null());
    for (player, moves) in [("south", 2), ("north", 1)] {
        let player = &done["players"][player];
        assert_eq!(
            (&player["moves"], &player["only_moves"]),
            (&json!(moves), &json!(0))
        );
        assert!((0.0..=100.0).contains(&player["accuracy"].as_f64().unwrap()));
    }
}

#[test]
fn reviews_by_nodes_do_not_depend_on_what_was_searched_before() {
    let server = Server::start();
    let path = "/api/v1/abapa/review?moves=FeCaBcE&nodes=3000";
    let first = server.events(path);
    server.events("/api/v1/abapa/analysis?moves=FeCaB&movetime=100");
    assert_eq!(server.events(path), first);
}

#[test]
fn finished_games_end_with_their_result() {
    let server = Server::start();
    // After a majority the seeds left on the board count as well, as in `game`.
    for (stores, best, net, ending) in [
        ("0-0", "", 2.0, "grand-slam"),
        ("24-20", "f", 8.0, "majority"),
    ] {
        let board = match ending {
            "majority" => "0-0-0-0-0-1-2-0-0-0-0-1",
            _ => "0-0-0-0-0-1-1-0-0-0-0-0",
        };
        let path = format!("/api/v1/awari/review?start={board}-{stores}-S&moves=F");
        let events = server.events(&path);
        let position = &events[0].1;
        assert_eq!(position["ply"], 1);
        assert_eq!(position["best"], best);
        assert_eq!(
            position["line"].as_str().unwrap().is_empty(),
            best.is_empty()
        );
        assert_eq!(
            (&position["net"], &position["exact"]),
            (&json!(net), &json!(true))
        );
        assert_eq!(of_kind(&events, "move")[0]["ending"], ending);
    }
}

#[test]
fn invalid_reviews_are_rejected() {
    let server = Server::start();
    for (query, code) in [
        ("moves=AA", "move"),
        ("start=1", "board"),
        ("movetime=1001", "parameter"),
        ("nodes=-1", "parameter"),
        ("depth=5", "parameter"),
    ] {
        let response = server.get(&format!("/api/v1/awari/review?{query}"));
        assert_eq!(
            (response.status, &response.json()["code"]),
            (400, &json!(code))
        );
    }
}
