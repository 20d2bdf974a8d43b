//! Lists of boards, and games in the notation OGN.

use serde_json::{Value, json};

use crate::support::{Server, encoded};

#[test]
fn lists_of_boards_are_answered_in_order() {
    let server = Server::start();
    let boards = [
        "0 0 0 0 0 1 / 2 0 0 0 0 1",
        "nonsense",
        "2-0-0-0-0-1-0-0-0-0-0-1-0-0-N",
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    ];
    let response = server.post(
        "/api/v1/awari/boards",
        &json!({"boards": boards}).to_string(),
    );
    assert_eq!(response.status, 200, "{}", response.body);
    let answer = response.json();
    let answers = answer["boards"].as_array().unwrap();
    assert_eq!(answers.len(), boards.len());
    for (board, answer) in boards.iter().zip(answers) {
        let single = server.get(&format!("/api/v1/awari?board={}", encoded(board)));
        assert_eq!(*answer, single.json(), "{board}");
    }
    assert_eq!(answers[1]["code"], "board");
    assert_eq!(answers[3]["code"], "missing-table");
    // Boards may be arrays, as in answers.
    let arrays = json!({"boards": [answers[0]["board"]]}).to_string();
    let response = server.post("/api/v1/awari/boards", &arrays);
    assert_eq!(response.json()["boards"][0], answers[0]);
    let response = server.post("/api/v1/awari/boards", "{\"boards\": []}");
    assert_eq!(response.json(), json!({"boards": []}));
}

#[test]
fn invalid_lists_of_boards_are_rejected() {
    let server = Server::start();
    let many = json!({"boards": vec!["1"; 1001]}).to_string();
    for (body, status, part) in [
        ("", 400, "the body must be {\"boards\": [\"…\", …]}: "),
        ("[1]", 400, "must be"),
        ("{}", 400, "missing field"),
        ("{\"boards\": \"a\"}", 400, "expected a sequence"),
        ("{\"boards\": [], \"more\": 1}", 400, "unknown field `more`"),
        (
            "{\"boards\": [1]}",
            400,
            "expected text or an array at line 1",
        ),
        (many.as_str(), 400, "the limit is 1000"),
        ("{\"boards\": [\"\\xff\"]}", 400, "invalid escape at line 1"),
        (&" ".repeat(70_000), 413, "65536 bytes"),
    ] {
        let response = server.post("/api/v1/awari/boards", body);
        assert_eq!(response.status, status, "{body:.40}");
        let sentence = response.json()["error"].as_str().unwrap().to_owned();
        assert!(sentence.contains(part), "{body:.40}: {sentence}");
    }
    let response = server.post("/api/v1/awari/boards?x=1", "{\"boards\": []}");
    assert_eq!(response.status, 400);
}

#[test]
fn games_survive_export_and_import() {
    let server = Server::start();
    let open = json!({});
    let over = json!({"Result": "27-21"});
    for (rules, start, moves, tags) in [
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "FeCb", &open),
        (
            "awari",
            "1-0-1-0-1-0-1-0-1-0-2-2-20-19-S",
            "AeEcFdAeCf",
            &over,
        ),
        ("kalah", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "CF", &open),
        ("awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "", &open),
    ] {
        let path = format!("/api/v1/{rules}/ogn?start={start}&moves={moves}");
        let file = server.get(&path);
        assert_eq!(file.status, 200, "{}", file.body);
        assert_eq!(file.headers["content-type"], "text/plain; charset=utf-8");
        assert_eq!(
            file.headers["content-disposition"],
            "attachment; filename=\"game.ogn\""
        );
        let imported = server.post("/api/v1/ogn", &file.body);
        assert_eq!(imported.status, 200, "{}", imported.body);
        let remarks = vec![json!([]); moves.len() + 1];
        let expected = json!({
            "rules": rules, "start": start, "moves": moves,
            "repetitions": 3, "games": 1, "notes": [], "tags": tags, "remarks": remarks,
        });
        assert_eq!(imported.json(), expected, "{}", file.body);
    }
}

/// Names, signs, comments and variations are fields of an import; an export with them is the
/// same text.
#[test]
fn annotations_survive_import_and_export() {
    let server = Server::start();
    let text = "[Variant \"awari\"]
[Event \"Ghana Open\"]
[Site \"?\"]
[Date \"?\"]
[Round \"?\"]
[South \"Ama\"]
[North \"Kofi\"]
[Result \"*\"]
[Annotator \"A \\\"B\\\"\"]

{first} 1. F!? { good } (1. A { x } b (1... f {y}) 2. C) e (1... Q) 2. C $4 a!
{ end }
";
    let imported = server.post("/api/v1/ogn", text).json();
    let tags = json!({
        "Annotator": "A \"B\"", "Event": "Ghana Open", "North": "Kofi", "South": "Ama",
    });
    assert_eq!(imported["tags"], tags);
    let inner = json!({"moves": "f", "remarks": [[], [{"comment": "y"}]]});
    let variation = json!({
        "moves": "AbC", "remarks": [[], [{"comment": " x "}], [{"variation": inner}], []],
    });
    let remarks = json!([
        [{"comment": "first"}],
        [{"sign": "!?"}, {"comment": " good "}, {"variation": variation}],
        [{"text": "(1... Q)"}],
        [{"sign": "$4"}],
        [{"sign": "!"}, {"comment": " end "}],
    ]);
    assert_eq!(imported["remarks"], remarks);
    let annotations = json!({"tags": tags, "remarks": remarks}).to_string();
    let exported = server.post("/api/v1/awari/ogn?moves=FeCa", &annotations);
    assert_eq!((exported.status, exported.body.as_str()), (200, text));
    // What is not an annotation is refused, and a comment cannot end early.
    for (remarks, code) in [
        (json!([[{"sign": "F"}]]), "parameter"),
        (json!([[{"text": "1. F"}]]), "parameter"),
        (json!([[{"text": "(F) e"}]]), "parameter"),
        (json!([[{"word": "F"}]]), "parameter"),
        (
            json!([[], [{"variation": {"moves": "f", "remarks": []}}]]),
            "move",
        ),
    ] {
        let body = json!({"remarks": remarks}).to_string();
        let response = server.post("/api/v1/awari/ogn?moves=F", &body);
        let answer = response.json();
        assert_eq!(
            (response.status, &answer["code"]),
            (400, &json!(code)),
            "{answer}"
        );
    }
    let tags = server.post("/api/v1/awari/ogn", "{\"tags\": {\"FEN\": \"x\"}}");
    assert_eq!(tags.status, 400, "{}", tags.body);
    let comment = json!({"remarks": [[{"comment": "a } F"}]]}).to_string();
    let response = server.post("/api/v1/awari/ogn", &comment);
    assert!(response.body.ends_with("{a ) F}\n"), "{}", response.body);
}

#[test]
fn games_of_collections_are_imported_by_number() {
    let server = Server::start();
    let text =
        "[Repetitions \"2\"]\n1. C+2 f\n[FEN \"1-0-0-0-0-1-1-1-0-0-0-0-24-20-S\"]\n1. F+2 b *";
    let first = server.post("/api/v1/ogn", text).json();
    assert_eq!(
        (&first["moves"], &first["games"]),
        (&json!("Cf"), &json!(2))
    );
    assert_eq!(first["repetitions"], 2);
    assert!(first["notes"][0].as_str().unwrap().contains("no seed"));
    let second = server.post("/api/v1/ogn?game=2", text).json();
    assert_eq!(
        (&second["moves"], &second["games"]),
        (&json!("Fb"), &json!(2))
    );
    let response = server.post("/api/v1/ogn?game=3", text);
    assert_eq!(
        (response.status, &response.json()["code"]),
        (400, &json!("parameter"))
    );
}

/// A game that is over by the choice of a repetition, and one that goes on after a majority.
#[test]
fn games_end_as_the_parameters_say() {
    let early = Server::with_options(&["--repetitions", "2"]);
    let server = Server::start();
    let start = "start=0-0-0-0-0-1-0-0-0-0-0-1-23-23-S&moves=FfAaBbCcDdEe";
    let ends = |query: &str| -> Value {
        server.get_ok(&format!("/api/v1/abapa/game?{query}"))["outcome"]["reason_code"].clone()
    };
    assert_eq!(ends(start), Value::Null);
    assert_eq!(ends(&format!("{start}&repetitions=2")), "repetition");
    // The option is for requests that name none.
    let game = |query: &str| early.get_ok(&format!("/api/v1/abapa/game?{start}{query}"));
    assert_eq!(game("")["outcome"]["reason_code"], "repetition");
    assert_eq!(game("&repetitions=3")["outcome"], Value::Null);
    // The page tells by it which boards may end the game.
    assert_eq!(
        ["", "&repetitions=3"].map(|option| game(option)["repetitions"].clone()),
        [2, 3]
    );
    let start = "start=1-0-0-0-0-1-1-1-0-0-0-0-24-20-S&moves=FbAc";
    assert_eq!(ends(start), "majority");
    let game = server.get_ok(&format!("/api/v1/abapa/game?{start}"));
    let endings: Vec<&Value> = (0..5)
        .map(|ply| &game["positions"][ply]["ending"])
        .collect();
    assert_eq!(endings[1], "majority");
    assert!([0, 2, 3, 4].iter().all(|&ply| endings[ply].is_null()));
    assert_eq!(game["positions"][2]["legal"], "A");
}

#[test]
fn imports_take_rules_for_games_that_name_none() {
    let server = Server::start();
    let rules = |path: &str| -> Value { server.post(path, "1. C f 2. F").json()["rules"].clone() };
    assert_eq!(rules("/api/v1/ogn"), "abapa");
    assert_eq!(rules("/api/v1/ogn?rules=awari"), "awari");
}

#[test]
fn texts_that_are_no_games_are_rejected() {
    let server = Server::start();
    let long = "AbCdEf".repeat(20_000);
    for (path, body, status, code) in [
        ("/api/v1/ogn", "", 400, "parameter"),
        ("/api/v1/ogn", "1. C f 2. Q", 400, "parameter"),
        ("/api/v1/ogn", "1. C C c", 400, "move"),
        ("/api/v1/ogn", "[FEN \"1-2\"]\n\n1. C", 400, "board"),
        (
            "/api/v1/ogn",
            "[Variant \"chess\"]\n\n1. C",
            400,
            "unknown-ruleset",
        ),
        ("/api/v1/ogn?rules=chess", "1. C", 404, "unknown-ruleset"),
        ("/api/v1/ogn", long.as_str(), 413, "too-long"),
    ] {
        let response = server.post(path, body);
        let answer = response.json();
        assert_eq!(
            (response.status, &answer["code"]),
            (status, &json!(code)),
            "{body:.40}: {answer}"
        );
    }
    let response = server.get("/api/v1/awari/ogn?moves=AA");
    assert_eq!(
        (response.status, &response.json()["code"]),
        (400, &json!("move"))
    );
}
