//! The Kalah Game Protocol: a server that plays whole games with the engine, and servers that
//! send other things.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use fastrand::Rng;
use krou::engine::Game;
use krou::rules::{Player, Position, Ruleset};
use tempfile::TempDir;

use crate::support::{call, call_with_input, krou_in, words};

/// How long a test waits for a line before it fails.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server with one client, which is the engine.
struct Server {
    client: Child,
    output: TcpStream,
    input: BufReader<TcpStream>,
    next_id: u64,
    _home: TempDir,
}

impl Server {
    fn start(options: &str) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let home = TempDir::new().unwrap();
        let mut krou = krou_in(home.path());
        krou.args(words(&format!(
            "engine --protocol kgp --hash 1 --connect {address} {options}"
        )));
        let client = krou
            .env("KROU_KGP_TOKEN", "a \"secret\"")
            .stderr(Stdio::piped());
        let client = client.spawn().unwrap();
        let (output, _) = listener.accept().unwrap();
        output.set_read_timeout(Some(TIMEOUT)).unwrap();
        let input = BufReader::new(output.try_clone().unwrap());
        Server {
            client,
            output,
            input,
            next_id: 2,
            _home: home,
        }
    }

    /// Sends a command with an id of its own.
    fn send(&mut self, words: &str) -> u64 {
        let id = self.next_id;
        self.next_id += 2;
        // In one piece, which the system sends at once.
        let line = format!("{id} {words}\r\n");
        self.output.write_all(line.as_bytes()).unwrap();
        id
    }

    /// The next command of the client without its own id.
    fn receive(&mut self) -> String {
        let mut line = String::new();
        self.input.read_line(&mut line).unwrap();
        let line = line
            .strip_suffix("\r\n")
            .unwrap_or_else(|| panic!("{line:?}"));
        line.trim_start_matches(|c: char| c.is_ascii_digit())
            .to_owned()
    }

    /// Says hello, and reads up to the mode.
    fn greet(&mut self) -> Vec<String> {
        self.send("kgp 1 0 1");
        let mut said = Vec::new();
        while said.last().is_none_or(|line| line != " mode freeplay") {
            said.push(self.receive());
        }
        said
    }

    /// Asks for a move; the last one before the client yields.
    fn ask(&mut self, game: &Game) -> u8 {
        let id = self.send(&format!("state {}", literal(game)));
        let mut pit = None;
        loop {
            let line = self.receive();
            let words = line
                .strip_prefix(&format!("@{id} "))
                .unwrap_or_else(|| panic!("{line}"));
            match words.strip_prefix("move ") {
                Some(number) => pit = Some(number.parse::<u8>().unwrap() - 1),
                None => {
                    assert_eq!(words, "yield");
                    return pit.expect("a move before the end");
                }
            }
        }
    }

    /// Ends the client; its exit code and messages.
    fn end(mut self) -> (Option<i32>, String) {
        self.send("goodbye");
        let ended = self.client.wait_with_output().unwrap();
        let messages = without_note(str::from_utf8(&ended.stderr).unwrap());
        (ended.status.code(), messages)
    }
}

/// Messages without the one that small layers are solved.
fn without_note(messages: &str) -> String {
    let lines = messages
        .lines()
        .filter(|line| !line.contains("solved in memory"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The board as the player to move sees it, as South.
fn literal(game: &Game) -> String {
    let player = game.to_move();
    let of = |player| match player {
        Player::South => game.stores().south,
        Player::North => game.stores().north,
    };
    let pits: Vec<String> = game.board().pits().iter().map(u8::to_string).collect();
    format!(
        "<6,{},{},{}>",
        of(player),
        of(player.opponent()),
        pits.join(",")
    )
}

#[test]
fn whole_games_are_played_on_either_side() {
    let mut server = Server::start("--move-time 30 --authors A --name krou\\1");
    assert_eq!(
        server.greet(),
        [
            " set info:name \"krou\\\\1\"",
            " set info:authors \"A\"",
            " set info:description \"Search with proven bounds and endgame tables\"",
            " set auth:token \"a \\\"secret\\\"\"",
            " mode freeplay",
        ]
    );
    server.send("set info:name \"server\"");
    let mut random = Rng::with_seed(1);
    let mut won = 0;
    for engine in [Player::South, Player::North] {
        let mut game = Game::new(Ruleset::KALAH);
        while game.outcome().is_none() {
            let pit = match game.to_move() == engine {
                true => server.ask(&game),
                false => {
                    let legal: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
                    random.choice(legal).unwrap()
                }
            };
            game.play(pit).unwrap();
        }
        won += u8::from(game.outcome().unwrap().winner() == Some(engine));
        let id = server.send("ping");
        assert_eq!(server.receive(), format!("@{id} pong"));
    }
    assert_eq!(won, 2);
    assert_eq!(server.end(), (Some(0), String::new()));
}

#[test]
fn a_known_board_is_not_answered_before_the_server_expects_it() {
    let mut server = Server::start("");
    server.greet();
    let board = "0-0-0-0-1-1-0-0-0-0-0-1-22-23-S".parse::<Position>();
    let game = Game::from_position(Ruleset::KALAH, board.unwrap()).unwrap();
    for _ in 0..3 {
        let sent = Instant::now();
        server.ask(&game);
        assert!(sent.elapsed() >= Duration::from_millis(20));
    }
}

#[test]
fn the_clock_of_the_server_and_stop_end_searches() {
    let mut server = Server::start("--move-time 1000000");
    server.greet();
    // With two seconds for the game, a move takes some milliseconds.
    server.send("set time:mode absolute");
    server.send("set time:clock 2");
    let start = Game::new(Ruleset::KALAH);
    server.ask(&start);
    server.send("set time:mode none");
    let id = server.send(&format!("state {}", literal(&start)));
    assert!(server.receive().starts_with(&format!("@{id} move ")));
    // A second board waits for the first one, which would take minutes.
    let second = server.send(&format!("state {}", literal(&start)));
    let stop = server.next_id;
    server.next_id += 2;
    write!(server.output, "{stop}@{id} stop\r\n").unwrap();
    while !server.receive().starts_with(&format!("@{second} move ")) {}
    server.send("error \"so long\"");
    let (code, told) = server.end();
    assert_eq!(
        (code, told.as_str()),
        (Some(0), "the server says: \"so long\"")
    );
}

#[test]
fn wrong_input_gets_errors() {
    let long = "x".repeat(20_000);
    let board = "4,4,4,4,4,4,4,4,4,4,4,4";
    let script = [
        "state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
        "2 kgp 1 7 3",
        "4 kgp 1 0 1",
        "6 dance",
        "8@3 state",
        "10 state 4",
        &format!("12 state <7,0,0,{board},4,4>"),
        &format!("14 state <6,0,1,{board}>"),
        "16 state <6,0,0,4,4,4,-4,4,4,4,4,4,4,4,4>",
        "18 state <6,20,20,0,0,0,0,0,0,1,0,0,0,0,0>",
        &long,
        "",
        "99999999999999999999999 @ \u{1b}[2J",
        "22 set",
        "24 set time:clock -5",
        "26 ok",
        "28@1 error \"wrong\"",
        "30 ping",
        "goodbye",
    ];
    let args = ["engine", "--protocol", "kgp", "--hash", "1"];
    let outcome = call_with_input(&args, script.join("\r\n") + "\r\n32 ping\r\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.split_terminator("\r\n").collect();
    let told: Vec<&str> = lines
        .iter()
        .map(|line| line.trim_start_matches(|c: char| c.is_ascii_digit()))
        .collect();
    let expected = [
        " error \"kgp comes first\"",
        " set info:name \"krou\"",
        " set info:description ",
        " mode freeplay",
        "@4 error \"kgp comes once\"",
        "@6 error \"there is no command 'dance'\"",
        "@8 error \"a state needs a board",
        "@10 error \"a state needs a board",
        "@12 error \"'<7,",
        "@14 error \"",
        "@16 error \"",
        "@18 error \"the game is over\"",
        " error \"the line is too long\"",
        " error \"there is no command '@'\"",
        "@30 pong",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told} is not {expected}");
    }
    // Each has an id of its own, which is odd.
    let ids: Vec<u64> = lines
        .iter()
        .map(|line| {
            line.split(|c: char| !c.is_ascii_digit())
                .next()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    assert!(
        ids.into_iter()
            .eq((0..).map(|n| 2 * n + 1).take(expected.len()))
    );
    let messages = without_note(&outcome.stderr);
    assert_eq!(
        messages,
        "a board of the server is refused: kgp comes first\nthe server says: \"wrong\""
    );
}

#[test]
fn other_servers_rules_and_options_are_refused() {
    let args = words("engine --protocol kgp --hash 1");
    let outcome = call_with_input(&args, "kgp 2 0 0\r\n");
    assert_eq!(outcome.code, Some(2));
    assert_eq!(
        outcome.stdout,
        "1 error \"only version 1 is spoken here\"\r\n3 goodbye\r\n"
    );
    assert!(outcome.stderr.contains("version 2 0 0"), "{outcome:?}");
    let outcome = call_with_input(&args, "HTTP/1.1 400 Bad Request\r\n");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("kgp 1"), "{outcome:?}");
    for (options, part) in [
        ("--protocol kgp --rules abapa", "rules kalah, not abapa"),
        ("--name x", "--protocol kgp"),
        (
            "--protocol kgp --connect 127.0.0.1:1",
            "cannot connect to 127.0.0.1:1",
        ),
        ("--protocol kgp --connect here", "cannot connect to here"),
    ] {
        let outcome = call(&words(&format!("engine --hash 1 {options}")));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        let message = without_note(&outcome.stderr);
        assert!(message.contains(part), "{message}");
    }
}
