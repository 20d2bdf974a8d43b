//! Invalid requests get the right status and one sentence.

use serde_json::json;

use crate::files::damage;
use crate::support::Server;

/// The error message of a request that must get this status.
fn error_of(server: &Server, path: &str, status: u16) -> String {
    let response = server.get(path);
    assert_eq!(response.status, status, "{path}: {}", response.body);
    let sentence = response.json()["error"].as_str().unwrap().to_owned();
    assert!(
        !sentence.is_empty() && !sentence.contains(char::is_control),
        "{sentence:?}"
    );
    sentence
}

/// Addresses, the status and the code of the error, and a part of its sentence.
const INVALID: &str = "\
    /awari?board=1,2,3 | 400 board | 3 were given
    /awari?board= | 400 board | 0 were given
    /awari | 400 parameter | board
    /awari?board=0,0,0,0,0,0,0,0,0,0,0,x | 400 board | 'x' (number 12
    /awari?board=99999999999999999999999,0,0,0,0,0,0,0,0,0,0,0 | 400 board | (number 1
    /awari?board=48,1,0,0,0,0,0,0,0,0,0,0 | 400 board | 49 seeds
    /awari?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-X | 400 board | 'X' is not a side
    /awari?board=%FF%FE%00%0A | 400 board | number 1
    /awari?board=1&board=2 | 400 parameter | 'board' is given twice
    /awari?board=0,0,0,0,0,1,2,0,0,0,0,1&colour=blue | 400 parameter | colour
    /awri | 404 unknown-ruleset | no ruleset 'awri'
    /awri?board=0,0,0,0,0,1,2,0,0,0,0,1 | 404 unknown-ruleset | no ruleset 'awri'
    /%0A%1B%5B2J?board=1 | 404 unknown-ruleset | no ruleset
    /%FF?board=1 | 404 not-found | no such endpoint
    /api/v1/awari/game?moves=AX | 400 move | move 2, 'X': pits are A to F
    /api/v1/awari/game?moves=AA | 400 move | move 2, 'A': it is North's turn, whose pits are a to f
    /api/v1/awari/game?moves=%00 | 400 move | move 1, '?'
    /api/v1/awari/game?start=1-0-0-0-0-1-0-0-0-0-0-0-0-0-S&moves=A | 400 move | move 1, 'A': pit A would leave the opponent without seeds while pit F would not
    /api/v1/awari/game?start=1-0-0-0-0-0-0-0-0-0-0-1-0-0-N&moves=a | 400 move | move 1, 'a': pit a is empty
    /api/v1/awari/game?start=0-0-0-0-0-0-0-0-0-0-0-0-25-20-S&moves=A | 400 move | the game is over
    /api/v1/awari/game?start=4-4 | 400 board | 2 were given
    /api/v1/awari/reply?opponent=nobody | 400 parameter | nobody
    /api/v1/awari/reply | 400 parameter | opponent
    /api/v1/awari/reply?opponent=random&level=5 | 400 parameter | no levels
    /api/v1/awari/reply?opponent=random&start=0-0-0-0-0-0-0-0-0-0-0-0-25-20-S | 400 game-over | the game is over
    /api/v1/awari/analysis?start=0-0-0-0-0-0-0-0-0-0-0-0-25-20-S | 400 game-over | the game is over
    /pratt?board=1,0,0,0,0,0,0,0,0,0,0,0 | 404 missing-table | no table for pratt
    /api/v1/rulesets?x=1 | 400 parameter | 'x': this endpoint takes none
    /web/%ff | 404 not-found | no such endpoint
    /awari/nothing | 404 not-found | no such endpoint
    /api/v1/awari/game/more | 404 not-found | no such endpoint
    /web/../Cargo.toml | 404 not-found | no such endpoint
    /web/%2E%2E%2FCargo.toml | 404 not-found | no such endpoint";

/// Each kind of error has a word for programs as well.
#[test]
fn invalid_requests_get_a_status_a_code_and_a_sentence() {
    let server = Server::start();
    for line in INVALID.lines() {
        let [path, kind, part] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let path = path.trim();
        let (status, code) = kind.split_once(' ').unwrap();
        let sentence = error_of(&server, path, status.parse().unwrap());
        assert!(sentence.contains(part), "{path}: {sentence}");
        assert_eq!(server.get(path).json()["code"], code, "{path}");
    }
    // Client errors are not logged.
    assert_eq!(server.log(), "");
}

#[test]
fn numbers_out_of_range_are_rejected_with_the_range() {
    let server = Server::start();
    let line = "/api/v1/awari/mainline?board=0,0,0,0,0,1,2,0,0,0,0,1";
    for (path, range) in [
        (format!("{line}&plies=201"), "0 to 200"),
        (format!("{line}&plies=-1"), "0 to 200"),
        (format!("{line}&plies=99999999999999999999"), "0 to 200"),
        (
            "/api/v1/awari/reply?opponent=engine&level=0".to_owned(),
            "1 to 14",
        ),
        (
            "/api/v1/awari/reply?opponent=engine&level=15".to_owned(),
            "1 to 14",
        ),
        (
            "/api/v1/awari/reply?opponent=random&seed=-1".to_owned(),
            "0 to 18446744073709551615",
        ),
        ("/api/v1/awari/analysis?lines=7".to_owned(), "1 to 6"),
        (
            "/api/v1/awari/analysis?movetime=10001".to_owned(),
            "1 to 10000",
        ),
        ("/api/v1/awari/analysis?depth=0".to_owned(), "1 to 60"),
    ] {
        let (name, value) = path
            .rsplit(['?', '&'])
            .next()
            .unwrap()
            .split_once('=')
            .unwrap();
        let expected = format!("'{name}' cannot be '{value}': give a whole number from {range}");
        assert_eq!(error_of(&server, &path, 400), expected);
    }
}

#[test]
fn an_illegal_move_is_reported_with_the_moves_before_it() {
    let server = Server::start();
    let answer = server.get("/api/v1/awari/game?moves=FeCCa").json();
    assert_eq!(
        (&answer["ply"], &answer["letter"], &answer["moves"]),
        (&json!(4), &json!("C"), &json!("FeC"))
    );
    // A letter of another script is one letter.
    let answer = server.get("/api/v1/awari/game?moves=Fe%F0%9F%8C%B0").json();
    assert_eq!(
        answer["error"],
        "move 3, '🌰': pits are A to F for South and a to f for North"
    );
}

#[test]
fn other_methods_return_405() {
    let server = Server::start();
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let response = server.request(method, "/awari?board=1", "Content-Length: 0\r\n");
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(response.headers["allow"], "GET,HEAD");
        assert_eq!(response.json()["code"], "method");
    }
}

#[test]
fn long_requests_are_rejected() {
    let server = Server::start();
    let letters = "A".repeat(1001);
    let sentence = error_of(&server, &format!("/api/v1/awari/game?moves={letters}"), 400);
    assert!(sentence.contains("the limit is 1000"), "{sentence}");
    let path = format!("/awari?board={}", "1,".repeat(2100));
    let sentence = error_of(&server, &path, 414);
    assert!(sentence.contains("4096 bytes"), "{sentence}");
    assert_eq!(server.get(&path).json()["code"], "too-long");
    // The page tells what is wrong with a long link.
    let link = format!("/?moves={}", "A".repeat(6000));
    assert_eq!(server.get(&link).status, 200);
    for (path, line) in [
        ("/x".repeat(40_000), String::new()),
        ("/".to_owned(), format!("X: {}\r\n", "x".repeat(40_000))),
    ] {
        let answer =
            server.send(format!("GET {path} HTTP/1.1\r\nHost: krou\r\n{line}\r\n").as_bytes());
        assert!(
            answer.starts_with("HTTP/1.1 431") || answer.starts_with("HTTP/1.1 414"),
            "{answer:.60}"
        );
    }
    let many = "X-Header: 1\r\n".repeat(300);
    let answer = server.send(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer:.60}");
}

#[test]
fn damaged_tables_are_logged_but_not_shown_to_clients() {
    let server = Server::with_tables(&["--seeds 4 --codec raw"]);
    damage(server.home().join("tables/awari-04.value.krou"));
    let paths = ["/awari?", "/api/v1/awari/mainline?"]
        .map(|path| format!("{path}board=0,0,0,0,0,1,2,0,0,0,0,1"));
    for path in &paths {
        let sentence = error_of(&server, path, 500);
        assert!(!sentence.contains("awari-04"), "{sentence}");
    }
    // Other layers still answer.
    server.get_ok("/awari?board=1,0,0,0,0,0,0,0,0,0,0,0");
    let log = server.log();
    for path in paths {
        let span = format!("ERROR request{{client=\"127.0.0.1\" method=GET address={path}}}: ");
        let line = log.lines().find(|line| line.contains(&span));
        let line = line.unwrap_or_else(|| panic!("{log}"));
        assert!(line.contains("awari-04.value.krou"), "{line}");
    }
}
