//! Rooms: two players, those who watch, and what the server keeps of them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use krou::engine::Game;
use krou::rules::{Player, Ruleset};
use serde_json::{Value, json};

#[cfg(unix)]
use crate::program::send_signal;
use crate::support::Server;

const TOKENS: [&str; 2] = [
    "00000000000000000000000000000a11",
    "00000000000000000000000000000b0b",
];
/// A game of awari whose last board was there before.
const CIRCLE: &str = "AdAfBdCeFaDaAdFcCbCdEeCbDdAaFbBcAfFdCcBeFdCfEfAbDaFdEfCeFfAaDbBcEdCe";

/// A room on a server.
struct Room<'s> {
    server: &'s Server,
    path: String,
}

impl Room<'_> {
    /// A room of two players; the first one is South.
    fn make(server: &Server) -> Room<'_> {
        let room = Room::alone(server, &json!({"minutes": 5, "seconds": 3}));
        let joined = room.ok(1, &json!({"action": "join"}));
        assert_eq!(
            (&joined["seat"], &joined["complete"]),
            (&json!("second"), &json!(true))
        );
        room
    }

    fn alone<'s>(server: &'s Server, clock: &Value) -> Room<'s> {
        let body = json!({"token": TOKENS[0], "side": "south", "clock": clock});
        let made = server.post("/api/v1/awari/rooms", &body.to_string());
        assert_eq!(made.status, 200, "{}", made.body);
        let made = made.json();
        assert_eq!(
            (&made["seat"], &made["complete"]),
            (&json!("first"), &json!(false))
        );
        let id = made["room"].as_str().unwrap();
        let path = format!("/api/v1/rooms/{id}");
        Room { server, path }
    }

    /// The status and the answer of an action by a token.
    fn act_as(&self, token: &str, action: &Value) -> (u16, Value) {
        let mut body = action.clone();
        body["token"] = token.into();
        let answer = self.server.post(&self.path, &body.to_string());
        (answer.status, answer.json())
    }

    /// The answer of an action that must succeed.
    fn ok(&self, player: usize, action: &Value) -> Value {
        let (status, answer) = self.act_as(TOKENS[player], action);
        assert_eq!(status, 200, "{action}: {answer}");
        answer
    }

    /// The same of a player for an action of one word.
    fn does(&self, player: usize, action: &str) -> Value {
        self.ok(player, &json!({"action": action}))
    }

    /// Plays moves of South and North from the `first`-th on.
    fn play(&self, first: usize, letters: &str) -> Value {
        let mut last = Value::Null;
        for (ply, letter) in (first..).zip(letters.chars()) {
            let player = usize::from(letter.is_lowercase());
            last = self.ok(player, &played(ply, letter));
        }
        last
    }

    /// The code of the error of an action that must fail.
    fn refusal(&self, token: &str, action: &Value) -> (u16, String) {
        let (status, answer) = self.act_as(token, action);
        (status, answer["code"].as_str().unwrap_or("none").to_owned())
    }

    fn watch(&self) -> BufReader<TcpStream> {
        watch(self.server, &self.path)
    }
}

fn played(ply: usize, letter: char) -> Value {
    json!({"action": "play", "ply": ply, "letter": letter.to_string()})
}

fn watch(server: &Server, path: &str) -> BufReader<TcpStream> {
    let mut stream = server.connect();
    write!(
        stream,
        "GET {path}/events HTTP/1.0\r\nHost: localhost\r\n\r\n"
    )
    .unwrap();
    BufReader::new(stream)
}

/// The data of the next event of a stream.
fn next(stream: &mut BufReader<TcpStream>) -> Value {
    loop {
        let mut line = String::new();
        assert_ne!(
            stream.read_line(&mut line).unwrap(),
            0,
            "the stream has ended"
        );
        if let Some(data) = line.strip_prefix("data: ") {
            return serde_json::from_str(data).unwrap();
        }
    }
}

/// Every move is judged, and those who watch see each state of the room.
#[test]
fn two_play_a_game_to_its_end() {
    let server = Server::start();
    let room = Room::alone(&server, &Value::Null);
    let mut stream = room.watch();
    assert_eq!(next(&mut stream)["complete"], false);
    let unfit = room.refusal(TOKENS[0], &played(0, 'C'));
    assert_eq!(unfit, (400, "parameter".to_owned()));
    room.does(1, "join");
    while next(&mut stream)["complete"] != true {}
    // A third one watches.
    let third = room.act_as(
        "0123456789abcdef0123456789abcdef",
        &json!({"action": "join"}),
    );
    assert_eq!((third.0, &third.1["seat"]), (200, &Value::Null));

    let mut random = Rng::with_seed(3);
    let mut game = Game::new(Ruleset::AWARI);
    let mut ply = 0;
    while game.outcome().is_none() {
        let legal: Vec<_> = game.moves().legal().collect();
        let letter = game
            .play(legal[random.usize(..legal.len())].pit)
            .unwrap()
            .letter();
        let answer = room.play(ply, &letter.to_string());
        ply += 1;
        assert_eq!(answer["moves"].as_str().unwrap().len(), ply);
    }
    let winner = game.outcome().unwrap().winner().map(Player::as_str);
    let ended = json!({"by": "rules", "winner": winner});
    assert_eq!(room.does(0, "join")["ended"], ended);
    let over = (400, "game-over".to_owned());
    assert_eq!(room.refusal(TOKENS[0], &played(ply, 'A')), over);
    assert_eq!(room.refusal(TOKENS[1], &json!({"action": "resign"})), over);
    while next(&mut stream)["ended"] != ended {}
}

#[test]
fn wrong_actions_change_nothing() {
    let server = Server::start();
    let room = Room::make(&server);
    room.play(0, "Ca");
    let code = |token: &str, action: Value| room.refusal(token, &action);
    let refused = |status: u16, code: &str| (status, code.to_owned());
    let other = "ffffffffffffffffffffffffffffffff";
    assert_eq!(code(other, played(2, 'A')), refused(403, "forbidden"));
    assert_eq!(
        code(other, json!({"action": "resign"})),
        refused(403, "forbidden")
    );
    // An empty pit, the pit of the other player, the other player's turn, a move twice.
    for (player, action) in [
        (0, played(2, 'C')),
        (0, played(2, 'a')),
        (1, played(2, 'a')),
        (0, played(0, 'A')),
    ] {
        assert_eq!(code(TOKENS[player], action), refused(400, "move"));
    }
    for action in ["accept", "claim", "agree", "rematch"] {
        assert_eq!(
            code(TOKENS[0], json!({"action": action})),
            refused(400, "parameter")
        );
    }
    for body in ["", "{}", "{\"token\": \"1\", \"action\": \"join\"}", "[]"] {
        assert_eq!(server.post(&room.path, body).status, 400, "{body}");
    }
    let nowhere = format!("{}0", room.path);
    assert_eq!(server.get(&format!("{nowhere}/events")).status, 404);
    assert_eq!(room.does(0, "join")["moves"], "Ca");
    // Pages of other sites play no moves.
    let length = "Origin: https://other.example\r\nContent-Length: 2\r\n";
    let foreign = server.request_from("localhost", "POST", &room.path, length, "{}");
    assert_eq!(foreign.status, 403);
}

#[test]
fn players_agree_on_takebacks_ends_and_rematches() {
    let server = Server::start();
    let room = Room::make(&server);
    room.play(0, "Cf");
    let asked = room.does(0, "takeback");
    assert_eq!(
        asked["offer"],
        json!({"proposal": "takeback", "seat": "first"})
    );
    let own = room.refusal(TOKENS[0], &json!({"action": "accept"}));
    assert_eq!(own, (400, "parameter".to_owned()));
    assert_eq!(room.does(1, "decline")["offer"], Value::Null);
    room.does(0, "takeback");
    let back = room.does(1, "accept");
    assert_eq!((&back["moves"], &back["offer"]), (&json!(""), &Value::Null));

    room.play(0, CIRCLE);
    room.does(1, "agree");
    // Whoever proposes the same accepts.
    let agreed = room.does(0, "agree");
    assert_eq!(agreed["ended"]["by"], "agreed");
    room.does(0, "rematch");
    let again = room.does(1, "accept");
    assert_eq!(
        [
            &again["first"],
            &again["number"],
            &again["moves"],
            &again["ended"]
        ],
        [&json!("north"), &json!(2), &json!(""), &Value::Null]
    );
    assert_eq!(again["clock"]["south_left"], 300_000);
    // The second player is South now.
    room.ok(1, &played(0, 'C'));
    let resigned = room.does(0, "resign");
    assert_eq!(
        resigned["ended"],
        json!({"by": "resigned", "winner": "south"})
    );
}

/// All games of a room start where its maker says.
#[test]
fn games_start_from_a_position() {
    const START: &str = "0-0-0-0-0-1-1-0-0-0-0-1-23-22-S";
    let server = Server::start();
    let make = |start: &str| {
        let body = json!({"token": TOKENS[0], "side": "south", "start": start});
        server.post("/api/v1/awari/rooms", &body.to_string())
    };
    let made = make(START).json();
    let path = format!("/api/v1/rooms/{}", made["room"].as_str().unwrap());
    let server = &server;
    let room = Room { server, path };
    room.does(1, "join");
    let won = room.ok(0, &played(0, 'F'));
    assert_eq!(won["ended"], json!({"by": "rules", "winner": "south"}));
    room.does(0, "rematch");
    let again = room.does(1, "accept");
    assert_eq!(
        [&again["start"], &again["first"]],
        [&json!(START), &json!("north")]
    );
    assert!(again["began"].as_u64() >= made["began"].as_u64());
    for (start, code) in [
        ("4-4", "board"),
        ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", "game-over"),
    ] {
        let refused = make(start);
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (400, &json!(code))
        );
    }
}

/// Behind a proxy that the operator names, clients have rooms of their own; without, a header
/// that they may have written does not count.
#[test]
fn proxies_tell_clients_apart() {
    for (proxies, is_kept) in [("1", true), ("0", false)] {
        let server = Server::with_options(&["--max-rooms", "3", "--proxies", proxies]);
        let make = |client: &str| {
            let body = json!({"token": TOKENS[0], "side": "south"}).to_string();
            let forwarded = format!(
                "X-Forwarded-For: 203.0.113.1, {client}\r\nContent-Length: {}\r\n",
                body.len()
            );
            let made = server.request_from(
                "localhost",
                "POST",
                "/api/v1/awari/rooms",
                &forwarded,
                &body,
            );
            format!("/api/v1/rooms/{}", made.json()["room"].as_str().unwrap())
        };
        let first = make("192.0.2.1");
        for _ in 0..4 {
            make("192.0.2.2");
        }
        let joined = json!({"token": TOKENS[0], "action": "join"}).to_string();
        let answer = server.post(&first, &joined);
        assert_eq!(answer.status == 200, is_kept, "behind {proxies} proxies");
    }
}

/// Who makes many rooms loses their own, and nobody else's.
#[test]
fn a_client_cannot_take_all_places() {
    let server = Server::with_options(&["--max-rooms", "3", "--max-connections", "4"]);
    let rooms: Vec<_> = (0..3).map(|_| Room::make(&server)).collect();
    let waiting = Room::alone(&server, &Value::Null);
    let exists = |room: &Room<'_>| room.act_as(TOKENS[0], &json!({"action": "join"})).0 == 200;
    // Those that are complete stay longer, but all three were.
    assert_eq!(rooms.iter().filter(|room| exists(room)).count(), 2);
    assert!(exists(&waiting));
    let other = Room::alone(&server, &Value::Null);
    assert!(exists(&other) && !exists(&waiting));
    // Half of the connections are left for others.
    let mut streams: Vec<_> = (0..2).map(|_| other.watch()).collect();
    for stream in &mut streams {
        next(stream);
    }
    assert_eq!(server.get(&format!("{}/events", other.path)).status, 503);
    assert_eq!(server.get_ok("/health")["status"], "ok");
}

#[cfg(unix)]
fn stop(mut server: Server) {
    send_signal("TERM", &server.process);
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn rooms_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rooms.json");
    let start = || Server::with_options(&["--rooms", file.to_str().unwrap()]);
    let server = start();
    let room = Room::make(&server);
    room.play(0, "Cf");
    let path = room.path;
    stop(server);

    // Little time is left.
    let text = fs::read_to_string(&file).unwrap();
    let mut rooms: Value = serde_json::from_str(&text).unwrap();
    let kept = rooms.as_object_mut().unwrap().values_mut().next().unwrap();
    kept["clock"]["left"] = json!([50, 60_000]);
    fs::write(&file, rooms.to_string()).unwrap();
    let server = start();
    let room = Room {
        server: &server,
        path,
    };
    std::thread::sleep(Duration::from_millis(60));
    let ended = room.does(1, "claim");
    assert_eq!(ended["moves"], "Cf");
    assert_eq!(ended["ended"], json!({"by": "time", "winner": "north"}));
    assert_eq!(ended["clock"]["south_left"], 0);
    wait_for(&file, "\"time\"");
    #[cfg(unix)]
    {
        let mode = fs::metadata(&file).unwrap().permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&mode);
        assert_eq!(mode & 0o077, 0, "others may not read the tokens");
    }
    stop(server);

    fs::write(&file, text.replace("\"Cf\"", "\"Cg\"")).unwrap();
    let server = start();
    let lines = server.first_lines().concat();
    assert!(
        lines.contains("rooms.json is damaged: the server begins without rooms"),
        "{lines}"
    );
    assert_eq!(
        server.get(&format!("{}/events", "/api/v1/rooms/1")).status,
        404
    );
    Room::make(&server);
}

/// Waits until the file has this text.
fn wait_for(file: &Path, text: &str) {
    let has = || fs::read_to_string(file).unwrap().contains(text);
    let mut tries = 0..200;
    while !has() {
        assert!(tries.next().is_some(), "{} has no {text}", file.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}
